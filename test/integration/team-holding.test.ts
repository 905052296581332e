import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import type { OperationKind } from '../../main/operations/kind.ts'
import { verifyChain } from '../../main/store/seal.ts'
import { createTeamBackground } from '../../main/team/background.ts'
import { raiseSchema } from '../../main/team/schema.ts'
import { plainMessage } from '../../preload/contract/messages.ts'
import { startPostgres, type PostgresServer } from '../../simulator/postgres/postgresServer.ts'
import { makeSharedGateway } from '../support/sharedGateway.ts'
import { invitation, joinedLaptop, openTeamLaptop, type TeamLaptop } from '../support/teamLaptop.ts'
import { tempFolder } from '../support/tempFolder.ts'

let server: PostgresServer
const signal = new AbortController().signal
let teams = 0

beforeAll(async () => {
  server = await startPostgres()
  const owner = await server.connect()
  await raiseSchema(owner)
  await owner.end()
}, 60_000)
afterAll(() => server?.remove())

const newTeam = () => `Team ${String((teams += 1))}`
const silent: OperationKind = {
  kind: 'scripted',
  payload: z.object({ name: z.string() }),
  resendWhenAbsent: true,
  maxAttempts: 3,
  send: () => Promise.reject(new Error('Nothing may be sent')),
  look: () => Promise.resolve({ seen: 'absent', what: plainMessage('It is not there.'), raw: null })
}
const laptop = (team: string, name: string) => joinedLaptop(server, team, name, { kinds: [silent] })
const addWork = ({ operations }: TeamLaptop, jobId: string, name: string) => operations.add({ kind: 'scripted', key: `vehicle:${name}`, title: plainMessage(name), payload: { b: 1, name, a: 2.5 }, jobId, draft: false }).id
const stateOf = ({ operations }: TeamLaptop, id: string) => operations.get(id)?.state
const isAway = ({ jobs }: TeamLaptop, job: string) => jobs.show(job).handedOver !== undefined
const sentence = (work: Promise<unknown>) => work.then(() => undefined, (error: unknown) => (error as { sentence?: { id: string } }).sentence?.id ?? error)
const push = ({ team }: TeamLaptop) => team.push(signal)
async function holderOf(job: string): Promise<string | null> {
  const owner = await server.connect()
  const { rows } = await owner.query<{ name: string | null }>('select l.name from fitter.job j left join fitter.laptop l on l.id = j.holder where j.id = $1', [job])
  await owner.end()
  return rows[0]?.name ?? null
}

