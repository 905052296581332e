import { findingParts, type Finding, type FindingPart } from '../../preload/contract/app/app.ts'
import type { UpdatesState } from '../../preload/contract/app/updates.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import type { ConnectionStep } from '../../preload/contract/app/internet.ts'
import type { TeamWork } from '../../preload/contract/team/team.ts'
import type { Connections } from '../gateway/accounts/connections.ts'
import { tryConnection } from '../gateway/accounts/trial.ts'
import { generationTimes } from '../data/store/backups/generations.ts'
import type { DataCheck } from '../data/store/damage/checkDataFile.ts'
import { updatesFinding } from './sayUpdates.ts'
import type { Disk } from '../data/store/file/disk.ts'
import { sizesOf, type FolderSizes } from '../data/store/file/folderSizes.ts'
import { diskNotice } from './diskNotice.ts'

/** The number of newest jobs to check: problems appear there first, and it takes no time. */
export const quicklyChecked = 100

const wayLimitMs = 10_000
/** With less, backups stop soon. */
const leastFreeBytes = 1024 ** 3
/** Reports show minutes: a smaller difference is nobody's problem. */
const mostApartS = 60

export interface DoctorOptions {
  dataFolder: string
  /** In training everything is on this computer: neither network cards nor the keychain are used. */
  isTraining?: boolean
  /** A person at a terminal can be told commands; in the window they lead nowhere. */
  isTerminal?: boolean
  /** Whether a window can open settings of the operating system. */
  canOpenSystem?: boolean
  /** Checks the newest jobs; "data check" does the whole file. */
  checkData(): Promise<Pick<DataCheck, 'ok' | 'findings' | 'jobs'>>
  updates?: UpdatesState | undefined
  /** The outputs that may be on, in one sentence. */
  mayBeOn(): Promise<Message | undefined> | Message | undefined
  /** The state of the disk while the data folder is open. */
  disk?: Pick<Disk, 'standing' | 'hasFailed'> | undefined
  /** The team log; a command only knows what it wrote down. */
  team(): Promise<TeamWork | undefined> | TeamWork | undefined
  /** Only these parts; otherwise everything. */
  parts?: readonly FindingPart[] | undefined
}

interface Check {
  parts: readonly FindingPart[]
  run(): Promise<Finding[]>
}

/** Checks everything that Fitter depends on, and names one remedy for each problem. A new check is one line here. */
export async function runDoctor(connections: Connections, options: DoctorOptions): Promise<Finding[]> {
  const { isTraining = false, isTerminal = false, parts = findingParts } = options
  const checks: readonly Check[] = [
    {
      parts: ['firewall', 'cards', 'mdns', 'devices'],
      run: async () => {
        const network = await connections.discovery.selfTest(isTerminal)
        return isTraining ? forTraining(network) : network
      }
    },
    { parts: ['keychain'], run: async () => [isTraining ? trainingKeychain() : await lookAtKeychain(connections)] },
    { parts: ['disk'], run: () => Promise.resolve([lookAtDisk(options)]) },
    { parts: ['data'], run: async () => [await lookAtData(options, isTerminal)] },
    { parts: ['outputs'], run: () => lookAtOutputs(options) },
    { parts: ['gateway', 'connection', 'time'], run: () => lookAtServices(connections, options) },
    { parts: ['teamLog'], run: async () => [await lookAtTeam(options)] },
    { parts: ['updates'], run: () => Promise.resolve(options.updates ? [updatesFinding(options.updates)] : []) }
  ]
  const wanted = checks.filter((check) => check.parts.some((part) => parts.includes(part)))
  const own = isTerminal ? wanted.filter(needsFolder) : []
  // The data folder of a command can be opened only once at a time.
  const oneByOne = own.reduce<Promise<Finding[]>>(
    async (before, check) => [...(await before), ...(await check.run())],
    Promise.resolve([])
  )
  const findings = (
    await Promise.all([oneByOne, ...wanted.filter((check) => !own.includes(check)).map((check) => check.run())])
  ).flat()
  return findings
    .filter(({ part }) => part === undefined || parts.includes(part))
    .toSorted((a, b) => orderOf(a) - orderOf(b))
}

const needsFolder = (check: Check): boolean =>
  check.parts.some((part) => part === 'data' || part === 'outputs' || part === 'teamLog')
const orderOf = ({ part }: Finding): number => (part === undefined ? findingParts.length : findingParts.indexOf(part))

async function lookAtServices(connections: Connections, options: DoctorOptions): Promise<Finding[]> {
  const { finding, differenceS } = await lookAtGateway(connections, options.isTerminal ?? false)
  return [
    finding,
    ...(await lookAtWay(connections, finding, options.isTerminal ?? false)),
    lookAtTime(connections, options, differenceS)
  ]
}

function trainingKeychain(): Finding {
  return {
    name: message('selfTest.keychainName'),
    group: 'computer',
    part: 'keychain',
    ok: true,
    notTested: true,
    detail: message('selfTest.keychainInMemory'),
    remedy: null
  }
}

