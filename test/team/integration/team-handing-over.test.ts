import { describe, expect, it, vi } from 'vitest'
import { verifyChain } from '../../../main/data/store/jobs/seal.ts'
import { createTeamBackground } from '../../../main/team/background.ts'
import { attachPicture, invitation, openTeamLaptop, type TeamLaptop } from '../../world/team/teamLaptop.ts'
import { addWork, isAway, push, sentenceOf, silent, stateOf, teamsOfTest } from '../../world/team/teamsOfTest.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const { server, newTeam, laptop, holderOf } = teamsOfTest()
const signal = new AbortController().signal

describe('Handing over through the team log', () => {
  it('moves a job with its gateway work to the laptop of that name, and leaves nothing that could run behind', async () => {
    const team = newTeam()
    const [from, to] = [await laptop(team, 'Laptop 1', { technician: '' }), await laptop(team, 'Laptop 2')]
    const job = from.makeJob()
    const work = addWork(from, job, 'first')
    const picture = await attachPicture(from, job, 1)

    const offer = await from.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)
    expect(offer).toMatchObject({
      state: 'open',
      to: 'Laptop 2',
      direction: 'mine',
      operations: 1,
      jobs: [{ id: job, vehicle: 'Vehicle One' }]
    })
    expect(stateOf(from, work)).toBe('moved')
    expect(from.jobs.show(job).handedOver).toMatchObject({ to: 'Laptop 2', through: 'team' })
    // Again it is the same offer; no file of it is made, and nobody takes it back past the server.
    expect(await from.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)).toMatchObject({
      id: offer.id,
      state: 'open'
    })
    expect(await sentenceOf(from.transfers.give({ jobIds: [job], to: '', file: `${tempFolder()}/file` }, signal))).toBe(
      'teamHolding.isInTeamLog'
    )
    expect(await sentenceOf(from.transfers.takeBack(job, 'It was a mistake'))).toBe('teamHolding.isInTeamLog')

    const pulled = await to.holding.pull(signal)
    expect(pulled).toMatchObject({
      arrived: [
        {
          outcome: 'taken',
          from: 'Laptop 1',
          jobs: [{ id: job, isTaken: true }],
          operations: [{ id: work, state: 'unknown' }]
        }
      ],
      lost: [],
      offers: []
    })
    expect(to.told).toHaveLength(1)
    expect(isAway(to, job)).toBe(false)
    expect(to.operations.get(work)).toMatchObject({
      state: 'unknown',
      payload: { b: 1, name: 'first', a: 2.5 },
      claim: { whenAbsent: 'send', isReadBack: false }
    })
    expect(to.store.attachments.read(picture)).toEqual(from.store.attachments.read(picture))
    expect(verifyChain(job, to.store.jobs.journal(job))).toEqual({ ok: true })
    expect(await holderOf(job)).toBe('Laptop 2')
    expect((await to.holding.pull(signal)).arrived).toEqual([])
    // The sender hears who has it, and it may come back the same way.
    expect((await from.holding.pull(signal)).offers).toMatchObject([
      { id: offer.id, state: 'taken', takenBy: 'Laptop 2' }
    ])
    await to.holding.handOver({ jobIds: [job], to: 'Laptop 1' }, signal)
    expect((await from.holding.pull(signal)).arrived).toMatchObject([{ outcome: 'taken', jobs: [{ id: job }] }])
    expect(isAway(from, job)).toBe(false)
    expect(stateOf(from, work)).toBe('unknown')
  })

  it('to whoever takes it goes to exactly one, who named it', async () => {
    const team = newTeam()
    const [from, ...others] = [
      await laptop(team, 'Laptop 1'),
      await laptop(team, 'Laptop 2'),
      await laptop(team, 'Laptop 3')
    ]
    const job = from.makeJob()
    const { id } = await from.holding.handOver({ jobIds: [job], to: '' }, signal)
    for (const other of others)
      expect(await other.holding.pull(signal)).toMatchObject({
        arrived: [],
        offers: [
          { id, direction: 'toAnybody', state: 'open', jobs: [{ id: job, customer: 'Customer One' }], operations: 0 }
        ]
      })
    const taken = await Promise.allSettled(others.map((other) => other.holding.pull(signal, [id])))
    expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(others.filter((other) => other.store.jobs.journal(job).length > 0)).toHaveLength(1)
    expect(await sentenceOf(from.holding.withdraw(id, signal))).toBe('teamHolding.offerTaken')
    expect(isAway(from, job)).toBe(true)
  })

  it('leaves without the server as soon as it is reached, and can be withdrawn as long as nobody took it', async () => {
    const team = newTeam()
    const [from, to] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
    const [first, second, third] = [from.makeJob(), from.makeJob(), from.makeJob()]
    await server().stop('immediate')
    const leaving = await from.holding.handOver({ jobIds: [first], to: 'Laptop 2' }, signal)
    expect(leaving).toMatchObject({ state: 'leaving', why: { id: 'team.away' } })
    expect(from.team.status()).toMatchObject({ leaving: 1 })
    expect(isAway(from, first)).toBe(true)
    const mistaken = await from.holding.handOver({ jobIds: [second], to: '' }, signal)
    // The server cannot know of it: it comes back at once.
    expect(await from.holding.withdraw(mistaken.id, signal)).toMatchObject({
      isBack: true,
      offer: { state: 'withdrawn' }
    })
    expect(isAway(from, second)).toBe(false)
    const nowhere = await from.holding.handOver({ jobIds: [third], to: 'Laptop 9' }, signal)
    expect(await from.holding.offers(signal)).toMatchObject({
      offers: [{ state: 'leaving' }, { state: 'withdrawn' }, { state: 'leaving' }],
      why: { id: 'team.away' }
    })
    await server().start()
    await from.holding.goOn(signal)
    // Nobody of that name is there: it is told, and it stays somebody's.
    expect((await from.holding.offers(signal)).offers[0]).toMatchObject({
      id: nowhere.id,
      state: 'leaving',
      why: { id: 'teamHolding.noSuchLaptop' }
    })
    expect(await from.holding.withdraw(nowhere.id, signal)).toMatchObject({ isBack: true })
    expect(isAway(from, third)).toBe(false)
    expect(from.team.status()).toMatchObject({ leaving: 0 })
    expect(await to.holding.pull(signal)).toMatchObject({ arrived: [{ jobs: [{ id: first }] }] })

    const open = await from.holding.handOver({ jobIds: [second], to: 'Laptop 2' }, signal)
    expect(await sentenceOf(from.holding.handOver({ jobIds: [from.makeJob()], to: 'Laptop 9' }, signal))).toBe(
      'teamHolding.noSuchLaptop'
    )
    await server().stop('immediate')
    // The server may have given it to somebody meanwhile: it is asked first.
    expect(await from.holding.withdraw(open.id, signal)).toMatchObject({
      isBack: false,
      offer: { state: 'withdrawing' }
    })
    expect(isAway(from, second)).toBe(true)
    await server().start()
    await from.holding.goOn(signal)
    expect(isAway(from, second)).toBe(false)
    expect((await to.holding.pull(signal)).arrived).toEqual([])
    await push(from)
    expect(await holderOf(second)).toBe('Laptop 1')
  })
})