describe('Handing over through the team log', () => {
  it('moves a job with its gateway work to the laptop of that name, and leaves nothing that could run behind', async () => {
    const team = newTeam()
    const [from, to] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
    const job = from.makeJob()
    const work = addWork(from, job, 'first')
    const picture = new Uint8Array(300_000).map((_byte, at) => at % 251)
    const kept = await from.store.attachments.write(picture)
    from.store.attachments.keep({ jobId: job, file: kept, mediaType: 'image/jpeg', at: '2026-03-01T10:00:00.000Z' })
    const attached = { attempt: 0, sha256: kept.sha256, reportSha256: kept.sha256, mediaType: 'image/jpeg', bytes: picture.length, width: 1, height: 1, purpose: 'other', takenAt: null, keptAt: '2026-03-01T10:00:00.000Z', source: 'file', latitude: null, longitude: null, placeSource: null }
    from.store.jobs.append(job, [{ type: 'attached', stepId: null, data: attached, at: '2026-03-01T10:00:00.000Z' }], () => from.store.teamPush.summary(job) as never)
    from.jobs.reread(job)

    const offer = await from.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)
    expect(offer).toMatchObject({ state: 'open', to: 'Laptop 2', direction: 'mine', operations: 1, jobs: [{ id: job, vehicle: 'Vehicle One' }] })
    expect(stateOf(from, work)).toBe('moved')
    expect(from.jobs.show(job).handedOver).toMatchObject({ to: 'Laptop 2', through: 'team' })
    // Again it is the same offer; no file of it is made, and nobody takes it back past the server.
    expect(await from.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)).toMatchObject({ id: offer.id, state: 'open' })
    expect(await sentence(from.transfers.give({ jobIds: [job], to: '', file: `${tempFolder()}/file` }, signal))).toBe('teamHolding.isInTeamLog')
    expect(await sentence(from.transfers.takeBack(job, 'It was a mistake'))).toBe('teamHolding.isInTeamLog')

    const pulled = await to.holding.pull(signal)
    expect(pulled).toMatchObject({ arrived: [{ outcome: 'taken', jobs: [{ id: job, isTaken: true }], operations: [{ id: work, state: 'unknown' }] }], lost: [], offers: [] })
    expect(to.told).toHaveLength(1)
    expect(isAway(to, job)).toBe(false)
    expect(to.operations.get(work)).toMatchObject({ state: 'unknown', payload: { b: 1, name: 'first', a: 2.5 }, claim: { whenAbsent: 'send', isReadBack: false } })
    expect(Buffer.from(to.store.attachments.read(kept.sha256)).equals(Buffer.from(picture))).toBe(true)
    expect(verifyChain(job, to.store.jobs.journal(job))).toEqual({ ok: true })
    expect(await holderOf(job)).toBe('Laptop 2')
    expect((await to.holding.pull(signal)).arrived).toEqual([])
    // The sender hears who has it, and it may come back the same way.
    expect((await from.holding.pull(signal)).offers).toMatchObject([{ id: offer.id, state: 'taken', takenBy: 'Laptop 2' }])
    await to.holding.handOver({ jobIds: [job], to: 'Laptop 1' }, signal)
    expect((await from.holding.pull(signal)).arrived).toMatchObject([{ outcome: 'taken', jobs: [{ id: job }] }])
    expect(isAway(from, job)).toBe(false)
    expect(stateOf(from, work)).toBe('unknown')
  })

  it('to whoever takes it goes to exactly one, who named it', async () => {
    const team = newTeam()
    const [from, ...others] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2'), await laptop(team, 'Laptop 3')]
    const job = from.makeJob()
    const { id } = await from.holding.handOver({ jobIds: [job], to: '' }, signal)
    for (const other of others) expect(await other.holding.pull(signal)).toMatchObject({ arrived: [], offers: [{ id, direction: 'toAnybody', state: 'open', jobs: [{ id: job, customer: 'Customer One' }], operations: 0 }] })
    const taken = await Promise.allSettled(others.map((other) => other.holding.pull(signal, [id])))
    expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(others.filter((other) => other.store.jobs.journal(job).length > 0)).toHaveLength(1)
    expect(await sentence(from.holding.withdraw(id, signal))).toBe('teamHolding.offerTaken')
    expect(isAway(from, job)).toBe(true)
  })

  it('leaves without the server as soon as it is reached, and can be withdrawn as long as nobody took it', async () => {
    const team = newTeam()
    const [from, to] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
    const [first, second, third] = [from.makeJob(), from.makeJob(), from.makeJob()]
    await server.stop('immediate')
    const leaving = await from.holding.handOver({ jobIds: [first], to: 'Laptop 2' }, signal)
    expect(leaving).toMatchObject({ state: 'leaving', why: { id: 'team.away' } })
    expect(from.team.status()).toMatchObject({ leaving: 1 })
    expect(isAway(from, first)).toBe(true)
    const mistaken = await from.holding.handOver({ jobIds: [second], to: '' }, signal)
    // The server cannot know of it: it comes back at once.
    expect(await from.holding.withdraw(mistaken.id, signal)).toMatchObject({ isBack: true, offer: { state: 'withdrawn' } })
    expect(isAway(from, second)).toBe(false)
    const nowhere = await from.holding.handOver({ jobIds: [third], to: 'Laptop 9' }, signal)
    expect(await from.holding.offers(signal)).toMatchObject({ offers: [{ state: 'leaving' }, { state: 'withdrawn' }, { state: 'leaving' }], why: { id: 'team.away' } })
    await server.start()
    await from.holding.goOn(signal)
    // Nobody of that name is there: it is told, and it stays somebody's.
    expect((await from.holding.offers(signal)).offers[0]).toMatchObject({ id: nowhere.id, state: 'leaving', why: { id: 'teamHolding.noSuchLaptop' } })
    expect(await from.holding.withdraw(nowhere.id, signal)).toMatchObject({ isBack: true })
    expect(isAway(from, third)).toBe(false)
    expect(from.team.status()).toMatchObject({ leaving: 0 })
    expect(await to.holding.pull(signal)).toMatchObject({ arrived: [{ jobs: [{ id: first }] }] })

    const open = await from.holding.handOver({ jobIds: [second], to: 'Laptop 2' }, signal)
    expect(await sentence(from.holding.handOver({ jobIds: [from.makeJob()], to: 'Laptop 9' }, signal))).toBe('teamHolding.noSuchLaptop')
    await server.stop('immediate')
    // The server may have given it to somebody meanwhile: it is asked first.
    expect(await from.holding.withdraw(open.id, signal)).toMatchObject({ isBack: false, offer: { state: 'withdrawing' } })
    expect(isAway(from, second)).toBe(true)
    await server.start()
    await from.holding.goOn(signal)
    expect(isAway(from, second)).toBe(false)
    expect((await to.holding.pull(signal)).arrived).toEqual([])
    await push(from)
    expect(await holderOf(second)).toBe('Laptop 1')
  })
})

