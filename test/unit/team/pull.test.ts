import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createArriving, type ServerHoldings } from '../../../main/team/holding/pull.ts'
import { pieceBytes } from '../../../main/store/jobs/attachmentFiles.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import { failure } from '../../support/fakeTeamLog.ts'
import { away, openHoldingBench, refusalOf, sentenceOf, type HoldingBench } from '../../support/holdingBench.ts'
import { openLaptop } from '../../support/laptop.ts'
import { attachPicture } from '../../support/teamLaptop.ts'
import { tempFolder } from '../../support/tempFolder.ts'

const takeOffer = 'fitter.take_offer'
const refuses = (code: string) => () => {
  throw failure(code)
}
type Offer = ServerHoldings['offers'][number]
type JobThere = NonNullable<ReturnType<ServerHoldings['jobs']['get']>>

const nothing: ServerHoldings = { own: 'Laptop 1', offers: [], jobs: new Map(), lost: [] }
const holdings = (more: Partial<ServerHoldings>): ServerHoldings => ({ ...nothing, ...more })
const jobThere = (id: string, more: Partial<JobThere> = {}): [string, JobThere] => [id, { id, head_seq: '1', head_hash: 'head', is_mine: false, holder: 'Laptop 2', vehicle: 'Unit 0007', customer: 'Customer One', imei: '867698040023056', template: 'standard', shown: { template: { name: message('team.stopped') } }, ...more }]

/** An offer of another laptop, as the server says it. */
async function offered(more: Partial<Offer> = {}, pictures = 0) {
  const from = openLaptop({ folder: tempFolder(), name: '' })
  onTestFinished(() => from.end())
  const job = from.makeJob()
  const picture = pictures > 0 ? await attachPicture(from, job, 3) : undefined
  if (pictures > 1) await attachPicture(from, job, 4)
  const id = await from.transfers.leave({ jobIds: [job], to: 'Laptop 1' }, () => undefined)
  const { content, text, sha256 } = from.transfers.content(id)
  const offer: Offer = { id, from_name: 'Laptop 2', to_name: 'Laptop 1', at: new Date('2026-11-20T08:00:00.000Z'), jobs: content.jobs, work_sha256: sha256, state: 'open', taken_by_name: '', is_from_me: false, is_taken_by_me: false, ...more }
  const log = from.store.jobs.journal(job)
  const head = log.at(-1)?.hash ?? ''
  return {
    from, job, offer, log, head, picture,
    serve(bench: HoldingBench) {
      bench.serve(job, log)
      const bytes = new Map<string, Uint8Array>([[sha256, Buffer.from(text)], ...(picture ? [[picture, from.store.attachments.read(picture)] as const] : [])])
      bench.answer('select bytes from fitter.piece', ([named, number]) => {
        const piece = bytes.get(named as string)?.subarray((number as number) * pieceBytes, ((number as number) + 1) * pieceBytes)
        return piece && piece.length > 0 ? [{ bytes: Buffer.from(piece) }] : []
      })
      bench.answer(takeOffer, () => [])
    }
  }
}

function open() {
  const bench = openHoldingBench()
  return { bench, arriving: createArriving(bench.parts), journal: (job: string) => bench.store.jobs.journal(job) }
}

describe('Looking at the server', () => {
  it('asks at one moment for offers, for what was lost, and for the jobs of both', async () => {
    const { bench, arriving } = open()
    const job = bench.makeJob()
    bench.store.teamPush.hold(job, message('team.heldByOther'))
    const { offer } = await offered()
    const asked: unknown[] = []
    bench.answer('from fitter.offers()', () => [offer, { ...offer, id: 'second' }])
    bench.answer('from fitter.lost()', () => [{ job_id: job }])
    bench.answer('from fitter.job j left join', (values) => (asked.push(values[0]), [jobThere(job)[1]]))
    expect(await arriving.see(bench.signal)).toEqual({ own: 'Laptop 1', offers: [offer, { ...offer, id: 'second' }], lost: [{ job_id: job }], jobs: new Map([jobThere(job)]) })
    expect(asked).toEqual([[job, offer.jobs[0]?.id]])
  })
})

