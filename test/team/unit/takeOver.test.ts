import { describe, expect, it, onTestFinished } from 'vitest'
import { createTakingOver } from '../../../main/team/holding/takeOver.ts'
import { readableJob } from '../../../main/team/reading/openJob.ts'
import { pieceBytes } from '../../../main/data/store/jobs/attachmentFiles.ts'
import { sealEntry, startHash } from '../../../main/data/store/jobs/seal.ts'
import type { HandedOverOperation } from '../../../main/gateway/waitingWork/handover/handedOver.ts'
import { pushedWork } from '../../../main/team/push/pushedWork.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import { failure } from '../../world/team/fakeTeamLog.ts'
import { away, openHoldingBench, refusalOf, sentenceOf, type HoldingBench } from '../../world/team/holdingBench.ts'
import { openLaptop } from '../../world/team/laptop.ts'
import { appendEntry } from '../../world/data/storedJobs.ts'
import { attachPicture } from '../../world/team/teamLaptop.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const content = 'from fitter.content where sha256 = any'
const takeOver = 'fitter.take_over'
const refuses =
  (code: string, detail = '') =>
  () => {
    throw failure(code, { detail })
  }

/** The log of a job has one more entry. */
function goOnHere({ store }: HoldingBench, job: string): void {
  store.jobs.append(
    job,
    [{ type: 'deviceAddress', stepId: null, data: { address: '10.0.0.5:8080' }, at: '2026-03-01T10:00:00.000Z' }],
    () => store.teamPush.summary(job)!
  )
}

/** A job of a lost laptop that the team log has, and this laptop, which has nothing of it. */
function open() {
  const lost = openLaptop({ folder: tempFolder(), name: 'Laptop 2' })
  onTestFinished(() => lost.end())
  const bench = openHoldingBench()
  const job = lost.makeJob()
  const asked: unknown[][] = []
  const work: HandedOverOperation[] = []
  const log = () => lost.store.jobs.journal(job)
  const serve = () => {
    bench.serve(job, log())
    bench.answer(content, () => [])
    bench.answer(takeOver, (values) => {
      asked.push(values)
      const last = log().at(-1)
      return [
        {
          head_seq: String(last?.seq),
          head_hash: last?.hash,
          from_name: 'Laptop 2',
          work: work.map((operation) => JSON.stringify(operation))
        }
      ]
    })
  }
  serve()
  const taking = createTakingOver(bench.parts)
  return {
    bench,
    lost,
    job,
    log,
    work,
    serve,
    told: asked,
    taking,
    begin: (reason = ' Laptop 2 is broken ') => taking.begin({ jobId: job, reason }, bench.signal),
    goOn: () => taking.goOn({ jobId: job, reason: 'Laptop 2 is broken' }, bench.signal),
    takings: () =>
      bench.store.teamHolding.takings().map(({ jobId, reason, at, why }) => [jobId, reason, at, why?.id ?? null])
  }
}

