import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeKeptFolder, removeKeptFolder } from '../../test/world/team/postgres/keptFolders.ts'
import { startPostgres, type PostgresServer } from '../../test/world/team/postgres/postgresServer.ts'
import { openServerProxy, type ServerProxy } from '../../test/world/team/postgres/serverProxy.ts'
import { startSimulation, type Simulation } from '../../simulator/simulation.ts'
import { projectFolder } from '../../bin/build.ts'
import { makeLaptop, type Laptop } from './laptop.ts'
import { findFaults, readRecord } from './record.ts'

interface Installed {
  laptop: Laptop
  imei: string
  trailer: string
  jobId: string
}

const startedMs = performance.now()
let checks = 0

function say(who: string, text: string): void {
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(1).padStart(5)} s  ${who.padEnd(10)}${text}`)
}

class CheckFailed extends Error {}

/** Says what was checked; the demonstration ends where it does not hold. */
function check(what: string, isSo: boolean, seen: unknown = ''): void {
  if (!isSo) throw new CheckFailed(`${what}: NOT SO. ${typeof seen === 'string' ? seen : JSON.stringify(seen)}`)
  checks += 1
  say('', `checked: ${what}`)
}

/**
 * A company with three laptops and its own PostgreSQL: they install, one loses the network, one is killed, one hands
 * its job over, and at the end everything is in one list, once. @returns 0, or 1 where something that was checked does
 * not hold.
 */
export async function demonstrateTeam(): Promise<number> {
  const folder = makeKeptFolder('fitter-team-demo-')
  const laptops: Laptop[] = []
  const ways: ServerProxy[] = []
  let server: PostgresServer | undefined
  let simulation: Simulation | undefined
  try {
    server = await startPostgres({}, { isDurable: true })
    const owner = await server.connect()
    const { rows } = await owner.query<{ version: string; scram: string }>(
      "select split_part(version(), ' on ', 1) as version, current_setting('password_encryption') as scram"
    )
    await owner.end()
    say('Server', `${rows[0]?.version ?? ''} on port ${String(server.port)}, in ${server.folder}`)
    simulation = await startSimulation({
      devices: 3,
      mdns: true,
      gateway: true,
      form: 'maker',
      story: 'installation-fast',
      seed: 3
    })
    say(
      'Simulator',
      `${simulation.devices.map(({ hostname }) => hostname).join(', ')}; gateway at ${simulation.gateway?.url ?? ''}`
    )
    await setUp({ server, simulation, folder, laptops, ways })
    const installed = await install({ server, simulation, laptops, ways })
    await judge({ server, simulation, laptops, installed })
    say('', `Nothing is missing and nothing is doubled. ${String(checks)} checks held.`)
    return 0
  } catch (error) {
    say(
      'FAILED',
      error instanceof CheckFailed
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error)
    )
    return 1
  } finally {
    await Promise.all(laptops.map((laptop) => laptop.close()))
    await simulation?.stop()
    for (const way of ways) await way.close()
    await server?.remove()
    removeKeptFolder(folder)
  }
}

interface Company {
  server: PostgresServer
  simulation: Simulation
  laptops: Laptop[]
  /** How each laptop reaches the server. */
  ways: ServerProxy[]
}

/**
 * The owner makes the schema and an invitation for each laptop in a terminal; each joins with its file, as in its
 * settings.
 */
async function setUp({ server, simulation, folder, laptops, ways }: Company & { folder: string }): Promise<void> {
  const {
    gateway,
    devices: [device]
  } = simulation
  if (!gateway || !device) throw new Error('The simulator started without a device or a gateway')
  const fitter = async (...words: string[]): Promise<Record<string, unknown>> => {
    say('Owner', `$ fitter ${words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ')}`)
    const env = { PATH: process.env.PATH ?? '', HOME: folder, FITTER_TEAM_PASSWORD: server.owner.password }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(projectFolder, 'bin', 'fitter'), ...words, '--json'],
      { env, cwd: folder }
    )
    return JSON.parse(stdout) as Record<string, unknown>
  }
  const urlAt = (port: number) => `postgres://owner@127.0.0.1:${String(port)}/postgres`
  const made = await fitter('team', 'init', '--url', urlAt(server.port))
  check('the schema is there', Number(made.applied) > 0, made)
  const again = await fitter('team', 'init', '--url', urlAt(server.port))
  check('a second "team init" changes nothing', again.applied === 0, again)
  for (const number of [1, 2, 3]) {
    const way = await openServerProxy(server.port)
    ways.push(way)
    const name = `Laptop ${String(number)}`
    const file = join(folder, `laptop${String(number)}.json`)
    await fitter('team', 'invite', name, '--url', urlAt(way.port), '--out', file)
    const { password } = JSON.parse(readFileSync(file, 'utf8')) as { password: string }
    laptops.push(
      makeLaptop(
        {
          name,
          dataFolder: join(folder, `data${String(number)}`),
          gatewayUrl: gateway.url,
          device: login(device),
          gateway: login(gateway),
          teamPassword: password
        },
        (text) => say(name, text)
      )
    )
  }
  if (process.platform !== 'win32')
    check(
      'invitations can be read by their owner alone',
      [1, 2, 3].every((number) => (statSync(join(folder, `laptop${String(number)}.json`)).mode & 0o077) === 0)
    )
  await Promise.all(
    laptops.map(async (laptop, index) => {
      await laptop.open()
      const { joined } = await laptop.call('team.join', {
        text: readFileSync(join(folder, `laptop${String(index + 1)}.json`), 'utf8')
      })
      say(laptop.name, `has joined ${joined?.team ?? ''} as ${joined?.name ?? ''}`)
    })
  )
  const owner = await server.connect()
  const { rows } = await owner.query<{ n: number }>(
    "select count(*)::int as n from fitter.laptop l join pg_authid a on a.rolname = l.login where l.joined_at is not null and a.rolpassword like 'SCRAM-SHA-256$%'"
  )
  await owner.end()
  check('three laptops have joined, and the server keeps no password of theirs', rows[0]?.n === 3, rows)
}

