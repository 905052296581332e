import { describe, expect, it } from 'vitest'
import { createArriving } from '../../../main/team/holding/pull.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import { refusalOf, type HoldingBench } from '../../world/team/holdingBench.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import {
  holdings,
  jobThere,
  nothing,
  offered,
  openPulling,
  type JobThere,
  type Offer
} from '../../world/team/pullBench.ts'

describe('A job that somebody took over', () => {
  const lost = (job: string, more: object = {}) =>
    holdings({
      lost: [
        {
          job_id: job,
          holder_name: 'Laptop 2',
          at: new Date('2026-11-20T08:00:00.000Z'),
          reason: 'lost',
          head_seq: '1',
          ...more
        }
      ]
    })

  it('is read-only here, and its gateway work goes on there or was left', async () => {
    const { bench, arriving } = openPulling()
    const job = bench.makeJob()
    const [told, untold] = [bench.addWork(job, 'told'), bench.addWork(job, 'untold')]
    bench.store.teamPush.acknowledge(job, { seq: 1, hash: 'x' }, { moved: 1, operations: [told] })
    expect(await arriving.lose(lost(job))).toEqual([
      { jobId: job, by: 'Laptop 2', at: '2026-11-20T08:00:00.000Z', reason: 'lost' }
    ])
    expect(bench.isAway(job)).toBe(true)
    expect(bench.store.jobs.lostOf(job)).toMatchObject({
      by: 'Laptop 2',
      at: '2026-11-20T08:00:00.000Z',
      reason: 'lost'
    })
    expect([told, untold].map((id) => [bench.operations.get(id)?.state, bench.operations.get(id)?.reason])).toEqual([
      ['moved', message('teamHolding.workTakenOver', { by: 'Laptop 2', told: 'yes', reason: 'lost' })],
      [expect.any(String), message('teamHolding.notTakenAlong', { by: 'Laptop 2' })]
    ])
    // The server says it each time.
    expect(await arriving.lose(lost(job))).toEqual([])
  })

  it('says no reason where none was given', async () => {
    const { bench, arriving } = openPulling()
    const job = bench.makeJob()
    const told = bench.addWork(job, 'told')
    bench.store.teamPush.acknowledge(job, { seq: 1, hash: 'x' }, { moved: 1, operations: [told] })
    await arriving.lose(lost(job, { reason: '' }))
    expect(bench.operations.get(told)?.reason).toEqual(
      message('teamHolding.workTakenOver', { by: 'Laptop 2', told: 'no', reason: '' })
    )
  })

  it('lets its work go on when it could not be locked', async () => {
    const { bench } = openPulling()
    const job = bench.makeJob()
    let release = 0
    bench.parts.operations = {
      ...bench.operations,
      stopAtOnce: async (ids) => {
        const go = await bench.operations.stopAtOnce(ids)
        return () => ((release += 1), go())
      }
    }
    bench.parts.jobs = { ...bench.jobs, lose: () => Promise.reject(new Error('broken')) }
    const work = bench.addWork(job, 'first')
    expect(await refusalOf(createArriving(bench.parts).lose(lost(job)))).toBe('Error: broken')
    expect(release).toBe(1)
    // The gateway work was given up before: it could have been sent at any moment.
    expect(bench.operations.get(work)?.reason).toEqual(message('teamHolding.notTakenAlong', { by: 'Laptop 2' }))
  })

  it('takes along gateway work that was added while it was being locked, and tells of all of it', async () => {
    const { bench } = openPulling()
    const job = bench.makeJob()
    const early = bench.addWork(job, 'early')
    let late = ''
    const moved: (readonly string[])[] = []
    bench.parts.jobs = {
      ...bench.jobs,
      lose: (jobs, mark) => ((late = bench.addWork(job, 'late')), bench.jobs.lose(jobs, mark))
    }
    bench.parts.operations = { ...bench.operations, moved: (ids) => (moved.push(ids), bench.operations.moved(ids)) }
    await createArriving(bench.parts).lose(lost(job))
    expect(bench.operations.get(late)?.reason).toEqual(message('teamHolding.notTakenAlong', { by: 'Laptop 2' }))
    expect(moved.map((ids) => [...ids].sort())).toEqual([[early, late].sort()])
  })

  it('is none where nothing of it is here, or where it has returned since', async () => {
    const { bench, arriving, journal } = openPulling()
    expect(await arriving.lose(lost('unknown'))).toEqual([])
    const job = bench.makeJob()
    const seq = journal(job).length
    bench.store.jobs.append(
      job,
      [{ type: 'movedHere', stepId: null, data: { isTakenOver: true }, at: '2026-03-01T10:00:00.000Z' }],
      () => bench.store.teamPush.summary(job)!
    )
    expect(await arriving.lose(lost(job, { head_seq: String(seq) }))).toEqual([])
  })

  it.each<[string, unknown, string]>([
    ['another entry', { isTakenOver: true }, 'evidence'],
    ['a hand-over', { isTakenOver: false }, 'movedHere'],
    ['an entry without data', null, 'movedHere']
  ])('was lost although %s follows', async (_, data, type) => {
    const { bench, journal } = openPulling()
    const job = bench.makeJob()
    const seq = journal(job).length
    bench.store.jobs.append(
      job,
      [{ type, stepId: type === 'evidence' ? 'ignition' : null, data: data as never, at: '2026-03-01T10:00:00.000Z' }],
      () => bench.store.teamPush.summary(job)!
    )
    bench.parts.jobs = { ...bench.jobs, lose: () => Promise.resolve() as never }
    expect(await createArriving(bench.parts).lose(lost(job, { head_seq: String(seq) }))).toHaveLength(1)
  })

  it('is lost again by a later take-over, and settled for good by what was settled', async () => {
    const { bench, arriving } = openPulling()
    const job = bench.makeJob()
    await arriving.lose(lost(job))
    expect(await arriving.lose(lost(job, { at: new Date('2026-11-20T08:30:00.000Z') }))).toHaveLength(1)
    const settled = { jobId: job, by: 'Laptop 2', at: '2026-11-20T08:45:00.000Z', reason: '', isSettled: true }
    bench.parts.store = { ...bench.store, jobs: { ...bench.store.jobs, lostOf: () => settled } } as never
    const other = createArriving(bench.parts)
    expect(await other.lose(lost(job, { at: new Date('2026-11-20T08:40:00.000Z') }))).toEqual([])
    expect(await other.lose(lost(job, { at: new Date('2026-11-20T08:50:00.000Z') }))).toHaveLength(1)
  })

  it('ends the hand-over of this job alone', async () => {
    const { bench, arriving } = openPulling()
    const [one, two, three] = [bench.makeJob('One'), bench.makeJob('Two'), bench.makeJob('Three')]
    const leave = (jobIds: string[]) =>
      bench.transfers.leave({ jobIds, to: '' }, ({ head }) =>
        bench.store.teamHolding.beginOffer({ id: head.id, at: head.at, to: '' })
      )
    const [alone, together] = [await leave([one]), await leave([two, three])]
    for (const job of [one, two]) await arriving.lose(lost(job))
    expect(bench.store.teamHolding.offer(alone)).toMatchObject({ state: 'taken', takenBy: 'Laptop 2' })
    expect(bench.store.teamHolding.offer(together)).toMatchObject({ state: 'leaving' })
  })

  describe('by what the server holds alone', () => {
    async function held(
      more: Partial<JobThere> = {},
      prepare: (bench: HoldingBench, job: string) => unknown = () => undefined
    ) {
      const { bench, arriving, journal } = openPulling()
      const job = bench.makeJob()
      const head = journal(job).at(-1)?.hash ?? ''
      bench.store.teamPush.hold(job, message('team.heldByOther'))
      await prepare(bench, job)
      return arriving.lose(holdings({ jobs: new Map([jobThere(job, { head_hash: head, ...more })]) }))
    }

    it('is lost where another laptop has it, and its log is the beginning of ours', async () => {
      expect(await held()).toMatchObject([{ by: 'Laptop 2', at: '2026-11-20T09:00:00.000Z', reason: '' }])
    })

    it.each<[string, Partial<JobThere>]>([
      ['this laptop has it', { is_mine: true }],
      ['nobody has it', { holder: '' }],
      ['its log is another one', { head_hash: 'other' }]
    ])('is not lost where %s', async (_, more) => {
      expect(await held(more)).toEqual([])
    })

    it('is lost where its log went on here, and where it left before that', async () => {
      for (const types of [
        ['jobPaused', 'jobResumed'],
        ['movedAway', 'movedHere']
      ]) {
        const { bench, journal } = openPulling()
        const job = bench.makeJob()
        bench.store.teamPush.hold(job, message('team.heldByOther'))
        bench.parts.jobs = { ...bench.jobs, lose: () => Promise.resolve() as never }
        for (const type of types)
          bench.store.jobs.append(job, [{ type, stepId: null, data: {}, at: '2026-03-01T10:00:00.000Z' }], () =>
            bench.store.teamPush.summary(job)!
          )
        const heads = types[0] === 'movedAway' ? journal(job).slice(-2) : journal(job).slice(0, -2)
        for (const { hash } of heads)
          expect(
            await createArriving(bench.parts).lose(holdings({ jobs: new Map([jobThere(job, { head_hash: hash })]) }))
          ).toHaveLength(1)
      }
    })

    it('is not lost where it left after that, or was lost before', async () => {
      expect(
        await held({}, (bench, job) =>
          bench.transfers.give({ jobIds: [job], to: '', file: `${tempFolder()}/file` }, bench.signal)
        )
      ).toEqual([])
      expect(await held({}, (bench, job) => createArriving(bench.parts).lose(lost(job)))).toEqual([])
    })

    it('is told once where both say it', async () => {
      const { bench, arriving, journal } = openPulling()
      const [job, other] = [bench.makeJob(), bench.makeJob()]
      for (const one of [job, other]) bench.store.teamPush.hold(one, message('team.heldByOther'))
      const jobs = new Map([job, other].map((one) => jobThere(one, { head_hash: journal(one).at(-1)?.hash ?? '' })))
      expect((await arriving.lose({ ...lost(job), jobs })).map(({ jobId, reason }) => [jobId, reason])).toEqual([
        [job, 'lost'],
        [other, '']
      ])
    })

    it('is not lost where the server does not show it', async () => {
      const { bench, arriving } = openPulling()
      bench.store.teamPush.hold(bench.makeJob(), message('team.heldByOther'))
      expect(await arriving.lose(nothing)).toEqual([])
    })
  })
})