class Crash extends Error {}

/** Does `work` on a laptop whose process dies at the n-th instant; whether it died. */
async function diesAt(n: number, open: (instant: () => void) => Promise<TeamLaptop>, work: (laptop: TeamLaptop) => Promise<unknown>): Promise<boolean> {
  let left = Infinity
  const dying = await open(() => {
    left -= 1
    if (left < 0) throw new Crash()
  })
  left = n
  try {
    await work(dying)
  } catch (error) {
    if (left >= 0) throw error
  }
  dying.end()
  return left < 0
}

describe('A process that dies at any instant', { timeout: 1_200_000 }, () => {
  const every = Number(process.env['FITTER_TEAM_EVERY'] ?? 29)

  it('of handing over or withdrawing has its job here or there, and never twice', async () => {
    const team = newTeam()
    const to = await laptop(team, 'Laptop 2')
    const joining = await invitation(server, team, 'Laptop 1')
    const folder = tempFolder()
    const open = (instant?: () => void) => openTeamLaptop({ folder, joining, name: 'Laptop 1', kinds: [silent], ...(instant ? { instant } : {}) })
    const lived = new Set<string>()
    for (const [n, act] of instants(every, lived)) {
      const before = await open()
      const job = before.makeJob()
      const work = addWork(before, job, 'work')
      const given = act === 'withdraw' ? await before.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal) : null
      before.end()
      const hasDied = await diesAt(n, open, ({ holding }) => (given ? holding.withdraw(given.id, signal) : holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)))
      const after = await open()
      await push(after)
      await after.holding.goOn(signal)
      const { arrived } = await to.holding.pull(signal)
      await after.holding.pull(signal)
      const isHere = !isAway(after, job)
      expect({ n, act, arrived: arrived.length, work: stateOf(after, work), there: stateOf(to, work) }).toEqual({ n, act, arrived: isHere ? 0 : 1, work: isHere ? (given ? 'unknown' : 'pending') : 'moved', there: isHere ? undefined : 'unknown' })
      await push(after)
      expect(await holderOf(job)).toBe(isHere ? 'Laptop 1' : 'Laptop 2')
      after.end()
      if (!hasDied) lived.add(act)
    }
  })

  it('of pulling or taking over has the job once, and its holder has it here', async () => {
    const team = newTeam()
    const from = await laptop(team, 'Laptop 1')
    const joining = await invitation(server, team, 'Laptop 2')
    const folder = tempFolder()
    const open = (instant?: () => void) => openTeamLaptop({ folder, joining, name: 'Laptop 2', kinds: [silent], ...(instant ? { instant } : {}) })
    const lived = new Set<string>()
    for (const [n, act] of instants(every, lived)) {
      const job = from.makeJob()
      const work = addWork(from, job, 'work')
      await push(from)
      if (act === 'give') await from.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)
      const hasDied = await diesAt(n, open, ({ holding }) => (act === 'give' ? holding.pull(signal) : holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal)))
      const after = await open()
      await after.holding.goOn(signal)
      await after.holding.pull(signal)
      const isTaken = after.store.jobs.journal(job).length > 0
      expect({ n, act, holder: await holderOf(job), isTaken }).toEqual({ n, act, holder: isTaken ? 'Laptop 2' : 'Laptop 1', isTaken })
      if (act === 'give') expect(isTaken).toBe(true)
      if (isTaken) {
        expect(after.store.jobs.journal(job).filter(({ type }) => type === 'movedHere')).toHaveLength(1)
        expect(after.operations.ofJob(job).map(({ id, state }) => [id, state])).toEqual([[work, 'unknown']])
        await from.holding.pull(signal)
        expect({ n, act, state: stateOf(from, work), isAway: isAway(from, job) }).toEqual({ n, act, state: 'moved', isAway: true })
      }
      after.end()
      if (!hasDied) lived.add(act)
    }
  })
})

