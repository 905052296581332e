import { describe, expect, it, onTestFinished } from 'vitest'
import { AppError } from '../../../preload/contract/errors.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { createTeamBackground } from '../../../main/team/background.ts'
import type { TellPictures } from '../../../main/team/reading/fetchPictures.ts'
import { makeSharedGateway } from '../../world/gateway/sharedGateway.ts'
import { attachPicture, joinedLaptop, openTeamLaptop } from '../../world/team/teamLaptop.ts'
import { addWork, isAway, push, sentenceOf, silent, stateOf, teamsOfTest } from '../../world/team/teamsOfTest.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const { server, newTeam, laptop, holderOf } = teamsOfTest()
const signal = new AbortController().signal

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

    expect(await sentenceOf(by.holding.takeOver({ jobId: 'NOSUCHJOB', reason: 'Its laptop was stolen' }, signal))).toBe(
      'jobs.notInLog'
    )
    const taken = await by.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal)
    expect(taken).toMatchObject({ outcome: 'taken', from: 'Laptop 1', jobs: [{ id: job, isTaken: true }] })
    for (const id of [work, later])
      expect(by.operations.get(id)).toMatchObject({ state: 'unknown', claim: { whenAbsent: 'ask', isReadBack: false } })
    expect(by.operations.get(untold)).toBeUndefined()
    expect(by.store.jobs.journal(job).at(-1)).toMatchObject({
      type: 'movedHere',
      data: { from: 'Laptop 1', reason: 'Its laptop was stolen' }
    })
    expect(await holderOf(job)).toBe('Laptop 2')
    expect(await sentenceOf(by.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal))).toBe(
      'transfer.isHere'
    )

    // It went on without knowing, and comes back.
    lost.store.jobs.append(
      job,
      [
        {
          type: 'namesGiven',
          stepId: null,
          data: { technician: 'Technician One', customer: 'Customer Two' },
          at: '2026-03-01T10:00:00.000Z'
        }
      ],
      () => lost.store.teamPush.summary(job) as never
    )
    lost.jobs.reread(job)
    const pulled = await lost.holding.pull(signal)
    expect(pulled.lost).toMatchObject([{ jobId: job, by: 'Laptop 2', reason: 'Its laptop was stolen' }])
    expect(lost.jobs.show(job).handedOver).toMatchObject({
      to: 'Laptop 2',
      takenOver: { by: 'Laptop 2', reason: 'Its laptop was stolen' }
    })
    expect([work, later, untold].map((id) => stateOf(lost, id))).toEqual(['moved', 'moved', 'needsAttention'])
    expect(lost.operations.get(work)?.reason).toMatchObject({ id: 'teamHolding.workTakenOver' })
    expect(() => lost.jobs.changeOrder(job, null)).toThrow(
      expect.objectContaining({ sentence: expect.objectContaining({ id: 'teamHolding.takenOver' }) })
    )
    expect(() => lost.jobs.start(job, signal)).toThrow(expect.objectContaining({ code: 'CONFLICT' }))
    expect(await push(lost)).toMatchObject({ stopped: 1 })
    expect(lost.team.status()).toMatchObject({ forks: 1, stopped: [{ jobId: job, why: { id: 'team.fork' } }] })
    expect((await lost.holding.pull(signal)).lost).toEqual([])
    // It stays so after a new start, and it cannot be handed over.
    lost.end()
    const again = await openTeamLaptop({
      folder: lost.folder,
      joining: lost.joining,
      name: 'Laptop 1',
      kinds: [silent]
    })
    onTestFinished(() => again.end())
    expect(again.jobs.show(job).handedOver).toMatchObject({ takenOver: { by: 'Laptop 2' } })
    expect(again.jobs.list({ limit: 10 } as never).jobs).toMatchObject([
      { handedOver: { takenOver: { by: 'Laptop 2' } } }
    ])
    expect(await sentenceOf(again.holding.handOver({ jobIds: [job], to: '' }, signal))).toBe('team.fork')
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
    expect((await two.holding.pull(signal)).lost).toMatchObject([
      { jobId: job, by: 'Laptop 1', reason: 'The laptop was found' }
    ])
    expect(stateOf(two, work)).toBe('moved')
    // Handed over by a server that it does not reach, and taken over there meanwhile.
    await two.holding.takeOver({ jobId: job, reason: 'Still needed here' }, signal)
    const offer = await (async () => {
      await server().stop('immediate')
      const left = await one.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)
      await server().start()
      return left
    })()
    expect(offer.state).toBe('leaving')
    await one.holding.pull(signal)
    expect(await sentenceOf(one.holding.withdraw(offer.id, signal))).toBe('teamHolding.offerTaken')
    expect(isAway(one, job)).toBe(true)
    expect(await holderOf(job)).toBe('Laptop 2')
  })

  it('works for one that took a handover and was lost before it pushed: the work that went along is there', async () => {
    const team = newTeam()
    const [one, two, three] = [
      await laptop(team, 'Laptop 1'),
      await laptop(team, 'Laptop 2'),
      await laptop(team, 'Laptop 3')
    ]
    const job = one.makeJob()
    const work = addWork(one, job, 'work')
    const { id } = await one.holding.handOver({ jobIds: [job], to: '' }, signal)
    await two.team.ask((client) => client.query('select fitter.take_offer($1)', [id]))
    await three.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal)
    expect(three.operations.get(work)).toMatchObject({ state: 'unknown', claim: { whenAbsent: 'ask' } })
    expect((await two.holding.pull(signal)).arrived).toEqual([])
  })
})