describe('Taking over', () => {
  it('begins with a look at the log, then makes this laptop the holder, and goes on after it', async () => {
    const { bench, begin, takings, told, job, goOn } = open()
    expect(await begin()).toBeUndefined()
    const look = ['select month::text as month from fitter.job', 'fitter.entry where month']
    expect(bench.asked()).toEqual([...look, takeOver, ...look])
    expect(told).toEqual([[job, 'Laptop 2 is broken']])
    expect(takings()).toEqual([[job, 'Laptop 2 is broken', '2026-11-20T09:00:00.000Z', null]])
    expect(bench.store.jobs.journal(job)).toEqual([])

    const taken = await goOn()
    expect(taken).toMatchObject({
      outcome: 'taken',
      from: 'Laptop 2',
      jobs: [{ id: job, isTaken: true }],
      operations: [],
      attachments: 0
    })
    expect(bench.store.jobs.journal(job).at(-1)).toMatchObject({
      type: 'movedHere',
      data: { isTakenOver: true, from: 'Laptop 2', reason: 'Laptop 2 is broken' }
    })
    expect(takings()).toEqual([])
  })

  it('imports the gateway work that the lost laptop told', async () => {
    const { lost, job, work, goOn, begin } = open()
    lost.operations.add({
      kind: 'scripted',
      key: 'vehicle:1',
      title: plainMessage('first'),
      payload: { name: 'first' },
      jobId: job,
      draft: false
    })
    work.push(...pushedWork(lost.store, job, null))
    await begin()
    expect((await goOn()).operations).toMatchObject([{ title: { values: { text: 'first' } } }])
  })

  it('takes the log up to the entry that the server names, and no further', async () => {
    const { bench, lost, job, log, goOn, begin } = open()
    const before = log()
    await begin()
    bench.answer(takeOver, () => [
      { head_seq: String(before.at(-1)?.seq), head_hash: before.at(-1)?.hash, from_name: 'Laptop 2', work: null }
    ])
    appendEntry(lost.store, job, 'pushed in between', lost.store.teamPush.summary(job))
    bench.serve(job, log())
    await goOn()
    expect(bench.store.jobs.journal(job).slice(0, before.length)).toEqual(before)
    expect(bench.store.jobs.journal(job)).toHaveLength(before.length + 1)
  })

  it.each<[string, string, (opened: ReturnType<typeof open>) => void]>([
    [
      'that the team log does not have',
      'NOT_FOUND jobs.notInLog',
      ({ bench }) => bench.answer('select month::text as month from fitter.job', () => [])
    ],
    [
      'whose hashes do not fit',
      'DATA_UNUSABLE transfer.forged',
      ({ bench, job, log }) =>
        bench.serve(
          job,
          log().map((entry, n) =>
            n === 0 ? { ...entry, data: { ...(entry.data as object), customer: 'other' } } : entry
          )
        )
    ],
    [
      'whose hashes fit around something else',
      'DATA_UNUSABLE jobs.logDamaged',
      ({ bench, job }) =>
        bench.serve(job, [
          sealEntry(startHash(job), {
            seq: 1,
            at: '2026-03-01T10:00:00.000Z',
            type: 'jobCreated',
            stepId: null,
            data: { nothing: 'known' }
          })
        ])
    ],
    ['that cannot be asked for', 'UNREACHABLE team.away', ({ bench }) => (bench.fails = away)]
  ])('of a job %s begins nothing', async (_, refusal, prepare) => {
    const opened = open()
    prepare(opened)
    expect(await refusalOf(opened.begin())).toBe(refusal)
    expect(opened.takings()).toEqual([])
    expect(opened.told).toEqual([])
  })

  it('is known from then on: what prevents its end is kept, unless it is the server of the moment', async () => {
    const { bench, begin, goOn, takings, job, log } = open()
    bench.answer(takeOver, () => [])
    expect(await refusalOf(begin())).toBe('DATA_UNUSABLE transfer.forged')
    expect(takings()).toMatchObject([[job, 'Laptop 2 is broken', expect.anything(), null]])
    bench.fails = away
    expect(await refusalOf(goOn())).toBe('UNREACHABLE team.away')
    bench.fails = new AppError('CANCELLED', message('team.stopped'))
    expect(await refusalOf(goOn())).toBe('CANCELLED team.stopped')
    bench.fails = new Error('broken')
    expect(await refusalOf(goOn())).toBe('Error: broken')
    expect(takings()).toMatchObject([[job, 'Laptop 2 is broken', expect.anything(), null]])
    bench.fails = undefined
    expect(await sentenceOf(goOn())).toEqual(message('transfer.forged', { job }))
    const explained = [[job, 'Laptop 2 is broken', expect.anything(), 'transfer.forged']]
    expect(takings()).toMatchObject(explained)
    for (const failed of [away, new AppError('CANCELLED', message('team.stopped')), new Error('broken')]) {
      bench.fails = failed
      await expect(goOn()).rejects.toBe(failed)
      expect(takings()).toMatchObject(explained)
    }
    bench.fails = undefined
    bench.answer(takeOver, () => [
      { head_seq: String(log().length), head_hash: 'other', from_name: 'Laptop 2', work: null }
    ])
    expect(await refusalOf(goOn())).toBe('DATA_UNUSABLE transfer.forged')
  })

  it.each<[string, string, string, string, object | undefined]>([
    [
      'worked on',
      'FT013',
      '{"by":"Laptop 2","agoS":61,"waitS":0}',
      'teamHolding.atWork',
      { by: 'Laptop 2', agoMin: 2, waitMin: 1 }
    ],
    ['not there', 'FT009', '', 'jobs.notInLog', undefined],
    ['offered to someone', 'FT002', '', 'teamHolding.offeredElsewhere', undefined]
  ])('is over where the job is %s', async (_, code, detail, id, values) => {
    const { bench, begin, takings, job } = open()
    bench.answer(takeOver, refuses(code, detail))
    const failed = await begin().catch((error: unknown) => error as AppError)
    if (code === 'FT009') expect(failed).toMatchObject({ sentence: message('jobs.notInLog', { id: job }) })
    expect(failed).toMatchObject({
      code: code === 'FT009' ? 'NOT_FOUND' : 'CONFLICT',
      sentence: { id, ...(values ? { values } : {}) }
    })
    expect(takings()).toEqual([])
  })

  it('of what fails otherwise at the server is tried again', async () => {
    const { bench, begin, takings } = open()
    bench.answer(takeOver, refuses('XX000'))
    expect(await refusalOf(begin())).toBe('Error: XX000')
    expect(takings()).toHaveLength(1)
  })
})