describe('An offer to this laptop', () => {
  it('arrives: it is fetched, looked at, taken there, and only then imported', async () => {
    const { bench, arriving, journal } = open()
    const { offer, job, log, serve } = await offered()
    serve(bench)
    let here = -1
    bench.answer(takeOffer, ([id]) => (expect(id).toBe(offer.id), (here = journal(job).length), []))
    const seen = holdings({ offers: [offer] })
    expect(arriving.coming(seen)).toEqual([offer.id])
    const { arrived, why } = await arriving.arrive(seen, bench.signal)
    expect(arrived).toMatchObject([{ outcome: 'taken', from: 'Laptop 2', jobs: [{ id: job, isTaken: true }] }])
    expect(why.size).toBe(0)
    expect(here).toBe(0)
    expect(journal(job).slice(0, log.length)).toEqual(log)
    expect(existsSync(bench.parts.folder) && readdirSync(bench.parts.folder)).toEqual([])
    // A restored server may offer it again: it is told that it is here.
    bench.asked()
    expect(arriving.coming(seen)).toEqual([])
    expect((await arriving.arrive(seen, bench.signal)).arrived).toEqual([])
    expect(bench.asked()).toEqual([takeOffer])
  })

  it('keeps the name of who handed it over, where one was entered', async () => {
    const { bench, arriving } = open()
    const from = openLaptop({ folder: tempFolder(), name: 'Technician Two' })
    onTestFinished(() => from.end())
    const job = from.makeJob()
    const id = await from.transfers.leave({ jobIds: [job], to: 'Laptop 1' }, () => undefined)
    const { content, text, sha256 } = from.transfers.content(id)
    bench.serve(job, from.store.jobs.journal(job))
    bench.answer('select bytes from fitter.piece', ([, number]) => (number === 0 ? [{ bytes: Buffer.from(text) }] : []))
    bench.answer(takeOffer, () => [])
    const offer: Offer = { id, from_name: 'Laptop 2', to_name: 'Laptop 1', at: new Date(), jobs: content.jobs, work_sha256: sha256, state: 'open', taken_by_name: '', is_from_me: false, is_taken_by_me: false }
    expect((await arriving.arrive(holdings({ offers: [offer] }), bench.signal)).arrived).toMatchObject([{ from: 'Technician Two' }])
  })

  it.each<[string, Partial<Offer>, boolean]>([
    ['to another laptop', { to_name: 'Laptop 3' }, false],
    ['to anybody', { to_name: '' }, false],
    ['of this laptop', { is_from_me: true }, false],
    ['that is over', { state: 'withdrawn' }, false],
    ['that this laptop took, without the import', { state: 'taken', is_taken_by_me: true, to_name: '' }, true],
    ['that another laptop took', { state: 'taken' }, false]
  ])('%s arrives by itself, or not', async (_, more, comes) => {
    const { bench, arriving } = open()
    const { offer, job, head, serve } = await offered(more)
    serve(bench)
    const seen = holdings({ offers: [offer], jobs: new Map([jobThere(job, { is_mine: true, head_hash: head })]) })
    expect(arriving.coming(seen)).toEqual(comes ? [offer.id] : [])
    expect((await arriving.arrive(seen, bench.signal)).arrived).toHaveLength(comes ? 1 : 0)
  })

  it.each<[string, (job: string, head: string) => [string, JobThere][]]>([
    ['changed since', (job) => [jobThere(job, { is_mine: true, head_hash: 'other' })]],
    ['went to another laptop since', (job, head) => [jobThere(job, { is_mine: false, head_hash: head })]],
    ['is not shown', () => []]
  ])('that this laptop took, whose job %s, does not arrive', async (_, jobs) => {
    const { bench, arriving } = open()
    const { offer, job, head, serve } = await offered({ state: 'taken', is_taken_by_me: true })
    serve(bench)
    expect(arriving.coming(holdings({ offers: [offer], jobs: new Map(jobs(job, head)) }))).toEqual([])
  })

  it('that this laptop took, of which one of two jobs changed since, does not arrive', async () => {
    const { arriving } = open()
    const { offer, job, head } = await offered({ state: 'taken', is_taken_by_me: true })
    const both = { ...offer, jobs: [...offer.jobs, { id: 'second', seq: 1, hash: 'head' }] }
    const seen = (second: Partial<JobThere>) => holdings({ offers: [both], jobs: new Map([jobThere(job, { is_mine: true, head_hash: head }), jobThere('second', { is_mine: true, ...second })]) })
    expect(arriving.coming(seen({}))).toEqual([offer.id])
    expect(arriving.coming(seen({ head_hash: 'other' }))).toEqual([])
  })

  it('that cannot be imported says why, is not taken, and holds no other one back', async () => {
    const { bench, arriving, journal } = open()
    const [broken, fine] = [await offered(), await offered()]
    fine.serve(bench)
    bench.log.logs.set(broken.job, [])
    const { arrived, why } = await arriving.arrive(holdings({ offers: [{ ...broken.offer, work_sha256: 'x'.repeat(64) }, fine.offer] }), bench.signal)
    expect(arrived).toHaveLength(1)
    expect([...why].map(([id, sentence]) => [id, sentence.id])).toEqual([[broken.offer.id, 'store.attachmentChanged']])
    expect(journal(broken.job)).toEqual([])
    expect(bench.asked().filter((one) => one === takeOffer)).toHaveLength(1)
  })

  it('whose log cannot be read here is looked at before it is taken', async () => {
    const { bench, arriving } = open()
    const { offer, serve, job, log } = await offered()
    serve(bench)
    bench.serve(job, log.slice(0, -1))
    const { why } = await arriving.arrive(holdings({ offers: [offer] }), bench.signal)
    expect(why.size).toBe(1)
    expect(bench.asked()).not.toContain(takeOffer)
    expect(readdirSync(bench.parts.folder)).toEqual([])
  })

  it.each<[string, string, string]>([
    ['was withdrawn', 'FT008', 'CONFLICT teamHolding.offerWithdrawn'],
    ['somebody else has', 'FT002', 'CONFLICT teamHolding.offerGone'],
    ['is not there', 'FT009', 'NOT_FOUND teamHolding.noSuchOffer']
  ])('that %s is not imported', async (_, code, refusal) => {
    const { bench, arriving, journal } = open()
    const { offer, serve, job } = await offered()
    serve(bench)
    bench.answer(takeOffer, refuses(code))
    expect(await refusalOf(arriving.take(offer.id, holdings({ offers: [offer] }), bench.signal))).toBe(refusal)
    expect(journal(job)).toEqual([])
    expect(readdirSync(bench.parts.folder)).toEqual([])
  })

  it.each<[string, Error]>([
    ['the server', away],
    ['the end of Fitter', new AppError('CANCELLED', message('team.stopped'))],
    ['a fault', new Error('broken')]
  ])('ends the pull for %s, which is no reason against the offer', async (_, failed) => {
    const { bench, arriving } = open()
    const { offer } = await offered()
    bench.fails = failed
    await expect(arriving.arrive(holdings({ offers: [offer] }), bench.signal)).rejects.toBe(failed)
  })

  it('brings its pictures, and arrives with all of them or not at all', async () => {
    const { bench, arriving, journal } = open()
    const { offer, job, serve, picture, from } = await offered({}, 1)
    serve(bench)
    const seen = holdings({ offers: [offer] })
    const far: number[] = []
    await arriving.fetch(offer.id, seen, bench.signal, ({ done }) => far.push(done))
    expect(far).toEqual([0, 1])
    expect(journal(job)).toEqual([])
    expect((await arriving.take(offer.id, seen, bench.signal)).attachments).toBe(1)
    expect(bench.store.attachments.read(picture ?? '')).toEqual(from.store.attachments.read(picture ?? ''))
  })

  it.each([1, 2])('without one of its %i pictures is broken', async (pictures) => {
    const { bench, arriving } = open()
    const { offer, serve, picture, from } = await offered({}, pictures)
    serve(bench)
    const { text, sha256, content } = from.transfers.content(offer.id)
    expect(content.attachments).toHaveLength(pictures)
    bench.answer('select bytes from fitter.piece', ([named, number]) => {
      if (named === picture || number !== 0) return []
      return [{ bytes: named === sha256 ? Buffer.from(text) : Buffer.from(from.store.attachments.read(named as string)) }]
    })
    expect(await refusalOf(arriving.take(offer.id, holdings({ offers: [offer] }), bench.signal))).toBe('DATA_UNUSABLE transfer.broken')
  })

  it('may be taken by a person, unless it is their own or over', async () => {
    const { bench, arriving } = open()
    const { offer, serve } = await offered({ to_name: '' })
    serve(bench)
    const take = (more: Partial<Offer>, id = offer.id) => refusalOf(arriving.take(id, holdings({ offers: [{ ...offer, ...more }] }), bench.signal))
    expect(await take({}, 'unknown')).toBe('NOT_FOUND teamHolding.noSuchOffer')
    expect(await sentenceOf(arriving.take('unknown', nothing, bench.signal))).toEqual(message('teamHolding.noSuchOffer', { id: 'unknown' }))
    bench.answer(takeOffer, refuses('FT009'))
    expect(await sentenceOf(arriving.take(offer.id, holdings({ offers: [offer] }), bench.signal))).toEqual(message('teamHolding.noSuchOffer', { id: offer.id }))
    bench.answer(takeOffer, () => [])
    expect(await take({ is_from_me: true })).toBe('INVALID_REQUEST teamHolding.offerIsYours')
    expect(await take({ state: 'withdrawn' })).toBe('CONFLICT teamHolding.offerWithdrawn')
    expect(await refusalOf(arriving.fetch('unknown', nothing, bench.signal))).toBe('NOT_FOUND teamHolding.noSuchOffer')
    expect(await take({})).toBe('nothing')
  })
})