it('a job on which its holder works is not taken over before ten minutes have passed, and that is said', async () => {
  const team = newTeam()
  const [busy, by] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
  const owner = await server().connect()
  await owner.query("update fitter.team set take_over_after = '10 minutes' where name = $1", [team])
  const job = busy.makeJob()
  await push(busy)
  const refused = await by.holding
    .takeOver({ jobId: job, reason: 'It is needed here' }, signal)
    .catch((error: unknown) => error as AppError)
  expect(refused).toMatchObject({
    code: 'CONFLICT',
    sentence: { id: 'teamHolding.atWork', values: { by: 'Laptop 1', agoMin: 1, waitMin: 10 } }
  })
  expect(by.store.teamHolding.takings()).toEqual([])
  expect((await busy.holding.pull(signal)).lost).toEqual([])
  await owner.query("update fitter.job set changed_at = now() - interval '11 minutes' where id = $1", [job])
  await owner.end()
  expect(await by.holding.takeOver({ jobId: job, reason: 'It is needed here' }, signal)).toMatchObject({
    outcome: 'taken',
    from: 'Laptop 1'
  })
})

it('a job that was taken over after the backup stays with whoever took it over, also where the one before gives it first', async () => {
  const team = newTeam()
  const [lost, by] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
  const job = lost.makeJob()
  await push(lost)
  await by.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal)
  await lost.holding.pull(signal)
  const owner = await server().connect()
  await owner.query("update fitter.team set take_over_after = '10 minutes' where name = $1", [team])
  for (const table of ['entry', 'step', 'job_content'])
    await owner.query(`delete from fitter.${table} where job_id = $1`, [job])
  await owner.query("delete from fitter.handover where jobs @> jsonb_build_array(jsonb_build_object('id', $1::text))", [
    job
  ])
  await owner.query('delete from fitter.job where id = $1', [job])
  await owner.end()
  await push(lost)
  expect(await holderOf(job)).toBeNull()
  await push(by)
  expect(await holderOf(job)).toBe('Laptop 2')
  expect(by.team.status()).toMatchObject({ waiting: 0, held: [], stopped: [] })
  expect((await by.holding.pull(signal)).lost).toEqual([])
  expect((await lost.holding.pull(signal)).lost).toMatchObject([
    { jobId: job, by: 'Laptop 2', reason: 'Its laptop was stolen' }
  ])
  expect([isAway(lost, job), isAway(by, job)]).toEqual([true, false])
})

