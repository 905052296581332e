import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { restoreData } from '../../../main/data/store/backups/copies.ts'
import { startStandby } from '../../world/team/postgres/standby.ts'
import { openServerProxy } from '../../world/team/postgres/serverProxy.ts'
import { giveOnward, takeOver } from './handing.ts'
import { anyMember, note, reopen, serverSettings, type World } from './world.ts'

/** Something that happens to a company while it works. What is wrong at once is given back, a line each. */
export interface Fault {
  name: string
  strike(world: World): Promise<string[]>
  /** Where it cannot be made. */
  isPossible?(world: World): boolean
}

export const faults: readonly Fault[] = [
  { name: 'laptop killed', strike: killLaptop },
  { name: 'server killed', strike: killServer },
  { name: 'network cut', strike: cutNetwork },
  { name: 'acknowledgement lost', strike: loseAcknowledgement },
  { name: 'standby promoted that lacks what was acknowledged', strike: promoteBehind },
  { name: 'synchronous standby promoted', strike: promoteSynchronous },
  { name: 'disk full at the server', strike: fillDisk, isPossible: ({ options }) => options.diskMb !== undefined },
  { name: 'job handed over', strike: (world) => giveOnward(world) },
  { name: 'job taken over', strike: takeOver },
  { name: 'laptop set back to an older copy', strike: (world) => setBack(world) }
]

/** A real process, at any moment of its work and its push. */
async function killLaptop(world: World): Promise<string[]> {
  const { random, ledger } = world
  const member = anyMember(world)
  await member.laptop.close()
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'laptopChild.ts'), JSON.stringify(member.at), String(Math.floor(random() * 1e9))],
    { stdio: ['ignore', 'pipe', 'inherit'] }
  )
  const ended = once(child, 'exit')
  const kept: [string, string][] = []
  let there = 0
  let isPushing = false
  for await (const line of createInterface({ input: child.stdout })) {
    const [word, jobId = '', hash = ''] = line.split(' ')
    if (word === 'KEPT') kept.push([jobId, hash])
    if (word === 'THERE') there = kept.length
    if (word === 'PUSHING' && !isPushing) {
      isPushing = true
      setTimeout(() => child.kill('SIGKILL'), random() * 120)
    }
  }
  await ended
  reopen(world, member)
  const wrong = isPushing ? [] : ['the laptop ended before it was killed']
  for (const jobId of new Set(kept.map(([id]) => id))) {
    const log = member.laptop.store.jobs.journal(jobId).map(({ hash }) => hash)
    for (const [id, hash] of kept)
      if (id === jobId && !log.includes(hash))
        wrong.push(`an entry of ${jobId} is gone from the laptop that was told that it is kept`)
    ledger.logs.set(jobId, log)
    for (const { sha256 } of member.laptop.store.attachments.ofJob(jobId)) ledger.pictures.add(sha256)
    if (!member.at.open.includes(jobId)) member.at.open.push(jobId)
  }
  noteUntold(world, member)
  return [
    ...wrong,
    ...(await missing(
      world,
      kept.slice(0, there).map(([, hash]) => hash)
    ))
  ]
}

/**
 * What was on its disk when it died, and it had not come to say so: what goes on from a log that is known, and logs
 * that are new.
 */
function noteUntold({ ledger }: World, { laptop }: World['members'][number]): void {
  for (const { id } of laptop.store.jobs.page({ limit: 50 }).jobs) {
    const log = laptop.logOf(id)
    const known = ledger.logs.get(id) ?? []
    if (log.length > known.length && known.every((hash, at) => log[at] === hash)) ledger.logs.set(id, log)
  }
}

/** Of these, which the server does not have. */
async function missing({ server }: World, hashes: readonly string[]): Promise<string[]> {
  const client = await server.connect()
  const { rows } = await client.query<{ hash: string }>(
    'select one as hash from unnest($1::text[]) one where not exists (select from fitter.entry e where e.hash = one)',
    [hashes]
  )
  await client.end()
  return rows.map(({ hash }) => `acknowledged, and not there: ${hash}`)
}

async function killServer(world: World): Promise<string[]> {
  const { members, random, server } = world
  for (const { laptop } of members) note(world, await laptop.work(2))
  const pushes = members.map(({ laptop }) => laptop.tryPush())
  await wait(random() * 80)
  await server.stop('immediate')
  await Promise.all(pushes)
  for (const { laptop } of members) note(world, await laptop.work(1))
  await server.start()
  return []
}

async function cutNetwork(world: World): Promise<string[]> {
  const { random, way } = world
  const { laptop } = anyMember(world)
  note(world, await laptop.work(3))
  way.cutAfter(Math.floor(random() * 150_000))
  await laptop.tryPush()
  way.cut()
  note(world, await laptop.work(1))
  const wrong = (await laptop.tryPush()) === null ? ['a push over a network that is cut ended well'] : []
  way.mend()
  return wrong
}

async function loseAcknowledgement(world: World): Promise<string[]> {
  const { laptop } = anyMember(world)
  note(world, await laptop.work(2))
  const lost = world.way.loseAnswerTo('fitter.append')
  const [failure] = await Promise.all([laptop.tryPush(), lost])
  return failure === null && laptop.team.status().waiting > 0
    ? ['a push whose answer was lost ended well, and something waits']
    : []
}