it('of several jobs of which somebody took one over, the others come back when the offer is withdrawn', async () => {
  const team = newTeam()
  const [from, gone, third] = [
    await laptop(team, 'Laptop 1'),
    await laptop(team, 'Laptop 2'),
    await laptop(team, 'Laptop 3')
  ]
  const [taken, left] = [from.makeJob(), from.makeJob()]
  const work = addWork(from, left, 'work')
  const { id } = await from.holding.handOver({ jobIds: [taken, left], to: 'Laptop 2' }, signal)
  await gone.team.leave()
  await third.holding.takeOver({ jobId: taken, reason: 'Its laptop was stolen' }, signal)
  expect(await from.holding.withdraw(id, signal)).toMatchObject({ isBack: true, offer: { state: 'withdrawn' } })
  expect([taken, left].map((job) => isAway(from, job))).toEqual([true, false])
  expect(stateOf(from, work)).toBe('unknown')
  await push(from)
  expect([await holderOf(taken), await holderOf(left)]).toEqual(['Laptop 3', 'Laptop 1'])
  await from.holding.pull(signal)
  expect([taken, left].map((job) => isAway(from, job))).toEqual([true, false])
})

class Crash extends Error {}

/** Does `work` on a laptop whose process dies at the n-th instant; whether it died. */
async function diesAt(
  n: number,
  open: (instant: () => void) => Promise<TeamLaptop>,
  work: (laptop: TeamLaptop) => Promise<unknown>
): Promise<boolean> {
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

describe('A process that dies at any instant', { tags: ['long'], timeout: 1_200_000 }, () => {
  const every = Number(process.env['FITTER_TEAM_EVERY'] ?? 29)

  it('of handing over or withdrawing has its job here or there, and never twice', async () => {
    const team = newTeam()
    const to = await laptop(team, 'Laptop 2')
    const joining = await invitation(server(), team, 'Laptop 1')
    const folder = tempFolder()
    const open = (instant?: () => void) =>
      openTeamLaptop({ folder, joining, name: 'Laptop 1', kinds: [silent], ...(instant ? { instant } : {}) })
    const lived = new Set<string>()
    for (const [n, act] of instants(every, lived)) {
      const before = await open()
      const job = before.makeJob()
      const work = addWork(before, job, 'work')
      const given = act === 'withdraw' ? await before.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal) : null
      before.end()
      const hasDied = await diesAt(n, open, ({ holding }) =>
        given ? holding.withdraw(given.id, signal) : holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)
      )
      const after = await open()
      await push(after)
      await after.holding.goOn(signal)
      const { arrived } = await to.holding.pull(signal)
      await after.holding.pull(signal)
      const isHere = !isAway(after, job)
      expect({ n, act, arrived: arrived.length, work: stateOf(after, work), there: stateOf(to, work) }).toEqual({
        n,
        act,
        arrived: isHere ? 0 : 1,
        work: isHere ? (given ? 'unknown' : 'pending') : 'moved',
        there: isHere ? undefined : 'unknown'
      })
      await push(after)
      expect(await holderOf(job)).toBe(isHere ? 'Laptop 1' : 'Laptop 2')
      after.end()
      if (!hasDied) lived.add(act)
    }
  })

  it('of pulling or taking over has the job once, and its holder has it here', async () => {
    const team = newTeam()
    const from = await laptop(team, 'Laptop 1')
    const joining = await invitation(server(), team, 'Laptop 2')
    const folder = tempFolder()
    const open = (instant?: () => void) =>
      openTeamLaptop({ folder, joining, name: 'Laptop 2', kinds: [silent], ...(instant ? { instant } : {}) })
    const lived = new Set<string>()
    for (const [n, act] of instants(every, lived)) {
      const job = from.makeJob()
      const work = addWork(from, job, 'work')
      await push(from)
      if (act === 'give') await from.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)
      const hasDied = await diesAt(n, open, ({ holding }) =>
        act === 'give'
          ? holding.pull(signal)
          : holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal)
      )
      const after = await open()
      await after.holding.goOn(signal)
      await after.holding.pull(signal)
      const isTaken = after.store.jobs.journal(job).length > 0
      expect({ n, act, holder: await holderOf(job), isTaken }).toEqual({
        n,
        act,
        holder: isTaken ? 'Laptop 2' : 'Laptop 1',
        isTaken
      })
      if (act === 'give') expect(isTaken).toBe(true)
      if (isTaken) {
        expect(after.store.jobs.journal(job).filter(({ type }) => type === 'movedHere')).toHaveLength(1)
        expect(after.operations.ofJob(job).map(({ id, state }) => [id, state])).toEqual([[work, 'unknown']])
        await from.holding.pull(signal)
        expect({ n, act, state: stateOf(from, work), isAway: isAway(from, job) }).toEqual({
          n,
          act,
          state: 'moved',
          isAway: true
        })
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

it('what is addressed to a laptop arrives by itself, and what leaves goes on by itself', async () => {
  const team = newTeam()
  const [from, to] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
  const faults: unknown[] = []
  const [there, here] = [from, to].map(({ team: own, holding }) =>
    createTeamBackground({
      team: own,
      holding,
      changed: () => undefined,
      reportFault: (fault) => faults.push(fault),
      gatherMs: 1,
      pausesMs: [20]
    })
  )
  const job = from.makeJob()
  await server().stop('immediate')
  expect(await from.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)).toMatchObject({ state: 'leaving' })
  there?.soon()
  await server().start()
  await vi.waitFor(() => expect(from.team.status()).toMatchObject({ leaving: 0, waiting: 0 }), {
    timeout: 45_000,
    interval: 10
  })
  here?.renew()
  await vi.waitFor(() => expect(to.told).toMatchObject([{ arrived: [{ jobs: [{ id: job }] }] }]), {
    timeout: 45_000,
    interval: 10
  })
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
        expect(taker.team.status()).toMatchObject({
          waiting: 1,
          stopped: [],
          held: [{ jobId: job, why: { id: 'team.heldByOther' } }]
        })
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