describe('An offer of this laptop', () => {
  async function own(state: 'open' | 'leaving' = 'open', jobs = 1) {
    const { bench, arriving } = openPulling()
    const ids = Array.from({ length: jobs }, (_, n) => bench.makeJob(`Vehicle ${String(n)}`))
    const id = await bench.transfers.leave({ jobIds: ids, to: '' }, ({ head }) =>
      bench.store.teamHolding.beginOffer({ id: head.id, at: head.at, to: '' })
    )
    if (state === 'open') bench.store.teamHolding.moveOffer(id, 'open')
    const { at } = bench.store.teamHolding.offer(id)!
    const { offer } = await offered()
    const row = (more: Partial<Offer>): Offer => ({
      ...offer,
      id,
      is_from_me: true,
      jobs: bench.transfers.content(id).content.jobs,
      ...more
    })
    return { bench, arriving, ids, id, at, row, state: () => bench.store.teamHolding.offer(id) }
  }

  it('was taken', async () => {
    const { arriving, row, state } = await own()
    arriving.learn(holdings({ offers: [row({ state: 'taken', taken_by_name: 'Laptop 2' })] }))
    expect(state()).toMatchObject({ state: 'taken', takenBy: 'Laptop 2' })
  })

  it('is as it was while the server has it', async () => {
    const { arriving, row, state } = await own()
    arriving.learn(holdings({ offers: [row({})] }))
    expect(state()).toMatchObject({ state: 'open' })
  })

  it('was withdrawn there: what nobody else has is back', async () => {
    const { bench, arriving, row, state, ids } = await own('open', 4)
    arriving.learn(
      holdings({
        offers: [row({ state: 'withdrawn' })],
        jobs: new Map([jobThere(ids[0]!), jobThere(ids[1]!, { holder: '' }), jobThere(ids[2]!, { is_mine: true })])
      })
    )
    expect(state()).toMatchObject({ state: 'withdrawn' })
    // The server shows nothing of the last one.
    expect(ids.map((job) => bench.isAway(job))).toEqual([true, false, false, false])
  })

  it('that a restored server lost is sent again, for as long as it is listed', async () => {
    const { bench, arriving, state, at, row } = await own()
    const days = (n: number) => new Date(Date.parse(at) + n * 24 * 3_600_000)
    bench.parts.now = () => days(80)
    createArriving(bench.parts).learn(nothing)
    expect(state()).toMatchObject({ state: 'open' })
    createArriving({ ...bench.parts, now: () => new Date(days(80).getTime() - 1) }).learn(
      holdings({ offers: [row({ is_from_me: false, state: 'taken' })] })
    )
    expect(state()).toMatchObject({ state: 'leaving' })
    arriving.learn(holdings({ offers: [row({ state: 'taken', taken_by_name: 'Laptop 2' })] }))
    // Only what is open is looked at.
    expect(state()).toMatchObject({ state: 'leaving' })
  })
})