/** Every so many instants, each for both things, until both lived to their end. */
function* instants(every: number, lived: ReadonlySet<string>): Generator<[number, 'give' | 'withdraw']> {
  for (let n = 0; lived.size < 2; n += every) {
    for (const act of ['give', 'withdraw'] as const) if (!lived.has(act)) yield [n, act]
  }
}

describe('Taking over a job whose holder is lost', () => {
  it('reads its work back first and asks when it is absent; the lost one comes back, reads only, sends nothing, and its entries are kept as a fork', async () => {
    const team = newTeam()
    const [lost, by] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
    const job = lost.makeJob()
    const work = addWork(lost, job, 'told')
    await push(lost)
    // Only its gateway work moves: that goes up as well.
    expect(lost.team.status().waiting).toBe(0)
    const later = addWork(lost, job, 'told later')
    expect(lost.team.status().waiting).toBe(1)
    await push(lost)
    expect(lost.team.status().waiting).toBe(0)
    const untold = addWork(lost, job, 'never told')

    expect(await sentence(by.holding.takeOver({ jobId: 'NOSUCHJOB', reason: 'Its laptop was stolen' }, signal))).toBe('jobs.notInLog')
    const taken = await by.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal)
    expect(taken).toMatchObject({ outcome: 'taken', from: 'Laptop 1', jobs: [{ id: job, isTaken: true }] })
    for (const id of [work, later]) expect(by.operations.get(id)).toMatchObject({ state: 'unknown', claim: { whenAbsent: 'ask', isReadBack: false } })
    expect(by.operations.get(untold)).toBeUndefined()
    expect(by.store.jobs.journal(job).at(-1)).toMatchObject({ type: 'movedHere', data: { from: 'Laptop 1', reason: 'Its laptop was stolen' } })
    expect(await holderOf(job)).toBe('Laptop 2')
    expect(await sentence(by.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal))).toBe('transfer.isHere')

    // It went on without knowing, and comes back.
    lost.store.jobs.append(job, [{ type: 'namesGiven', stepId: null, data: { technician: 'Technician One', customer: 'Customer Two' }, at: '2026-03-01T10:00:00.000Z' }], () => lost.store.teamPush.summary(job) as never)
    lost.jobs.reread(job)
    const pulled = await lost.holding.pull(signal)
    expect(pulled.lost).toMatchObject([{ jobId: job, by: 'Laptop 2', reason: 'Its laptop was stolen' }])
    expect(lost.jobs.show(job).handedOver).toMatchObject({ to: 'Laptop 2', takenOver: { by: 'Laptop 2', reason: 'Its laptop was stolen' } })
    expect([work, later, untold].map((id) => stateOf(lost, id))).toEqual(['moved', 'moved', 'needsAttention'])
    expect(lost.operations.get(work)?.reason).toMatchObject({ id: 'teamHolding.workTakenOver' })
    expect(() => lost.jobs.changeOrder(job, null)).toThrow(expect.objectContaining({ sentence: expect.objectContaining({ id: 'teamHolding.takenOver' }) }))
    expect(() => lost.jobs.start(job, signal)).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
    expect(await push(lost)).toMatchObject({ stopped: 1 })
    expect(lost.team.status()).toMatchObject({ forks: 1, stopped: [{ jobId: job, why: { id: 'team.fork' } }] })
    expect((await lost.holding.pull(signal)).lost).toEqual([])
    // It stays so after a new start, and it cannot be handed over.
    lost.end()
    const again = await openTeamLaptop({ folder: lost.folder, joining: lost.joining, name: 'Laptop 1', kinds: [silent] })
    onTestFinished(() => again.end())
    expect(again.jobs.show(job).handedOver).toMatchObject({ takenOver: { by: 'Laptop 2' } })
    expect(again.jobs.list({ limit: 10 } as never).jobs).toMatchObject([{ handedOver: { takenOver: { by: 'Laptop 2' } } }])
    expect(await sentence(again.holding.handOver({ jobIds: [job], to: '' }, signal))).toBe('team.fork')
  })

  it('may be taken over back, and is lost anew then, also while it left', async () => {
    const team = newTeam()
    const [one, two] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
    const job = one.makeJob()
    const work = addWork(one, job, 'work')
    await push(one)
    await two.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal)
    await one.holding.pull(signal)
    await one.holding.takeOver({ jobId: job, reason: 'The laptop was found' }, signal)
    expect(isAway(one, job)).toBe(false)
    expect(stateOf(one, work)).toBe('unknown')
    expect((await one.holding.pull(signal)).lost).toEqual([])
    expect((await two.holding.pull(signal)).lost).toMatchObject([{ jobId: job, by: 'Laptop 1', reason: 'The laptop was found' }])
    expect(stateOf(two, work)).toBe('moved')
    // Handed over by a server that it does not reach, and taken over there meanwhile.
    await two.holding.takeOver({ jobId: job, reason: 'Still needed here' }, signal)
    const offer = await (async () => {
      await server.stop('immediate')
      const left = await one.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)
      await server.start()
      return left
    })()
    expect(offer.state).toBe('leaving')
    await one.holding.pull(signal)
    expect(await sentence(one.holding.withdraw(offer.id, signal))).toBe('teamHolding.offerTaken')
    expect(isAway(one, job)).toBe(true)
    expect(await holderOf(job)).toBe('Laptop 2')
  })

  it('works for one that took a handover and was lost before it pushed: the work that went along is there', async () => {
    const team = newTeam()
    const [one, two, three] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2'), await laptop(team, 'Laptop 3')]
    const job = one.makeJob()
    const work = addWork(one, job, 'work')
    const { id } = await one.holding.handOver({ jobIds: [job], to: '' }, signal)
    await two.team.ask((client) => client.query('select fitter.take_offer($1)', [id]))
    await three.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal)
    expect(three.operations.get(work)).toMatchObject({ state: 'unknown', claim: { whenAbsent: 'ask' } })
    expect((await two.holding.pull(signal)).arrived).toEqual([])
  })
})