it('a take-over that cannot be finished says why, and keeps neither another one nor what came from its turn', async () => {
  const team = newTeam()
  const [lost, by] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
  const [damaged, whole, handedOver] = [lost.makeJob(), lost.makeJob(), lost.makeJob()]
  await push(lost)
  const owner = await server().connect()
  await owner.query(
    'update fitter.entry set text = replace(text, \'"stepId":null\', \'"stepId":"other"\') where job_id = $1 and seq = 1',
    [damaged]
  )
  await owner.end()
  await lost.holding.handOver({ jobIds: [handedOver], to: 'Laptop 2' }, signal)
  // Begun before, and the answer of the server was lost.
  for (const jobId of [damaged, whole])
    by.store.teamHolding.beginTaking({ jobId, reason: 'Its laptop was stolen', at: '2026-03-01T10:00:00.000Z' })
  const background = createTeamBackground({
    team: by.team,
    holding: by.holding,
    changed: () => undefined,
    reportFault: (fault) => {
      throw fault
    }
  })
  await background.pushNow()
  expect(background.work()).toMatchObject({
    problem: null,
    stopped: [{ jobId: damaged, why: { id: 'transfer.forged' } }]
  })
  await background.stop()
  expect(await holderOf(whole)).toBe('Laptop 2')
  expect([whole, handedOver].map((job) => isAway(by, job))).toEqual([false, false])
})

describe('A take-over with many pictures that breaks off', { timeout: 360_000 }, () => {
  /** Two of three pictures have arrived when it breaks off, and the server has nothing of those two any more. */
  async function breaksOff(
    pictures: readonly string[],
    take: (signal: AbortSignal, tell: TellPictures) => Promise<unknown>
  ): Promise<void> {
    const ending = new AbortController()
    const far: string[] = []
    const broken = take(ending.signal, ({ done, total, doneBytes, totalBytes }) => {
      far.push(`${String(done)}/${String(total)} ${String(doneBytes)}/${String(totalBytes)}`)
      if (done === 2) ending.abort(new AppError('CANCELLED', plainMessage('Stopped')))
    })
    await expect(broken).rejects.toThrow()
    expect(far).toEqual(['0/3 0/900000', '1/3 300000/900000', '2/3 600000/900000'])
    const owner = await server().connect()
    const { rows } = await owner.query<{ sha256: string }>(
      'select sha256 from fitter.content where sha256 = any ($1)',
      [pictures]
    )
    expect(rows).toHaveLength(3)
    arrivedFirst = []
    for (const sha256 of pictures)
      if (await by.store.attachments.find({ sha256, sizeBytes: 300_000 })) arrivedFirst.push(sha256)
    await owner.query("update fitter.piece set bytes = '\\x01' where sha256 = any ($1)", [arrivedFirst])
    await owner.end()
    expect(arrivedFirst).toHaveLength(2)
  }
  let by: Awaited<ReturnType<typeof laptop>>
  let arrivedFirst: string[]

  it('goes on where it stood, and does not fetch again what has arrived', async () => {
    const team = newTeam()
    const lost = await laptop(team, 'Laptop 1')
    by = await laptop(team, 'Laptop 2')
    const [given, job] = [lost.makeJob(), lost.makeJob()]
    const ofGiven = [
      await attachPicture(lost, given, 1),
      await attachPicture(lost, given, 2),
      await attachPicture(lost, given, 3)
    ]
    const ofJob = [
      await attachPicture(lost, job, 4),
      await attachPicture(lost, job, 5),
      await attachPicture(lost, job, 6)
    ]
    await push(lost)
    const { id } = await lost.holding.handOver({ jobIds: [given], to: '' }, signal)

    await breaksOff(ofGiven, (ending, tell) => by.holding.takeOffer(id, ending, tell))
    expect((await by.holding.offers(signal)).offers).toMatchObject([{ id, state: 'open' }])
    expect(await by.holding.takeOffer(id, signal)).toMatchObject({ outcome: 'taken', attachments: 3 })

    await breaksOff(ofJob, (ending, tell) =>
      by.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, ending, tell)
    )
    // It goes on by itself.
    await by.holding.goOn(signal)
    for (const sha256 of [...ofGiven, ...ofJob]) expect(by.store.attachments.read(sha256)).toHaveLength(300_000)
    expect([given, job].map((one) => isAway(by, one))).toEqual([false, false])
  })
})