/**
 * All three at once: the first without the network for a while, the second with a broken process, the third hands its
 * job over to the first.
 */
async function install({ server, simulation, laptops, ways }: Company): Promise<Installed[]> {
  const installed = await Promise.all(
    laptops.map(async (laptop, index): Promise<Installed> => {
      const { imei } = simulation.devices[index] ?? { imei: '' }
      const jobId = await laptop.makeJobOn(imei)
      say(laptop.name, `found ${imei} over mDNS and begins job ${jobId}`)
      return { laptop, imei, trailer: `Trailer 1${String(index + 1)}`, jobId }
    })
  )
  const [first, second, third] = installed as [Installed, Installed, Installed]
  const handed = Promise.all([withoutNetwork(server, first, ways[0] as ServerProxy), leftInTheMiddle(third)]).then(() =>
    handOver(server, third, first)
  )
  const [finished] = await Promise.all([handed, withKilledProcess(server, second)])
  return [first, second, finished]
}

const login = ({ user, password }: { user: string; password: string }) => ({ user, password })

async function entriesThere(server: PostgresServer, jobId: string): Promise<string[]> {
  return (await readRecord(server)).jobs.find(({ id }) => id === jobId)?.hashes ?? []
}

/** Nobody waits longer for it than this. */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isSo()) return check(what, true)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  check(what, false, 'not within a minute')
}

async function withoutNetwork(
  server: PostgresServer,
  { laptop, jobId, imei, trailer }: Installed,
  way: ServerProxy
): Promise<void> {
  const work = laptop.work({ jobId, imei, trailer })
  await laptop.passed(jobId, 'network')
  await until(
    `${laptop.name}: what it did is in the team log while it works`,
    async () => (await entriesThere(server, jobId)).length > 0
  )
  way.cut()
  const before = laptop.passes(jobId).length
  say(laptop.name, 'its network is cut')
  await laptop.passed(jobId, 'inputs')
  const { waiting, problem } = await laptop.call('team.status', {})
  check(
    `${laptop.name} worked on without the network: ${String(laptop.passes(jobId).length - before)} more steps passed, and it says that the server does not answer`,
    laptop.passes(jobId).length > before && waiting === 1 && problem !== null,
    { waiting, problem }
  )
  const [here, there] = [await laptop.logOf(jobId), await entriesThere(server, jobId)]
  check(
    `${laptop.name} has ${String(here.hashes.length)} entries, the server the first ${String(there.length)} of them`,
    there.length < here.hashes.length && there.every((hash, at) => hash === here.hashes[at])
  )
  way.mend()
  say(laptop.name, 'the network is back')
  check(`${laptop.name}: its job is done`, (await work) === 'done')
  await laptop.call('team.push', {})
  await until(
    `${laptop.name}: everything arrived afterwards`,
    async () => (await laptop.call('team.status', {})).waiting === 0
  )
}

async function withKilledProcess(server: PostgresServer, { laptop, jobId, imei, trailer }: Installed): Promise<void> {
  const broken = laptop.work({ jobId, imei, trailer }).then(
    () => 'done',
    () => 'broken'
  )
  await laptop.passed(jobId, 'external-power')
  await until(
    `${laptop.name}: what it did is in the team log while it works`,
    async () => (await entriesThere(server, jobId)).length > 0
  )
  await laptop.kill()
  say(laptop.name, 'its process is killed, while it watches the ignition and the inputs')
  check(`${laptop.name} was killed before its job was done`, (await broken) === 'broken')
  const there = await entriesThere(server, jobId)
  await laptop.open()
  const here = await laptop.logOf(jobId)
  check(
    `${laptop.name} is back with ${String(here.hashes.length)} entries that hold, and all ${String(there.length)} that the server has are among them`,
    here.holds && there.every((hash, at) => hash === here.hashes[at])
  )
  check(`${laptop.name}: its job is done`, (await laptop.work({ jobId, imei, trailer })) === 'done')
}