it('of a job says which one, where the team log lacks it or its log was forged', async () => {
  const { bench, begin, job, log } = open()
  bench.serve(
    job,
    log().map((entry, n) => (n === 0 ? { ...entry, data: { other: true } } : entry))
  )
  expect(await sentenceOf(begin())).toEqual(message('transfer.forged', { job }))
  bench.answer('select month::text as month from fitter.job', () => [])
  expect(await sentenceOf(begin())).toEqual(message('jobs.notInLog', { id: job }))
})

it('goes its usual way while another job of this laptop is held elsewhere', async () => {
  const { bench, begin, takings } = open()
  bench.store.teamPush.hold(bench.makeJob(), message('team.heldByOther'))
  expect(await begin()).toBeUndefined()
  expect(takings()).toHaveLength(1)
})

describe('A job that is here', () => {
  it('is not taken over, nor one that diverged', async () => {
    const { bench } = open()
    const job = bench.makeJob()
    const taking = createTakingOver(bench.parts)
    expect(await refusalOf(taking.begin({ jobId: job, reason: 'lost' }, bench.signal))).toBe(
      'INVALID_REQUEST transfer.isHere'
    )
    bench.store.teamPush.stop(job, message('team.logDamaged'))
    expect(await refusalOf(taking.begin({ jobId: job, reason: 'lost' }, bench.signal))).toBe(
      'INVALID_REQUEST transfer.isHere'
    )
    bench.store.teamPush.stop(job, message('team.fork'))
    expect(await refusalOf(taking.begin({ jobId: job, reason: 'lost' }, bench.signal))).toBe(
      'CONFLICT teamForks.settleFirst'
    )
    expect(bench.asked()).toEqual([])
  })

  it.each<['leaving' | 'open' | 'withdrawing' | 'taken' | 'withdrawn', string]>([
    ['leaving', 'CONFLICT teamHolding.isInTeamLog'],
    ['open', 'CONFLICT teamHolding.isInTeamLog'],
    ['withdrawing', 'CONFLICT teamHolding.isInTeamLog'],
    ['taken', 'nothing'],
    ['withdrawn', 'nothing']
  ])('no more, whose offer is %s, may be taken over only once that is over', async (state, refusal) => {
    const { bench } = open()
    const job = bench.makeJob()
    await bench.transfers.leave({ jobIds: [job], to: '' }, ({ head }) =>
      bench.store.teamHolding.beginOffer({ id: head.id, at: head.at, to: '' })
    )
    bench.store.teamHolding.moveOffer(bench.store.teamHolding.offers(1)[0]!.id, state)
    const own = bench.store.jobs.journal(job)
    const last = own.at(-1)!
    // Another laptop went on with it.
    const log = [
      ...own,
      sealEntry(last.hash, { seq: last.seq + 1, at: last.at, type: 'jobPaused', stepId: null, data: {} })
    ]
    bench.serve(job, log)
    bench.answer(takeOver, () => [
      { head_seq: String(log.length), head_hash: log.at(-1)?.hash, from_name: '', work: null }
    ])
    const begin = () => createTakingOver(bench.parts).begin({ jobId: job, reason: 'lost' }, bench.signal)
    expect(await refusalOf(begin())).toBe(refusal)
    if (refusal !== 'nothing')
      expect(await sentenceOf(begin())).toEqual(
        message('teamHolding.isInTeamLog', { id: bench.jobs.show(job).handedOver!.id })
      )
  })

  async function leftAsFile() {
    const { bench } = open()
    const job = bench.makeJob()
    goOnHere(bench, job)
    goOnHere(bench, job)
    const log = bench.store.jobs.journal(job)
    await bench.transfers.give({ jobIds: [job], to: '', file: `${tempFolder()}/file` }, bench.signal)
    const taking = createTakingOver(bench.parts)
    return { bench, job, log, begin: () => taking.begin({ jobId: job, reason: 'lost' }, bench.signal) }
  }

  it('no more goes on from here where the server has only its beginning', async () => {
    const { bench, job, log, begin } = await leftAsFile()
    bench.serve(job, log)
    bench.answer(takeOver, () => [
      { head_seq: String(log.length), head_hash: log.at(-1)?.hash, from_name: '', work: null }
    ])
    expect(await begin()).toBeUndefined()
    expect(bench.store.teamHolding.takings()).toHaveLength(1)
  })

  it('no more, which went on otherwise elsewhere, has to be settled first', async () => {
    const { bench, job, log, begin } = await leftAsFile()
    const last = log.at(-1)!
    bench.serve(job, [
      ...log,
      sealEntry(last.hash, { seq: last.seq + 1, at: last.at, type: 'jobPaused', stepId: null, data: {} })
    ])
    expect(await refusalOf(begin())).toBe('CONFLICT teamForks.settleFirst')
  })
})

