import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endOf, findCommand } from '../../../main/terminal/commands/index.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { writeJoinFile } from '../../../main/team/server/joinFile.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { startSimulation } from '../../../simulator/simulation.ts'
import { startBadPeer, type BadPeerKind } from '../device/badPeers.ts'
import { fitter, type Finished } from './fitterProcess.ts'

/**
 * A laptop that knows a device, a gateway and a team log, all at one address of loopback at which a bad peer can be
 * started.
 */
export interface Preparation {
  folder: string
  port: number
  jobId: string
  imei: string
}

/** A command line for which a peer is needed. */
export interface PeerCommand {
  words: string[]
  /** What it does without the peer is all that it has to do. */
  mayBeDone?: boolean
}

export interface MatrixResult {
  name: string
  kind: BadPeerKind
  limitS: number | null
  tookMs: number
  finished: Finished
  /** What is wrong with how it ended; empty for a good end. */
  faults: string[]
}

const reason = ['--reason', 'Its laptop was lost']

/** Makes the data folder that each command gets a copy of: one job, one piece of waiting work, and a team log. */
export async function prepareMatrix(): Promise<Preparation> {
  const folder = mkdtempSync(join(tmpdir(), 'fitter-matrix-'))
  const simulation = await startSimulation({ devices: 1, seed: 5 })
  const [device] = simulation.devices
  if (!device) throw new Error('The simulator started without a device')
  const { port, imei } = device
  const data = join(folder, 'data')
  const made = await fitter(
    ['job', 'new', '--template', 'standard-installation', '--device', `127.0.0.1:${port}`, '--json', '--data', data],
    {
      env: { HOME: folder, FITTER_DEVICE_USER: device.user, FITTER_DEVICE_PASSWORD: device.password }
    }
  )
  await simulation.stop()
  if (made.code !== 0) throw new Error(`No job was made: ${made.stdout}${made.stderr}`)
  const jobId = made.json<{ id: string }>().id
  const login = `fitter_${'0123456789abcdef'}`
  const server = { host: '127.0.0.1', port, database: 'fitter', user: login, authority: null }
  const store = openStore(data)
  store.operations.add({
    id: 'work-1',
    kind: 'btTags.assign',
    key: 'tag:AC233FA00001',
    state: 'pending',
    jobId: null,
    title: plainMessage('Tag'),
    payload: { mac: 'AC233FA00001', assetId: 1, assetName: 'Trailer' },
    reason: plainMessage('Waiting'),
    createdAt: new Date().toISOString(),
    isLive: false,
    needs: []
  })
  store.teamPush.setMembership({
    team: 'North',
    name: 'Laptop 1',
    mayWrite: true,
    channel: `fitter_${randomBytes(8).toString('hex')}`,
    host: '127.0.0.1',
    port,
    database: 'fitter',
    login,
    authority: null,
    joinedAt: new Date().toISOString()
  })
  store.teamPush.setOwned({ ...server, user: 'owner', team: 'North' })
  store.deviceProfiles.add({
    id: 'profile-1',
    name: 'North',
    savedAt: new Date().toISOString(),
    savedBy: '',
    from: { model: 'ft4', digits: '', vehicle: null, osVersion: null },
    settings: [{ kind: 'hotspotOn', value: false }]
  })
  store.close()
  writeFileSync(
    join(folder, 'join.json'),
    writeJoinFile({ team: 'North', name: 'Laptop 1', server, password: randomBytes(24).toString('hex') }),
    { mode: 0o600 }
  )
  writeFileSync(
    join(folder, 'answers.json'),
    JSON.stringify({ steps: { identity: { value: imei } }, technician: 'Ana' })
  )
  writeFileSync(join(folder, 'batch.csv'), `device,template,vehicle\n127.0.0.1:${port},standard-installation,Truck 1\n`)
  return { folder, port, jobId, imei }
}