it('a job that the server gives to somebody else without a word is lost as well, and nothing of it is sent', async () => {
  const team = newTeam()
  const [one] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
  const job = one.makeJob()
  const work = addWork(one, job, 'work')
  await push(one)
  // A server that was set back, and knows no more of how that came about.
  const owner = await server.connect()
  await owner.query("update fitter.job j set holder = l.id from fitter.laptop l where j.id = $1 and l.team_id = j.team_id and l.name = 'Laptop 2'", [job])
  await owner.end()
  one.store.jobs.append(job, [{ type: 'namesGiven', stepId: null, data: { technician: 'Technician One', customer: 'Customer Two' }, at: '2026-03-01T10:00:00.000Z' }], () => one.store.teamPush.summary(job) as never)
  await push(one)
  expect(one.team.status()).toMatchObject({ stopped: [], held: [{ jobId: job }] })
  expect((await one.holding.pull(signal)).lost).toMatchObject([{ jobId: job, by: 'Laptop 2', reason: '' }])
  expect(stateOf(one, work)).toBe('moved')
  expect(isAway(one, job)).toBe(true)
  expect((await one.holding.pull(signal)).lost).toEqual([])
})

describe('A take-over that a server forgot which was set back', () => {
  /** As an older backup has it: the job is with the one from whom it was taken over, and ends there. */
  async function setBack(job: string, to: string, { isKnown } = { isKnown: false }): Promise<void> {
    const owner = await server.connect()
    if (!isKnown) await owner.query("delete from fitter.handover where kind = 'takenOver' and jobs @> jsonb_build_array(jsonb_build_object('id', $1::text))", [job])
    await owner.query("delete from fitter.entry e using fitter.job j where j.id = $1 and e.job_id = j.id and e.seq > (select min(m.seq) - 1 from fitter.entry m where m.job_id = j.id and m.text::json ->> 'type' = 'movedHere')", [job])
    await owner.query('update fitter.job j set head_seq = e.seq, head_hash = e.hash, head_type = $3, holder = l.id, left_in = null, offered_in = null from fitter.entry e, fitter.laptop l where j.id = $1 and e.job_id = j.id and e.seq = (select max(m.seq) from fitter.entry m where m.job_id = j.id) and l.team_id = j.team_id and l.name = $2', [job, to, 'created'])
    await owner.end()
  }

  it('is made again with its reason by whoever went on with the job, and the one from whom it was taken still only reads', async () => {
    const team = newTeam()
    const [lost, by] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
    const job = lost.makeJob()
    const work = addWork(lost, job, 'work')
    await push(lost)
    await by.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal)
    await lost.holding.pull(signal)
    await setBack(job, 'Laptop 1')
    expect(await holderOf(job)).toBe('Laptop 1')

    await push(by)
    expect(by.team.status()).toMatchObject({ waiting: 0, held: [], stopped: [] })
    expect(await holderOf(job)).toBe('Laptop 2')
    expect((await by.holding.pull(signal)).lost).toEqual([])
    expect(isAway(by, job)).toBe(false)
    expect(stateOf(by, work)).toBe('unknown')
    expect((await lost.holding.pull(signal)).lost).toMatchObject([{ jobId: job, by: 'Laptop 2', reason: 'Its laptop was stolen' }])
    expect(isAway(lost, job)).toBe(true)
    expect(stateOf(lost, work)).toBe('moved')
    // What it handed over since goes on as well.
    const { id } = await by.holding.handOver({ jobIds: [job], to: 'Laptop 1' }, signal)
    const owner = await server.connect()
    await owner.query('delete from fitter.handover where id = $1', [id])
    await owner.end()
    await setBack(job, 'Laptop 1')
    await push(by)
    await by.holding.pull(signal)
    await by.holding.goOn(signal)
    expect((await lost.holding.pull(signal)).arrived).toMatchObject([{ jobs: [{ id: job }] }])
    expect(isAway(lost, job)).toBe(false)
    expect(await holderOf(job)).toBe('Laptop 1')
  })

  it('is not made again where the server knows of it and gave the job back since, or where its log went on', async () => {
    const team = newTeam()
    const [one, two] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
    const [known, wentOn] = [one.makeJob(), one.makeJob()]
    await push(one)
    for (const job of [known, wentOn]) await two.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal)
    await setBack(known, 'Laptop 1', { isKnown: true })
    await setBack(wentOn, 'Laptop 1')
    one.store.jobs.append(wentOn, [{ type: 'namesGiven', stepId: null, data: { technician: 'Technician One', customer: 'Customer Two' }, at: '2026-03-01T10:00:00.000Z' }], () => one.store.teamPush.summary(wentOn) as never)
    await push(one)
    await push(two)
    expect(two.team.status()).toMatchObject({ held: [{ jobId: known }], stopped: [{ jobId: wentOn, why: { id: 'team.fork' } }] })
    expect((await two.holding.pull(signal)).lost).toMatchObject([{ jobId: known, by: 'Laptop 1' }])
    for (const job of [known, wentOn]) expect(await holderOf(job)).toBe('Laptop 1')
    // Lost here, it is no longer asked for, also by a server that knows nothing of all that.
    await setBack(known, 'Laptop 1')
    await push(two)
    expect(await holderOf(known)).toBe('Laptop 1')
  })
})