describe('A job that a restored server believes to be elsewhere', () => {
  function held() {
    const { bench } = open()
    const job = bench.makeJob('Vehicle One')
    goOnHere(bench, job)
    bench.store.teamPush.hold(job, message('team.heldByOther'))
    const asked: unknown[][] = []
    bench.answer('begin', () => [])
    bench.answer('commit', () => [])
    bench.answer('rollback', () => [])
    bench.answer(
      takeOver,
      (values) => (asked.push(values), [{ head_hash: bench.store.jobs.journal(job)[0]?.hash, from_name: 'Laptop 2' }])
    )
    const taking = createTakingOver(bench.parts)
    return { bench, job, asked, begin: () => taking.begin({ jobId: job, reason: ' lost ' }, bench.signal) }
  }

  it('is held here again, and nothing of it changes', async () => {
    const { bench, job, asked, begin } = held()
    const before = bench.store.jobs.journal(job)
    expect(await begin()).toEqual({
      id: job,
      outcome: 'taken',
      from: 'Laptop 2',
      to: '',
      at: '2026-11-20T09:00:00.000Z',
      jobs: [
        {
          id: job,
          isTaken: true,
          template: bench.jobs.show(job).template.name,
          device: bench.jobs.show(job).device,
          vehicle: 'Vehicle One',
          customer: 'Customer One',
          state: bench.jobs.show(job).state
        }
      ],
      operations: [],
      attachments: 0
    })
    expect(asked).toEqual([[job, 'lost', null]])
    expect(bench.asked()).toEqual(['begin', takeOver, 'commit'])
    expect(bench.store.jobs.journal(job)).toEqual(before)
    expect(bench.store.teamHolding.takings()).toEqual([])
  })

  it('is named by its vehicle where the gateway knows it', async () => {
    const { bench, job } = held()
    const { jobs } = bench.parts
    bench.parts.jobs = {
      ...jobs,
      loaded: (id) => ({ ...jobs.loaded(id), vehicle: { id: 7, name: 'Unit 0007' } as never })
    }
    expect(await createTakingOver(bench.parts).begin({ jobId: job, reason: 'lost' }, bench.signal)).toMatchObject({
      jobs: [{ vehicle: 'Unit 0007' }]
    })
  })

  it('is not taken where the log there is another one, or the server refuses', async () => {
    const { bench, begin } = held()
    bench.answer(takeOver, () => [{ head_hash: 'other', from_name: 'Laptop 2' }])
    expect(await refusalOf(begin())).toBe('CONFLICT teamForks.settleFirst')
    bench.answer(takeOver, refuses('FT002'))
    expect(await refusalOf(begin())).toBe('CONFLICT teamHolding.offeredElsewhere')
  })

  it('and that left here is taken over like any other', async () => {
    const { bench, job, begin } = held()
    await bench.transfers.give({ jobIds: [job], to: '', file: `${tempFolder()}/file` }, bench.signal)
    bench.answer('select month::text as month from fitter.job', () => [])
    expect(await refusalOf(begin())).toBe('NOT_FOUND jobs.notInLog')
  })
})