/** What it lacks was acknowledged, and nothing is written afterwards: nobody but the laptop can find that. */
async function promoteBehind(world: World): Promise<string[]> {
  const { server, way, members } = world
  const stream = await openServerProxy(server.port)
  const standby = await startStandby(server, { settings: serverSettings, ...world.options, through: stream.port })
  for (const { laptop } of members) note(world, await laptop.work(1))
  await members[0]?.laptop.push()
  let isCut = false
  const cut = async (): Promise<void> => {
    if (isCut) return
    isCut = true
    await standby.caughtUp()
    stream.cut()
  }
  // A fork that is told after that is lost with the rest.
  const times = world.timesBehind++
  const wrong = times % 3 !== 1 ? await setBack(world, cut) : []
  await cut()
  if (times % 3 !== 2) wrong.push(...(await giveOnward(world, 'nothing')))
  const behind: string[] = []
  for (const { laptop } of members) {
    const kept = await laptop.work(2)
    note(world, kept)
    await laptop.push()
    behind.push(...kept.flatMap(({ hashes }) => hashes))
  }
  await server.stop('immediate')
  way.cut()
  await standby.promote()
  world.server = standby
  way.leadTo(standby.port)
  way.mend()
  const lacks = await missing(world, behind)
  await stream.close()
  await server.remove()
  return lacks.length === 0 ? [...wrong, 'the standby lacked nothing: nothing was shown'] : wrong
}

/** Commits wait for it: what was acknowledged is there before anybody gives anything again. */
async function promoteSynchronous(world: World): Promise<string[]> {
  const { server, way, members, random } = world
  const standby = await startStandby(server, { settings: serverSettings, ...world.options, isSynchronous: true })
  await standby.caughtUp()
  const acknowledged: string[] = []
  for (const { laptop } of members) {
    const kept = await laptop.work(1)
    note(world, kept)
    await laptop.push()
    acknowledged.push(...kept.flatMap(({ hashes }) => hashes))
  }
  for (const { laptop } of members) note(world, await laptop.work(2))
  const pushes = members.map(({ laptop }) => laptop.tryPush())
  await wait(random() * 60)
  await server.stop('immediate')
  way.cut()
  await Promise.all(pushes)
  await standby.promote()
  world.server = standby
  way.leadTo(standby.port)
  way.mend()
  const lost = await missing(world, acknowledged)
  await server.remove()
  return lost
}

async function fillDisk(world: World): Promise<string[]> {
  const { server } = world
  const { laptop } = anyMember(world)
  const owner = await server.connect()
  await owner.query('create unlogged table reserved (much text)')
  await owner.query('alter table reserved alter much set storage external')
  // Ever smaller pieces, until nothing more goes in.
  for (const kb of [8_000, 1_000, 100, 7]) {
    while (
      await owner.query(`insert into reserved values (repeat('x', ${String(kb * 1024)}))`).then(
        () => true,
        (error: { code?: string }) => {
          if (error.code !== '53100') throw error
          return false
        }
      )
    );
  }
  note(world, [laptop.workOn(null, 400), ...(await laptop.work(2))])
  const failure = await laptop.tryPush()
  const wrong =
    failure?.sentence.id === 'team.serverFull'
      ? []
      : [`a push to a full server ended with ${failure?.sentence.id ?? 'nothing'}`]
  note(world, await laptop.work(1))
  await owner.query('drop table reserved')
  await owner.end()
  return wrong
}

/** Restored from a copy that is older than what it pushed since; in two of three it then works on where it was. */
async function setBack(world: World, whenThere: () => Promise<void> = () => Promise.resolve()): Promise<string[]> {
  const { ledger, random } = world
  const member = anyMember(world)
  const first = member.laptop.workOn(null, 1 + Math.floor(random() * 5))
  const { jobId } = first
  note(world, [first])
  if (random() < 0.5) await member.laptop.push()
  const copy = join(world.folder, `${jobId}.db`)
  await member.laptop.store.backup(copy)
  note(world, [member.laptop.workOn(jobId, 1 + Math.floor(random() * 5))])
  await member.laptop.push()
  await whenThere()
  const forksBefore = member.laptop.team.status().forks
  await member.laptop.close()
  member.at.folder = join(world.folder, jobId)
  mkdirSync(member.at.folder)
  await restoreData(member.at.folder, copy, new Date(), {})
  reopen(world, member)
  await member.laptop.push()
  if (member.laptop.team.status().forks !== forksBefore)
    return ['what the server knows was told as a fork, without a new entry']
  world.timesSetBack += 1
  if (world.timesSetBack % 3 === 0) return []
  // It goes on with it also after it was told.
  for (const times of [1, 2]) {
    for (const hash of member.laptop.workOn(jobId, times + Math.floor(random() * 5)).hashes) ledger.forks.add(hash)
    await member.laptop.push()
    if (member.laptop.team.status().forks !== forksBefore + 1) return ['a fork was not told']
  }
  return []
}