/** In training only this computer is used; unused network cards are neither a problem nor confirmed to work. */
function forTraining(findings: Finding[]): Finding[] {
  const unused = ['selfTest.cardsName', 'selfTest.gatewaysName', 'selfTest.firewallName']
  const own = findings.filter(({ name }) => !unused.includes(name.id))
  return [
    {
      name: message('selfTest.cardsName'),
      group: 'network',
      part: 'cards',
      ok: true,
      notTested: true,
      detail: message('selfTest.trainingCards'),
      remedy: null
    },
    ...own
  ]
}

async function lookAtKeychain({ secrets }: Connections): Promise<Finding> {
  const status = await secrets.status()
  const line = { name: message('selfTest.keychainName'), group: 'computer', part: 'keychain' } as const
  if (status.kind === 'keychain') return { ...line, ok: true, detail: message('selfTest.keychainWorks'), remedy: null }
  return {
    ...line,
    ok: false,
    detail: status.reason ?? message('selfTest.keychainUnusable'),
    remedy: message('selfTest.signInAgain')
  }
}

/** Skipped for a data folder that cannot be opened, which has its own finding. */
async function lookAtOutputs({ mayBeOn }: DoctorOptions): Promise<Finding[]> {
  try {
    const left = await mayBeOn()
    return [
      {
        name: message('outputs.finding'),
        group: 'computer',
        part: 'outputs',
        ok: left === undefined,
        detail: left ?? message('outputs.noneOn'),
        remedy: left ? message('outputs.remedy') : null
      }
    ]
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

async function lookAtData({ dataFolder: folder, checkData }: DoctorOptions, isTerminal: boolean): Promise<Finding> {
  const line = { name: message('selfTest.dataName'), group: 'computer', part: 'data' } as const
  const fix = isTerminal ? {} : ({ fix: 'data' } as const)
  try {
    const { ok, findings, jobs } = await checkData()
    const [madeAt] = generationTimes(folder)
    const intact = message('selfTest.dataIntact', { folder, n: jobs })
    if (ok)
      return {
        ...line,
        ok,
        detail: madeAt === undefined ? intact : message('selfTest.lastBackup', { said: intact, madeAt }),
        remedy: null
      }
    return {
      ...line,
      ok,
      detail: message('selfTest.dataFound', { findings }),
      remedy: isTerminal ? message('selfTest.restoreCommand') : message('selfTest.restore'),
      ...fix
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return {
      ...line,
      ok: false,
      detail: message('selfTest.dataSays', { folder, why: error.sentence }),
      remedy: error.sentence,
      ...fix
    }
  }
}

/** Room for backups and pictures, and whether the disk accepts data. */
function lookAtDisk({ dataFolder, disk }: DoctorOptions): Finding {
  const line = { name: message('selfTest.diskName'), group: 'computer', part: 'disk' } as const
  const notice = disk && diskNotice(disk)
  if (notice?.remedy) return { ...line, ok: false, state: 'blocked', detail: notice.text, remedy: notice.remedy }
  let sizes: FolderSizes
  try {
    sizes = sizesOf(dataFolder)
  } catch (error) {
    return {
      ...line,
      ok: true,
      notTested: true,
      detail: message('selfTest.diskUnknown', { why: error instanceof Error ? error.message : String(error) }),
      remedy: null
    }
  }
  const { freeBytes, logBytes, picturesBytes, backupsBytes } = sizes
  const isEnough = freeBytes >= leastFreeBytes
  const detail = message('selfTest.diskFree', { freeBytes, usedBytes: logBytes + picturesBytes + backupsBytes })
  return {
    ...line,
    ok: isEnough,
    detail,
    remedy: isEnough ? null : message('selfTest.makeRoom', { leastBytes: leastFreeBytes })
  }
}

/** The clock of this computer against the gateway's, and against the devices that reported their time in this run. */
function lookAtTime(
  { devices }: Connections,
  { canOpenSystem = false, isTraining = false }: DoctorOptions,
  gatewayS: number | null
): Finding {
  const line = { name: message('common.time'), group: 'computer', part: 'time' } as const
  // The simulated gateway has the clock of this computer, which proves nothing.
  if (isTraining) return { ...line, ok: true, notTested: true, detail: message('selfTest.trainingTime'), remedy: null }
  const wayOf = (aheadS: number): 'ahead' | 'behind' => (aheadS >= 0 ? 'ahead' : 'behind')
  // The gateway's clock ahead is this computer's behind.
  const said =
    gatewayS === null
      ? null
      : message('selfTest.timeGateway', { apartS: Math.abs(Math.round(gatewayS)), way: wayOf(-gatewayS) })
  const ofDevices = [...devices.clocks()].map(([device, { aheadS }]) =>
    message('selfTest.timeDevice', { device, apartS: Math.abs(Math.round(aheadS)), way: wayOf(-aheadS) })
  )
  const parts = [...(said ? [said] : []), ...ofDevices]
  // A device alone proves nothing against this computer: its clock may be the wrong one.
  if (gatewayS === null)
    return { ...line, ok: true, notTested: true, detail: message('selfTest.timeUnknown', { parts }), remedy: null }
  if (Math.abs(gatewayS) <= mostApartS)
    return { ...line, ok: true, detail: message('selfTest.timeSays', { parts }), remedy: null }
  return {
    ...line,
    ok: false,
    detail: message('selfTest.timeWrong', { parts }),
    remedy: message('selfTest.setTime'),
    ...(canOpenSystem ? { fix: 'time' as const } : {})
  }
}

/** Also of a command, which only knows what earlier attempts wrote down: what was not tried is not tested. */
async function lookAtTeam({ team, isTerminal = false }: DoctorOptions): Promise<Finding> {
  const line = { name: message('common.teamLog'), group: 'gateway', part: 'teamLog' } as const
  const unsure = (detail: Message): Finding => ({ ...line, ok: true, notTested: true, detail, remedy: null })
  let work: TeamWork | undefined
  try {
    work = await team()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return unsure(message('selfTest.teamUnknown', { why: error.sentence }))
  }
  if (!work?.joined || !work.server) return unsure(message('selfTest.teamNotJoined'))
  const { waiting, problem, pushedAt } = work
  const { host } = work.server
  if (problem)
    return {
      ...line,
      ok: false,
      state: 'waiting',
      detail: message('selfTest.teamAway', { why: problem, waiting }),
      remedy: message('selfTest.teamAwayRemedy', { host }),
      ...(isTerminal ? {} : { fix: 'pushTeamLog' as const })
    }
  if (isTerminal) return unsure(message('selfTest.teamNotAsked', { host, waiting }))
  return pushedAt === null
    ? unsure(message('selfTest.teamNotAsked', { host, waiting }))
    : { ...line, ok: true, detail: message('selfTest.teamWorks', { host, pushedAt, waiting }), remedy: null }
}

async function lookAtGateway(
  { gateway }: Connections,
  isTerminal: boolean
): Promise<{ finding: Finding; differenceS: number | null }> {
  const line = { name: message('selfTest.gatewayName'), group: 'gateway', part: 'gateway' } as const
  const broken = (detail: Message, remedy: Message): Finding => ({
    ...line,
    ok: false,
    detail,
    remedy,
    ...(isTerminal ? {} : { fix: 'gateway' as const })
  })
  const before = await gateway.status()
  if (before.state === 'notSet')
    return {
      finding: broken(
        message('selfTest.noGateway'),
        isTerminal ? message('selfTest.enterGatewayCommand') : message('selfTest.enterGateway')
      ),
      differenceS: null
    }
  const url = before.url
  try {
    const client = await gateway.client()
    const { value } = await client.version.get(undefined, { timeoutMs: 8_000 })
    const detail = value.name
      ? message('selfTest.gatewayAnswers', { url, version: value.name })
      : message('selfTest.gatewayAnswersUnknown', { url })
    return { finding: { ...line, ok: true, detail, remedy: null }, differenceS: client.clockDifferenceS() }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const signIn = isTerminal ? message('selfTest.signInCommand') : message('selfTest.signIn')
    const remedy = error.code === 'NOT_AUTHENTICATED' ? signIn : message('selfTest.checkInternet')
    return { finding: broken(message('selfTest.gatewaySays', { url, why: error.sentence }), remedy), differenceS: null }
  }
}

/** The card, the proxy and the certificates, if a gateway is set. Tests the whole connection once. */
async function lookAtWay({ gateway, internet }: Connections, seen: Finding, isTerminal: boolean): Promise<Finding[]> {
  const { state } = await gateway.status()
  if (state === 'notSet') return []
  const { steps, remedy } = await tryConnection({ gateway, internet }, AbortSignal.timeout(wayLimitMs))
  const sayOf = (name: ConnectionStep['name']): Message =>
    steps.find((step) => step.name === name)?.detail ?? message('internet.notReached')
  const failed = steps.find(({ name, outcome }) => outcome === 'failed' && name !== 'signIn')
  const { authorities } = await internet.settings()
  const nowMs = Date.now()
  const expired = authorities.filter(
    ({ validFrom, validUntil }) => Date.parse(validFrom) > nowMs || Date.parse(validUntil) < nowMs
  )
  const namesOf = (list: typeof authorities): string => list.map(({ subject }) => subject).join(', ')
  return [
    {
      name: message('internet.doctorWay'),
      group: 'gateway',
      part: 'connection',
      ok: failed === undefined,
      detail:
        failed?.detail ??
        message('internet.doctorWayIs', {
          way: sayOf('connected'),
          proxy: sayOf('proxy'),
          certificate: sayOf('certificate')
        }),
      // A problem with the gateway's answer has its own finding.
      remedy: failed === undefined ? null : seen.ok ? (remedy ?? failed.detail) : message('selfTest.checkInternet'),
      ...(failed === undefined || isTerminal ? {} : { fix: 'connection' as const })
    },
    {
      name: message('internet.doctorTrust'),
      group: 'gateway',
      part: 'connection',
      ok: expired.length === 0,
      detail: message('internet.doctorAuthorities', { n: authorities.length, names: namesOf(authorities) }),
      remedy: expired.length === 0 ? null : message('internet.doctorExpired', { names: namesOf(expired) })
    }
  ]
}