it('a handover that never reached the server is taken over back by whoever gave it, with all of its log', async () => {
  const team = newTeam()
  const [one, two] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
  const job = one.makeJob()
  const work = addWork(one, job, 'work')
  await push(one)
  await two.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal)
  await two.holding.handOver({ jobIds: [job], to: 'Laptop 1' }, signal)
  await one.holding.pull(signal)
  const file = `${tempFolder()}/work.handover`
  await one.transfers.give({ jobIds: [job], to: '', file }, signal)
  // Whoever has the file is lost, and of the leaving nothing was pushed.
  await one.holding.takeOver({ jobId: job, reason: 'The file was lost' }, signal).catch((error: unknown) => expect(error).toMatchObject({ code: 'INVALID_REQUEST' }))
  await push(one)
  expect(await holderOf(job)).toBe('Laptop 1')
  expect(isAway(one, job)).toBe(false)
  expect(stateOf(one, work)).toBe('unknown')
  expect(one.team.status()).toMatchObject({ waiting: 0, stopped: [], held: [] })
})

describe('The gateway work of a job that was taken over', () => {
  it('is found where the lost one had sent it, asked about where it is absent, and sent by neither twice', async () => {
    const team = newTeam()
    const gateway = makeSharedGateway({})
    const at = (name: string) => ({ name, nowMs: gateway.nowMs, kinds: [gateway.kindFor(name)], chooseWaitMs: () => 0 })
    const [lost, by] = [await joinedLaptop(server, team, 'Laptop 1', at('Laptop 1')), await joinedLaptop(server, team, 'Laptop 2', at('Laptop 2'))]
    const job = lost.makeJob()
    const add = (name: string) => lost.operations.add({ kind: 'shared', key: `vehicle:${name}`, title: plainMessage(name), payload: { name }, jobId: job, draft: false }).id
    const sent = add('sent')
    await push(lost)
    await lost.operations.pass(signal)
    const absent = add('absent')
    const owner = await server.connect()
    const before = await owner.query<{ work: string[] }>('select work from fitter.job where id = $1', [job])
    expect(before.rows[0]?.work.map((one) => (JSON.parse(one) as { id: string; state: string }).state)).toEqual(['pending'])
    await owner.end()
    await by.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal)
    expect(by.operations.get(absent)).toBeUndefined()
    gateway.advance(400_000)
    for (let passes = 0; passes < 60; passes += 1) {
      await by.operations.pass(signal)
      gateway.advance(20_000)
    }
    expect(stateOf(by, sent)).toBe('done')
    // The lost one comes back: what nobody was told of is left for a person, and nothing goes out.
    await lost.holding.pull(signal)
    await lost.operations.pass(signal)
    expect(stateOf(lost, absent)).toBe('needsAttention')
    expect(gateway.effects.map(({ name, by: who }) => [name, who])).toEqual([['sent', 'Laptop 1']])

    const second = by.makeJob()
    const never = by.operations.add({ kind: 'shared', key: 'vehicle:never', title: plainMessage('never'), payload: { name: 'never' }, jobId: second, draft: false }).id
    await push(by)
    await lost.holding.takeOver({ jobId: second, reason: 'Its laptop was stolen' }, signal)
    for (let passes = 0; passes < 60; passes += 1) {
      await lost.operations.pass(signal)
      gateway.advance(20_000)
    }
    expect(stateOf(lost, never)).toBe('needsAttention')
    await by.holding.pull(signal)
    await by.operations.pass(signal)
    expect(stateOf(by, never)).toBe('moved')
    expect(gateway.effects).toHaveLength(1)
  })
})