describe('A job that somebody took over', () => {
  const lost = (job: string, more: object = {}) => holdings({ lost: [{ job_id: job, holder_name: 'Laptop 2', at: new Date('2026-11-20T08:00:00.000Z'), reason: 'lost', head_seq: '1', ...more }] })

  it('is read-only here, and its gateway work goes on there or was left', async () => {
    const { bench, arriving } = open()
    const job = bench.makeJob()
    const [told, untold] = [bench.addWork(job, 'told'), bench.addWork(job, 'untold')]
    bench.store.teamPush.acknowledge(job, { seq: 1, hash: 'x' }, { moved: 1, operations: [told] })
    expect(await arriving.lose(lost(job))).toEqual([{ jobId: job, by: 'Laptop 2', at: '2026-11-20T08:00:00.000Z', reason: 'lost' }])
    expect(bench.isAway(job)).toBe(true)
    expect(bench.store.jobs.lostOf(job)).toMatchObject({ by: 'Laptop 2', at: '2026-11-20T08:00:00.000Z', reason: 'lost' })
    expect([told, untold].map((id) => [bench.operations.get(id)?.state, bench.operations.get(id)?.reason])).toEqual([
      ['moved', message('teamHolding.workTakenOver', { by: 'Laptop 2', told: 'yes', reason: 'lost' })],
      [expect.any(String), message('teamHolding.notTakenAlong', { by: 'Laptop 2' })]
    ])
    // The server says it each time.
    expect(await arriving.lose(lost(job))).toEqual([])
  })

  it('says no reason where none was given', async () => {
    const { bench, arriving } = open()
    const job = bench.makeJob()
    const told = bench.addWork(job, 'told')
    bench.store.teamPush.acknowledge(job, { seq: 1, hash: 'x' }, { moved: 1, operations: [told] })
    await arriving.lose(lost(job, { reason: '' }))
    expect(bench.operations.get(told)?.reason).toEqual(message('teamHolding.workTakenOver', { by: 'Laptop 2', told: 'no', reason: '' }))
  })

  it('lets its work go on when it could not be locked', async () => {
    const { bench } = open()
    const job = bench.makeJob()
    let letGo = 0
    bench.parts.operations = { ...bench.operations, stopAtOnce: async (ids) => {
      const go = await bench.operations.stopAtOnce(ids)
      return () => ((letGo += 1), go())
    } }
    bench.parts.jobs = { ...bench.jobs, lose: () => Promise.reject(new Error('broken')) }
    const work = bench.addWork(job, 'first')
    expect(await refusalOf(createArriving(bench.parts).lose(lost(job)))).toBe('Error: broken')
    expect(letGo).toBe(1)
    // The gateway work was given up before: it could have been sent at any moment.
    expect(bench.operations.get(work)?.reason).toEqual(message('teamHolding.notTakenAlong', { by: 'Laptop 2' }))
  })

  it('takes along gateway work that was added while it was being locked, and tells of all of it', async () => {
    const { bench } = open()
    const job = bench.makeJob()
    const early = bench.addWork(job, 'early')
    let late = ''
    const moved: (readonly string[])[] = []
    bench.parts.jobs = { ...bench.jobs, lose: (jobs, mark) => ((late = bench.addWork(job, 'late')), bench.jobs.lose(jobs, mark)) }
    bench.parts.operations = { ...bench.operations, moved: (ids) => (moved.push(ids), bench.operations.moved(ids)) }
    await createArriving(bench.parts).lose(lost(job))
    expect(bench.operations.get(late)?.reason).toEqual(message('teamHolding.notTakenAlong', { by: 'Laptop 2' }))
    expect(moved.map((ids) => [...ids].sort())).toEqual([[early, late].sort()])
  })

  it('is none where nothing of it is here, or where it has returned since', async () => {
    const { bench, arriving, journal } = open()
    expect(await arriving.lose(lost('unknown'))).toEqual([])
    const job = bench.makeJob()
    const seq = journal(job).length
    bench.store.jobs.append(job, [{ type: 'movedHere', stepId: null, data: { isTakenOver: true }, at: '2026-03-01T10:00:00.000Z' }], () => bench.store.teamPush.summary(job)!)
    expect(await arriving.lose(lost(job, { head_seq: String(seq) }))).toEqual([])
  })

  it.each<[string, unknown, string]>([['another entry', { isTakenOver: true }, 'evidence'], ['a hand-over', { isTakenOver: false }, 'movedHere'], ['an entry without data', null, 'movedHere']])('was lost although %s follows', async (_, data, type) => {
    const { bench, journal } = open()
    const job = bench.makeJob()
    const seq = journal(job).length
    bench.store.jobs.append(job, [{ type, stepId: type === 'evidence' ? 'ignition' : null, data: data as never, at: '2026-03-01T10:00:00.000Z' }], () => bench.store.teamPush.summary(job)!)
    bench.parts.jobs = { ...bench.jobs, lose: () => Promise.resolve() as never }
    expect(await createArriving(bench.parts).lose(lost(job, { head_seq: String(seq) }))).toHaveLength(1)
  })

  it('is lost again by a later take-over, and settled for good by what was settled', async () => {
    const { bench, arriving } = open()
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
    const { bench, arriving } = open()
    const [one, two, three] = [bench.makeJob('One'), bench.makeJob('Two'), bench.makeJob('Three')]
    const leave = (jobIds: string[]) => bench.transfers.leave({ jobIds, to: '' }, ({ head }) => bench.store.teamHolding.beginOffer({ id: head.id, at: head.at, to: '' }))
    const [alone, together] = [await leave([one]), await leave([two, three])]
    for (const job of [one, two]) await arriving.lose(lost(job))
    expect(bench.store.teamHolding.offer(alone)).toMatchObject({ state: 'taken', takenBy: 'Laptop 2' })
    expect(bench.store.teamHolding.offer(together)).toMatchObject({ state: 'leaving' })
  })

  describe('by what the server holds alone', () => {
    async function held(more: Partial<JobThere> = {}, prepare: (bench: HoldingBench, job: string) => unknown = () => undefined) {
      const { bench, arriving, journal } = open()
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
      for (const types of [['jobPaused', 'jobResumed'], ['movedAway', 'movedHere']]) {
        const { bench, journal } = open()
        const job = bench.makeJob()
        bench.store.teamPush.hold(job, message('team.heldByOther'))
        bench.parts.jobs = { ...bench.jobs, lose: () => Promise.resolve() as never }
        for (const type of types) bench.store.jobs.append(job, [{ type, stepId: null, data: {}, at: '2026-03-01T10:00:00.000Z' }], () => bench.store.teamPush.summary(job)!)
        const heads = types[0] === 'movedAway' ? journal(job).slice(-2) : journal(job).slice(0, -2)
        for (const { hash } of heads) expect(await createArriving(bench.parts).lose(holdings({ jobs: new Map([jobThere(job, { head_hash: hash })]) }))).toHaveLength(1)
      }
    })

    it('is not lost where it left after that, or was lost before', async () => {
      expect(await held({}, (bench, job) => bench.transfers.give({ jobIds: [job], to: '', file: `${tempFolder()}/file` }, bench.signal))).toEqual([])
      expect(await held({}, (bench, job) => createArriving(bench.parts).lose(lost(job)))).toEqual([])
    })

    it('is told once where both say it', async () => {
      const { bench, arriving, journal } = open()
      const [job, other] = [bench.makeJob(), bench.makeJob()]
      for (const one of [job, other]) bench.store.teamPush.hold(one, message('team.heldByOther'))
      const jobs = new Map([job, other].map((one) => jobThere(one, { head_hash: journal(one).at(-1)?.hash ?? '' })))
      expect((await arriving.lose({ ...lost(job), jobs })).map(({ jobId, reason }) => [jobId, reason])).toEqual([[job, 'lost'], [other, '']])
    })

    it('is not lost where the server does not show it', async () => {
      const { bench, arriving } = open()
      bench.store.teamPush.hold(bench.makeJob(), message('team.heldByOther'))
      expect(await arriving.lose(nothing)).toEqual([])
    })
  })
})