describe('Its pictures', () => {
  async function withPicture() {
    const opened = open()
    const sha256 = await attachPicture(opened.lost, opened.job, 3)
    const bytes = opened.lost.store.attachments.read(sha256)
    opened.serve()
    opened.bench.answer(content, ([named]) =>
      (named as string[])
        .filter((one) => one === sha256)
        .map(() => ({ sha256, media_type: 'image/jpeg', size_bytes: String(bytes.length) }))
    )
    opened.bench.answer('select bytes from fitter.piece', ([, number]) => {
      const piece = bytes.subarray((number as number) * pieceBytes, ((number as number) + 1) * pieceBytes)
      return piece.length > 0 ? [{ bytes: Buffer.from(piece) }] : []
    })
    return { ...opened, sha256, bytes }
  }

  it('come along, and may be fetched before', async () => {
    const { bench, job, sha256, bytes, begin, goOn, taking } = await withPicture()
    const far: unknown[] = []
    await taking.fetch(job, bench.signal, (pictures) => far.push(pictures))
    expect(far).toEqual([
      { done: 0, total: 1, doneBytes: 0, totalBytes: bytes.length },
      { done: 1, total: 1, doneBytes: bytes.length, totalBytes: bytes.length }
    ])
    await begin()
    bench.asked()
    expect(await goOn()).toMatchObject({ attachments: 1 })
    expect(bench.asked()).not.toContain('select bytes from fitter.piece')
    expect(bench.store.attachments.read(sha256)).toEqual(bytes)
    expect(bench.store.attachments.ofJob(job)).toMatchObject([{ sha256, mediaType: 'image/jpeg' }])
  })

  it('that are damaged there do not hold the job', async () => {
    const { bench, begin, goOn } = await withPicture()
    bench.answer('select bytes from fitter.piece', () => [])
    await begin()
    expect(await goOn()).toMatchObject({ outcome: 'taken', attachments: 0 })
  })

  it('that are too large together stay in the team log', async () => {
    const { bench, begin, goOn, sha256, bytes } = await withPicture()
    const row = (name: string, size: number) => ({ sha256: name, media_type: 'image/jpeg', size_bytes: String(size) })
    bench.answer(content, () => [row(sha256, bytes.length), row('b'.repeat(64), 2_000_000_000 - bytes.length + 1)])
    const wanted = new Set<unknown>()
    bench.answer(
      'select bytes from fitter.piece',
      ([named, number]) => (wanted.add(named), named === sha256 && number === 0 ? [{ bytes: Buffer.from(bytes) }] : [])
    )
    await begin()
    expect(await goOn()).toMatchObject({ attachments: 1 })
    expect([...wanted]).toEqual([sha256])
    const other = await withPicture()
    other.bench.answer(content, () => [
      row('b'.repeat(64), 2_000_000_000 - other.bytes.length),
      row(other.sha256, other.bytes.length)
    ])
    await other.begin()
    expect(await other.goOn()).toMatchObject({ attachments: 1 })
  })
})

it('a log whose content is invalid is no job, and says why', () => {
  expect(() => readableJob('job', [])).toThrow(
    expect.objectContaining({ code: 'DATA_UNUSABLE', sentence: message('jobs.logDamaged'), cause: expect.any(Error) })
  )
})