it('what is addressed to a laptop arrives by itself, and what leaves goes on by itself', async () => {
  const team = newTeam()
  const [from, to] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
  const faults: unknown[] = []
  const [there, here] = [from, to].map(({ team: own, holding }) => createTeamBackground({ team: own, holding, changed: () => undefined, reportFault: (fault) => faults.push(fault), gatherMs: 1, pausesMs: [20] }))
  const job = from.makeJob()
  await server.stop('immediate')
  expect(await from.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)).toMatchObject({ state: 'leaving' })
  there?.soon()
  await server.start()
  await vi.waitFor(() => expect(from.team.status()).toMatchObject({ leaving: 0, waiting: 0 }), { timeout: 10_000, interval: 10 })
  here?.renew()
  await vi.waitFor(() => expect(to.told).toMatchObject([{ arrived: [{ jobs: [{ id: job }] }] }]), { timeout: 10_000, interval: 10 })
  expect(await holderOf(job)).toBe('Laptop 2')
  expect(faults).toEqual([])
  await Promise.all([there?.stop(), here?.stop()])
})

describe('Work that goes in a file between two that both joined', () => {
  it('is held by whoever took it, whichever of both pushes first', async () => {
    const team = newTeam()
    for (const first of ['giver', 'taker'] as const) {
      const [giver, taker] = [await laptop(team, `Giver ${first}`), await laptop(team, `Taker ${first}`)]
      const job = giver.makeJob()
      await push(giver)
      const file = `${tempFolder()}/work.handover`
      await giver.transfers.give({ jobIds: [job], to: '', file }, signal)
      await taker.transfers.take(file)
      if (first === 'giver') await push(giver)
      await push(taker)
      if (first === 'taker') {
        expect(taker.team.status()).toMatchObject({ waiting: 1, stopped: [], held: [{ jobId: job, why: { id: 'team.heldByOther' } }] })
        // It waits for the other one: nobody has taken anything from it.
        expect((await taker.holding.pull(signal)).lost).toEqual([])
        await push(giver)
        await push(taker)
      }
      expect(taker.team.status()).toMatchObject({ waiting: 0, held: [], stopped: [] })
      expect(await holderOf(job)).toBe(`Taker ${first}`)
      expect((await giver.holding.pull(signal)).lost).toEqual([])
    }
  })

  it('comes back to whoever takes it back', async () => {
    const team = newTeam()
    const giver = await laptop(team, 'Laptop 1')
    const job = giver.makeJob()
    await giver.transfers.give({ jobIds: [job], to: '', file: `${tempFolder()}/work.handover` }, signal)
    await push(giver)
    expect(await holderOf(job)).toBeNull()
    await giver.transfers.takeBack(job, 'Nobody took it')
    await push(giver)
    expect(giver.team.status()).toMatchObject({ waiting: 0, held: [], stopped: [] })
    expect(await holderOf(job)).toBe('Laptop 1')
  })
})