describe('An offer of this laptop', () => {
  async function own(state: 'open' | 'leaving' = 'open', jobs = 1) {
    const { bench, arriving } = open()
    const ids = Array.from({ length: jobs }, (_, n) => bench.makeJob(`Vehicle ${String(n)}`))
    const id = await bench.transfers.leave({ jobIds: ids, to: '' }, ({ head }) => bench.store.teamHolding.beginOffer({ id: head.id, at: head.at, to: '' }))
    if (state === 'open') bench.store.teamHolding.moveOffer(id, 'open')
    const { at } = bench.store.teamHolding.offer(id)!
    const { offer } = await offered()
    const row = (more: Partial<Offer>): Offer => ({ ...offer, id, is_from_me: true, jobs: bench.transfers.content(id).content.jobs, ...more })
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
    arriving.learn(holdings({ offers: [row({ state: 'withdrawn' })], jobs: new Map([jobThere(ids[0]!), jobThere(ids[1]!, { holder: '' }), jobThere(ids[2]!, { is_mine: true })]) }))
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
    createArriving({ ...bench.parts, now: () => new Date(days(80).getTime() - 1) }).learn(holdings({ offers: [row({ is_from_me: false, state: 'taken' })] }))
    expect(state()).toMatchObject({ state: 'leaving' })
    arriving.learn(holdings({ offers: [row({ state: 'taken', taken_by_name: 'Laptop 2' })] }))
    // Only what is open is looked at.
    expect(state()).toMatchObject({ state: 'leaving' })
  })
})