it('a picture that is damaged at the server keeps no job from being taken over', async () => {
  const team = newTeam()
  const [lost, by] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
  const job = lost.makeJob()
  const [first, second] = [await attachPicture(lost, job, 1), await attachPicture(lost, job, 2)]
  await push(lost)
  const owner = await server().connect()
  await owner.query("update fitter.piece set bytes = '\\x01' where sha256 = $1", [first])
  await owner.end()
  expect(await by.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal)).toMatchObject({
    outcome: 'taken'
  })
  expect([first, second].map((sha256) => by.store.attachments.has(sha256))).toEqual([false, true])
})

it('a job that the server gives to somebody else without a word is lost as well, and nothing of it is sent', async () => {
  const team = newTeam()
  const [one] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
  const job = one.makeJob()
  const work = addWork(one, job, 'work')
  await push(one)
  // A server that was set back, and knows no more of how that came about.
  const owner = await server().connect()
  await owner.query(
    "update fitter.job j set holder = l.id from fitter.laptop l where j.id = $1 and l.team_id = j.team_id and l.name = 'Laptop 2'",
    [job]
  )
  await owner.end()
  one.store.jobs.append(
    job,
    [
      {
        type: 'namesGiven',
        stepId: null,
        data: { technician: 'Technician One', customer: 'Customer Two' },
        at: '2026-03-01T10:00:00.000Z'
      }
    ],
    () => one.store.teamPush.summary(job) as never
  )
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
    const owner = await server().connect()
    if (!isKnown)
      await owner.query(
        "delete from fitter.handover where kind = 'takenOver' and jobs @> jsonb_build_array(jsonb_build_object('id', $1::text))",
        [job]
      )
    await owner.query(
      "delete from fitter.entry e using fitter.job j where j.id = $1 and e.job_id = j.id and e.seq > (select min(m.seq) - 1 from fitter.entry m where m.job_id = j.id and m.text::json ->> 'type' = 'movedHere')",
      [job]
    )
    await owner.query(
      'update fitter.job j set head_seq = e.seq, head_hash = e.hash, head_type = $3, holder = l.id, left_in = null, offered_in = null from fitter.entry e, fitter.laptop l where j.id = $1 and e.job_id = j.id and e.seq = (select max(m.seq) from fitter.entry m where m.job_id = j.id) and l.team_id = j.team_id and l.name = $2',
      [job, to, 'created']
    )
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
    expect((await lost.holding.pull(signal)).lost).toMatchObject([
      { jobId: job, by: 'Laptop 2', reason: 'Its laptop was stolen' }
    ])
    expect(isAway(lost, job)).toBe(true)
    expect(stateOf(lost, work)).toBe('moved')
    // What it handed over since goes on as well.
    const { id } = await by.holding.handOver({ jobIds: [job], to: 'Laptop 1' }, signal)
    const owner = await server().connect()
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

  it('is made by a person where the job was handed over after the backup, and whoever gave it is gone', async () => {
    const team = newTeam()
    const [giver, by, other] = [
      await laptop(team, 'Laptop 1'),
      await laptop(team, 'Laptop 2'),
      await laptop(team, 'Laptop 3')
    ]
    const job = giver.makeJob()
    const work = addWork(giver, job, 'work')
    await push(giver)
    const { id } = await giver.holding.handOver({ jobIds: [job], to: 'Laptop 2' }, signal)
    await by.holding.pull(signal)
    const owner = await server().connect()
    await owner.query('delete from fitter.handover where id = $1', [id])
    await owner.query(
      "delete from fitter.entry e using fitter.job j where j.id = $1 and e.job_id = j.id and e.seq >= (select min(m.seq) from fitter.entry m where m.job_id = j.id and m.text::json ->> 'type' = 'movedAway')",
      [job]
    )
    await owner.query(
      'update fitter.job j set head_seq = e.seq, head_hash = e.hash, head_type = $2, holder = l.id, left_in = null, offered_in = null from fitter.entry e, fitter.laptop l where j.id = $1 and e.job_id = j.id and e.seq = (select max(m.seq) from fitter.entry m where m.job_id = j.id) and l.team_id = j.team_id and l.name = $3',
      [job, 'created', 'Laptop 1']
    )
    await owner.end()
    await push(by)
    expect(by.team.status()).toMatchObject({ held: [{ jobId: job, why: { id: 'team.heldByOther' } }] })
    expect(await by.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal)).toMatchObject({
      outcome: 'taken',
      from: 'Laptop 1',
      jobs: [{ id: job, isTaken: true }]
    })
    expect(by.team.status()).toMatchObject({ waiting: 0, held: [], stopped: [] })
    expect(await holderOf(job)).toBe('Laptop 2')
    expect([isAway(by, job), stateOf(by, work)]).toEqual([false, 'unknown'])
    expect(await other.team.open(job)).toMatchObject({ holder: 'Laptop 2', forks: [] })
  })

  it('is not made again where the server knows of it and gave the job back since, or where its log went on', async () => {
    const team = newTeam()
    const [one, two] = [await laptop(team, 'Laptop 1'), await laptop(team, 'Laptop 2')]
    const [known, wentOn] = [one.makeJob(), one.makeJob()]
    await push(one)
    for (const job of [known, wentOn])
      await two.holding.takeOver({ jobId: job, reason: 'Its laptop was stolen' }, signal)
    await setBack(known, 'Laptop 1', { isKnown: true })
    await setBack(wentOn, 'Laptop 1')
    one.store.jobs.append(
      wentOn,
      [
        {
          type: 'namesGiven',
          stepId: null,
          data: { technician: 'Technician One', customer: 'Customer Two' },
          at: '2026-03-01T10:00:00.000Z'
        }
      ],
      () => one.store.teamPush.summary(wentOn) as never
    )
    await push(one)
    await push(two)
    expect(two.team.status()).toMatchObject({
      held: [{ jobId: known }],
      stopped: [{ jobId: wentOn, why: { id: 'team.fork' } }]
    })
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
  await one.holding
    .takeOver({ jobId: job, reason: 'The file was lost' }, signal)
    .catch((error: unknown) => expect(error).toMatchObject({ code: 'INVALID_REQUEST' }))
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
    const [lost, by] = [
      await joinedLaptop(server(), team, 'Laptop 1', at('Laptop 1')),
      await joinedLaptop(server(), team, 'Laptop 2', at('Laptop 2'))
    ]
    const job = lost.makeJob()
    const add = (name: string) =>
      lost.operations.add({
        kind: 'shared',
        key: `vehicle:${name}`,
        title: plainMessage(name),
        payload: { name },
        jobId: job,
        draft: false
      }).id
    const sent = add('sent')
    await push(lost)
    await lost.operations.pass(signal)
    const absent = add('absent')
    const owner = await server().connect()
    const before = await owner.query<{ work: string[] }>('select work from fitter.job where id = $1', [job])
    expect(before.rows[0]?.work.map((one) => (JSON.parse(one) as { id: string; state: string }).state)).toEqual([
      'pending'
    ])
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
    const never = by.operations.add({
      kind: 'shared',
      key: 'vehicle:never',
      title: plainMessage('never'),
      payload: { name: 'never' },
      jobId: second,
      draft: false
    }).id
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