/** Every command that asks a device, the gateway or the team log. */
export function peerCommands({ folder, port, jobId, imei }: Preparation): PeerCommand[] {
  const device = `127.0.0.1:${port}`
  const owner = ['--url', `postgres://owner@127.0.0.1:${port}/fitter`]
  const of = (words: string, ...more: string[]): PeerCommand => ({ words: [...words.split(' '), ...more] })
  const done = (words: string, ...more: string[]): PeerCommand => ({ ...of(words, ...more), mayBeDone: true })
  return [
    of(`device ${device} read`),
    of(`device ${device} call system.info`),
    of(`device ${device} call io.setOutput --param out=OUT1 --param state=false --yes`),
    of(`device ${device} call io.setOutput --param out=OUT1 --param state=true --yes`),
    of(`snapshot ${device} --out OUT`),
    of(`profile save ${device} Other`),
    of(`profile apply North ${device} --yes`),
    of(`job new --template standard-installation --device ${device} --another`),
    of(`job run ${jobId}`, '--answers', join(folder, 'answers.json')),
    of('job batch', join(folder, 'batch.csv'), '--answers', join(folder, 'answers.json')),
    of(`diagnose ${device}`),
    of(`diagnose ${device} --vehicle`, 'Truck 1'),
    of('diagnose --vehicle', 'Truck 1'),
    // Local data is worth a bundle, even if nobody answers.
    done(`bundle ${jobId} --out OUT`),
    of(`bundle ${device} --out OUT`),
    done(`bundle ${imei} --out OUT`),
    of('bundle --out OUT --vehicle', 'Truck 1'),
    done('bundle --out OUT --vehicle 12'),
    of('gateway status'),
    of('gateway login'),
    done('gateway logout'),
    of('gateway call vehicles.list'),
    of('gateway call vehicles.list --all'),
    of('gateway copy'),
    of('sync'),
    of('sync --once'),
    done('operations list'),
    done('doctor'),
    of('team init', ...owner),
    of('team invite', 'Laptop 2', '--out', 'OUT', ...owner),
    of('team remove', 'Laptop 2', ...owner),
    of('team logins', ...owner),
    of('team retention --before 2024-01', ...owner),
    of(`team hold ${jobId} --on`, ...reason, ...owner),
    of('team join', join(folder, 'join.json')),
    done('team status'),
    of('team push'),
    of('team pull'),
    of('team jobs'),
    // Hand-overs wait on this computer until the server is back: exit code 1.
    of(`team hand-over ${jobId}`),
    of('team take-over 01M85DPB6M4BFR861DYXM36ZPC', ...reason),
    done('team forks'),
    of(`team settle ${jobId}`, ...reason),
    of('team prepare --template standard-installation --vehicle', 'Truck 1'),
    done('team assigned'),
    of('team withdraw work-1'),
    done('team leave')
  ]
}

/** Runs the commands against one kind of peer, so many side by side, and tells each as it ends. */
export async function runAgainst(
  kind: BadPeerKind,
  prepared: Preparation,
  {
    commands,
    sideBySide,
    more = [],
    told = () => undefined
  }: { commands: PeerCommand[]; sideBySide: number; more?: string[]; told?: (result: MatrixResult) => void }
): Promise<MatrixResult[]> {
  const peer = await startBadPeer(kind, prepared.port)
  const results: MatrixResult[] = []
  const waiting = [...commands.entries()]
  async function lane(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await runOne(kind, prepared, { command: next[1], name: `${kind}-${next[0]}`, more })
      results.push(result)
      told(result)
    }
  }
  try {
    await Promise.all(Array.from({ length: sideBySide }, lane))
  } finally {
    await peer.stop()
  }
  return results
}

async function runOne(
  kind: BadPeerKind,
  { folder, port }: Preparation,
  { command, name, more }: { command: PeerCommand; name: string; more: string[] }
): Promise<MatrixResult> {
  const own = join(folder, name)
  mkdirSync(own)
  cpSync(join(folder, 'data'), join(own, 'data'), { recursive: true })
  const words = command.words.map((word) => (word === 'OUT' ? join(own, 'out') : word))
  const env = {
    HOME: own,
    XDG_CONFIG_HOME: join(own, 'config'),
    FITTER_DEVICE_USER: 'admin',
    FITTER_DEVICE_PASSWORD: 'not-used-0',
    FITTER_GATEWAY_USER: 'ana',
    FITTER_GATEWAY_PASSWORD: 'not-used-1',
    FITTER_TEAM_PASSWORD: 'not-used-2'
  }
  const startedMs = performance.now()
  const finished = await fitter(
    [...words, '--gateway', `http://127.0.0.1:${port}/api`, '--data', join(own, 'data'), '--language', 'en', ...more],
    { env }
  )
  const tookMs = performance.now() - startedMs
  rmSync(own, { recursive: true, force: true })
  const definition = findCommand(words)
  const end = definition && endOf(definition, { all: words.includes('--all') })
  const limitS = typeof end === 'number' ? end : null
  return {
    name: command.words.join(' '),
    kind,
    limitS,
    tookMs,
    finished,
    faults: faultsOf(command, finished, { tookMs, limitS })
  }
}

/** Slower machines need longer to start a process than what is measured here. */
const startS = 5

function faultsOf(
  { mayBeDone = false }: PeerCommand,
  { code, signal, stdout, stderr }: Finished,
  { tookMs, limitS }: { tookMs: number; limitS: number | null }
): string[] {
  const said = stderr.trim().split('\n')
  const last = said.at(-1) ?? ''
  return [
    ...(signal !== null ? [`ended by ${signal}`] : []),
    ...(code === 1 || code === 3 || code === 4 || (code === 0 && mayBeDone) ? [] : [`exit code ${code}`]),
    ...(/\n\s+at |node:internal|undefined|\[object/.test(stderr + stdout)
      ? ['a stack trace, or something that is no text']
      : []),
    // Where there is no result there is one sentence on stderr.
    ...((code === 3 || code === 4) && stdout.trim() === '' && !/^[\p{Lu}\d"“].{10,300}[.!?]$/u.test(last)
      ? [`no clear sentence: ${last}`]
      : []),
    ...(code === 1 && stdout.trim() === '' && !/[.!?]$/.test(last) ? [`no result and no clear sentence: ${last}`] : []),
    ...(limitS !== null && tookMs > (limitS + startS) * 1000
      ? [`took ${Math.round(tookMs / 1000)} s of ${limitS} s`]
      : [])
  ]
}