describe('The list of offers', () => {
  it('shows those of others, with what is known of their jobs', async () => {
    const { arriving } = open()
    const { offer } = await offered({ jobs: [{ id: 'a', seq: 1, hash: '', operations: 2 }, { id: 'b', seq: 1, hash: '', operations: 1 }] })
    const seen = holdings({ offers: [offer, { ...offer, id: 'second', to_name: '', state: 'taken', taken_by_name: 'Laptop 3', jobs: [{ id: 'a', seq: 1, hash: '' }] }, { ...offer, id: 'third', state: 'withdrawn', jobs: [] }, { ...offer, id: 'fourth', state: 'other', jobs: [] }], jobs: new Map([jobThere('a')]) })
    expect(arriving.list(seen)).toEqual([
      {
        id: offer.id, from: 'Laptop 2', to: 'Laptop 1', at: '2026-11-20T08:00:00.000Z', state: 'open', direction: 'toMe', takenBy: '', why: null, operations: 3,
        jobs: [{ id: 'a', vehicle: 'Unit 0007', customer: 'Customer One', imei: '867698040023056', template: message('team.stopped') }, { id: 'b', vehicle: '', customer: '', imei: '', template: plainMessage('') }]
      },
      expect.objectContaining({ id: 'second', state: 'taken', direction: 'toAnybody', takenBy: 'Laptop 3', operations: null }),
      expect.objectContaining({ id: 'third', state: 'withdrawn', operations: 0, jobs: [] }),
      expect.objectContaining({ id: 'fourth', state: 'open' })
    ])
  })

  it.each<[string, unknown]>([['nothing', null], ['no checklist', {}], ['a name that is no message', { template: { name: 7 } }]])('names the checklist by its id where the server shows %s', async (_, shown) => {
    const { arriving } = open()
    const { offer } = await offered({ jobs: [{ id: 'a', seq: 1, hash: '' }] })
    expect(arriving.list(holdings({ offers: [offer], jobs: new Map([jobThere('a', { shown: shown as never })]) }))[0]?.jobs[0]?.template).toEqual(plainMessage('standard'))
  })

  it('leaves out its own and what has arrived', async () => {
    const { bench, arriving } = open()
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