describe('The list of offers', () => {
  it('shows those of others, with what is known of their jobs', async () => {
    const { arriving } = openPulling()
    const { offer } = await offered({
      jobs: [
        { id: 'a', seq: 1, hash: '', operations: 2 },
        { id: 'b', seq: 1, hash: '', operations: 1 }
      ]
    })
    const seen = holdings({
      offers: [
        offer,
        {
          ...offer,
          id: 'second',
          to_name: '',
          state: 'taken',
          taken_by_name: 'Laptop 3',
          jobs: [{ id: 'a', seq: 1, hash: '' }]
        },
        { ...offer, id: 'third', state: 'withdrawn', jobs: [] },
        { ...offer, id: 'fourth', state: 'other', jobs: [] }
      ],
      jobs: new Map([jobThere('a')])
    })
    expect(arriving.list(seen)).toEqual([
      {
        id: offer.id,
        from: 'Laptop 2',
        to: 'Laptop 1',
        at: '2026-11-20T08:00:00.000Z',
        state: 'open',
        direction: 'toMe',
        takenBy: '',
        why: null,
        operations: 3,
        jobs: [
          {
            id: 'a',
            vehicle: 'Unit 0007',
            customer: 'Customer One',
            imei: '867698040023056',
            template: message('team.stopped')
          },
          { id: 'b', vehicle: '', customer: '', imei: '', template: plainMessage('') }
        ]
      },
      expect.objectContaining({
        id: 'second',
        state: 'taken',
        direction: 'toAnybody',
        takenBy: 'Laptop 3',
        operations: null
      }),
      expect.objectContaining({ id: 'third', state: 'withdrawn', operations: 0, jobs: [] }),
      expect.objectContaining({ id: 'fourth', state: 'open' })
    ])
  })

  it.each<[string, unknown]>([
    ['nothing', null],
    ['no checklist', {}],
    ['a name that is no message', { template: { name: 7 } }]
  ])('names the checklist by its id where the server shows %s', async (_, shown) => {
    const { arriving } = openPulling()
    const { offer } = await offered({ jobs: [{ id: 'a', seq: 1, hash: '' }] })
    expect(
      arriving.list(holdings({ offers: [offer], jobs: new Map([jobThere('a', { shown: shown as never })]) }))[0]
        ?.jobs[0]?.template
    ).toEqual(plainMessage('standard'))
  })

  it('leaves out its own and what has arrived', async () => {
    const { bench, arriving } = openPulling()
    const { offer, serve } = await offered()
    serve(bench)
    const seen = (more: Partial<Offer>) => arriving.list(holdings({ offers: [{ ...offer, ...more }] })).length
    expect(seen({ is_from_me: true })).toBe(0)
    expect(seen({ is_taken_by_me: true })).toBe(1)
    await arriving.arrive(holdings({ offers: [offer] }), bench.signal)
    expect(seen({ is_taken_by_me: true })).toBe(0)
    expect(seen({})).toBe(1)
    bench.store.teamHolding.beginOffer({ id: offer.id, at: '2026-11-20T08:00:00.000Z', to: '' })
    expect(seen({})).toBe(0)
  })
})