async function leftInTheMiddle({ laptop, jobId, imei, trailer }: Installed): Promise<void> {
  await laptop.work({ jobId, imei, trailer, until: ['external-power', 'ignition', 'inputs'] })
  say(laptop.name, 'leaves its job for today')
  check(`${laptop.name}: its job is not done`, (await laptop.call('jobs.show', { id: jobId })).state !== 'done')
}

/** The job that was left goes to somebody else, who finishes it. @returns it with whoever has it now. */
async function handOver(
  server: PostgresServer,
  { laptop: from, jobId, imei, trailer }: Installed,
  { laptop: to }: Installed
): Promise<Installed> {
  const before = await from.logOf(jobId)
  const offer = await from.call('team.handOver', { jobIds: [jobId], to: to.name })
  say(from.name, `hands its job over to ${to.name}`)
  const { handedOver } = await from.call('jobs.show', { id: jobId })
  check(
    `${from.name}: the job left in hand-over ${offer.id}, and can only be read there`,
    offer.state !== 'withdrawn' && handedOver?.to === to.name,
    { offer, handedOver }
  )
  await until(`${to.name}: the job has arrived`, async () => {
    await to.call('team.pull', {})
    return (await to.logOf(jobId)).hashes.length > 0
  })
  const there = await to.logOf(jobId)
  check(
    `${to.name} has all ${String(before.hashes.length)} entries of ${from.name}, and they hold`,
    there.holds && before.hashes.every((hash, at) => hash === there.hashes[at])
  )
  check(`${to.name}: the job is done by it`, (await to.work({ jobId, imei, trailer })) === 'done')
  await until(`the server knows ${to.name} as its holder, with all it did`, async () => {
    const [here, { jobs }] = [await to.logOf(jobId), await readRecord(server)]
    const record = jobs.find(({ id }) => id === jobId)
    return record?.holder === to.name && record.hashes.length === here.hashes.length
  })
  return { laptop: to, imei, trailer, jobId }
}

async function judge({
  server,
  simulation,
  laptops,
  installed
}: Omit<Company, 'ways'> & { installed: Installed[] }): Promise<void> {
  for (const laptop of laptops) {
    await laptop.call('team.push', {})
    await until(
      `${laptop.name}: nothing waits to be pushed`,
      async () => (await laptop.call('team.status', {})).waiting === 0
    )
  }
  const faults = await findFaults(server)
  check(
    'the server alone, by plain SQL: every hash fits the one before it, no gap, nothing doubled',
    faults.length === 0,
    faults
  )
  const { jobs, forks } = await readRecord(server)
  check(
    `the server has these ${String(installed.length)} jobs and no other, and no fork`,
    forks === 0 &&
      installed.every(({ jobId }) => jobs.some(({ id }) => id === jobId)) &&
      jobs.length === installed.length,
    { forks, jobs: jobs.map(({ id }) => id) }
  )
  for (const { laptop, jobId } of installed) {
    const here = await laptop.logOf(jobId)
    const there = jobs.find(({ id }) => id === jobId)?.hashes ?? []
    check(
      `${jobId}: all ${String(here.hashes.length)} entries of ${laptop.name} are there, once and in order`,
      here.holds && here.hashes.length === there.length && here.hashes.every((hash, at) => hash === there[at])
    )
  }
  for (const laptop of laptops) {
    const { jobs: listed } = await laptop.call('team.jobs', {})
    check(
      `${laptop.name} sees the same list: ${listed.map(({ vehicle, holder, state }) => `${vehicle?.name ?? '?'} of ${holder} is ${state}`).join(', ')}`,
      listed.length === installed.length &&
        listed.every(({ id, state }) => state === 'done' && installed.some(({ jobId }) => jobId === id))
    )
  }
  const { job } = await (laptops[2] as Laptop).call('team.job', { id: installed[0]?.jobId ?? '' })
  check(
    `Laptop 3 opens the job of Laptop 1: ${String(job.steps.filter(({ state }) => state === 'pass').length)} of ${String(job.steps.length)} steps passed, with their evidence`,
    job.state === 'done'
  )
  const links = simulation.gateway?.state.links.filter(({ endMs }) => endMs === null) ?? []
  check(
    `the gateway has ${String(links.length)} links, one for each vehicle`,
    links.length === installed.length && new Set(links.map(({ primary }) => primary)).size === installed.length,
    links
  )
  const violations = simulation.violations()
  check(
    'no device and no gateway was asked anything that is not documented',
    violations.length === 0,
    violations.map(({ why }) => why)
  )
}
