import { describe, expect, it } from 'vitest'
import { createHandingOver, isAway } from '../../../main/team/holding/handOver.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import { failure } from '../../world/team/fakeTeamLog.ts'
import { away, openHoldingBench, refusalOf, sentenceOf, type HoldingBench } from '../../world/team/holdingBench.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const names = 'select name from fitter.laptop'
const offer = 'fitter.offer('
const withdraw = 'fitter.withdraw_offer'
const takenBy = 'taken_by_name as by'
const holders = 'as is_other'
const refuses = (code: string) => () => {
  throw failure(code)
}

function open() {
  const bench = openHoldingBench()
  bench.answer(names, () => [{ name: 'Laptop 2' }, { name: 'Laptop 3' }])
  const offered: unknown[][] = []
  bench.answer(offer, (values) => (offered.push(values), []))
  bench.answer(withdraw, () => [])
  bench.answer(holders, () => [])
  const handing = createHandingOver(bench.parts)
  const give = (jobIds: string[], to = 'Laptop 2') => handing.give({ jobIds, to }, bench.signal)
  return {
    bench,
    handing,
    offered,
    give,
    goOn: (id: string) => handing.goOn(bench.store.teamHolding.offer(id)!, bench.signal),
    offerOf: (id: string) => bench.store.teamHolding.offer(id)
  }
}
/** The holders of jobs, as the server says them. */
const held = (bench: HoldingBench, jobId: string, more: object = {}) => ({
  id: jobId,
  head_hash: bench.store.jobs.journal(jobId).at(-1)?.hash,
  by: 'Laptop 2',
  is_other: false,
  ...more
})

describe('Handing over', () => {
  it('locks the job here, sends its log, and then offers it with its gateway work', async () => {
    const { bench, give, offered } = open()
    const job = bench.makeJob()
    const first = bench.addWork(job, 'first')
    const given = await give([job])
    expect(given).toMatchObject({ to: 'Laptop 2', state: 'open', isTried: true, takenBy: '', why: null })
    const log = bench.store.jobs.journal(job)
    expect(bench.asked()).toEqual([names, `${job} 1-${log.length}`, offer])
    expect(offered).toEqual([
      [
        given.id,
        'Laptop 2',
        JSON.stringify([{ id: job, seq: log.length, hash: log.at(-1)?.hash, operations: 1 }]),
        bench.transfers.content(given.id).sha256
      ]
    ])
    expect(bench.isAway(job)).toBe(true)
    expect(bench.operations.get(first)?.state).toBe('moved')
    expect(bench.store.teamHolding.offers(10)[0]?.at).toBe(bench.transfers.content(given.id).content.head.at)
  })

  it('counts the open gateway work of each job for itself', async () => {
    const { bench, offered, give } = open()
    const [one, two] = [bench.makeJob('One'), bench.makeJob('Two')]
    bench.addWork(one, 'first')
    bench.addWork(two, 'second')
    bench.addWork(two, 'third')
    await give([one, two])
    expect(
      (JSON.parse(offered[0]?.[2] as string) as { operations: number }[]).map(({ operations }) => operations)
    ).toEqual([1, 2])
  })

  it('counts no gateway work that has ended', async () => {
    const { bench, offered } = open()
    const job = bench.makeJob()
    bench.addWork(job, 'first')
    const { transfers } = bench.parts
    bench.parts.transfers = {
      ...transfers,
      content: (id) => {
        const kept = transfers.content(id)
        return {
          ...kept,
          content: {
            ...kept.content,
            operations: kept.content.operations.map((operation) => ({ ...operation, state: 'done' as const }))
          }
        }
      }
    }
    await createHandingOver(bench.parts).give({ jobIds: [job], to: '' }, bench.signal)
    expect(JSON.parse(offered[0]?.[2] as string)).toMatchObject([{ operations: 0 }])
  })

  it('sends the snapshots and the list of the work that the server lacks, the list last', async () => {
    const { bench } = open()
    const job = bench.makeJob()
    const { transfers } = bench.parts
    bench.parts.transfers = {
      ...transfers,
      content: (id) => {
        const kept = transfers.content(id)
        return {
          ...kept,
          content: {
            ...kept.content,
            snapshots: [
              { job, sha256: 'aa', sizeBytes: 4 },
              { job, sha256: 'gone', sizeBytes: 4 }
            ]
          }
        }
      }
    }
    bench.parts.snapshot = (jobId, sha256) => (jobId === job && sha256 === 'aa' ? 'text' : null)
    const pieces: unknown[] = []
    bench.answer('fitter.missing', (values) => (values[0] as string[]).map((missing) => ({ missing })))
    bench.answer('fitter.keep_piece', (values) => (pieces.push([values[0], String(values[4])]), []))
    bench.answer('fitter.close_content', () => [{ is_whole: true }])
    const { id } = await createHandingOver(bench.parts).give({ jobIds: [job], to: '' }, bench.signal)
    const { text, sha256 } = transfers.content(id)
    expect(pieces.slice(-2)).toEqual([
      ['aa', 'text'],
      [sha256, text]
    ])
    expect(pieces).not.toContainEqual(['gone', expect.anything()])
  })

  it('to anybody asks for no name', async () => {
    const { bench, give } = open()
    expect(await give([bench.makeJob()], '')).toMatchObject({ to: '', state: 'open' })
    expect(bench.asked()).not.toContain(names)
  })

  it.each<[string, string, (bench: HoldingBench, job: string) => void]>([
    ['outside of a team', 'NOT_FOUND team.notJoined', (bench) => (bench.status = { ...bench.status, joined: null })],
    [
      'on a laptop that only reads',
      'NOT_PERMITTED team.onlyReads',
      (bench) =>
        (bench.status = {
          ...bench.status,
          joined: { team: 'North', name: 'Laptop 1', mayWrite: false, at: '2026-03-01T10:00:00.000Z' }
        })
    ],
    [
      'of a job that diverged',
      'CONFLICT team.fork',
      (bench, job) =>
        (bench.status = {
          ...bench.status,
          stopped: [
            { jobId: 'other', name: '', why: message('team.logDamaged') },
            { jobId: job, name: '', why: message('team.fork') }
          ]
        })
    ],
    [
      'to a laptop that is not there',
      'NOT_FOUND teamHolding.noSuchLaptop',
      (bench) => bench.answer(names, () => [{ name: 'Laptop 3' }])
    ],
    [
      'while something else fails',
      'CONFLICT teamWay.foreignSchema',
      (bench) => (bench.fails = new AppError('CONFLICT', message('teamWay.foreignSchema', { host: '' })))
    ],
    ['while Fitter fails', 'Error: broken', (bench) => (bench.fails = new Error('broken'))]
  ])('%s is refused, and the job stays', async (_, refusal, prepare) => {
    const { bench, give } = open()
    const job = bench.makeJob()
    prepare(bench, job)
    expect(await refusalOf(give([job]))).toBe(refusal)
    expect(bench.isAway(job)).toBe(false)
    expect(bench.store.teamHolding.offers(10)).toEqual([])
  })

  it('to a laptop that is not there names it', async () => {
    const { bench, give } = open()
    expect(await sentenceOf(give([bench.makeJob()], 'Laptop 9'))).toEqual(
      message('teamHolding.noSuchLaptop', { name: 'Laptop 9' })
    )
    bench.answer(offer, refuses('FT007'))
    expect((await give([bench.makeJob()])).why).toEqual(message('teamHolding.noSuchLaptop', { name: 'Laptop 2' }))
  })

  it('is possible for a job beside one that diverged', async () => {
    const { bench, give } = open()
    bench.status = { ...bench.status, stopped: [{ jobId: 'other', name: '', why: message('team.fork') }] }
    expect(await give([bench.makeJob()])).toMatchObject({ state: 'open' })
  })

  it.each([0, 1])('without the server after %i questions it leaves, and waits with the reason', async (failsAfter) => {
    const { bench, give, goOn, offerOf } = open()
    Object.assign(bench, { fails: away, failsAfter })
    const job = bench.makeJob()
    const given = await give([job])
    expect(given).toMatchObject({ state: 'leaving', why: { id: 'team.away' } })
    expect(bench.isAway(job)).toBe(true)
    await expect(goOn(given.id)).rejects.toBe(away)
    bench.fails = undefined
    // Again it is the same offer.
    expect(await give([job])).toMatchObject({ id: given.id, state: 'open', why: null })
    await goOn(given.id)
    expect(offerOf(given.id)).toMatchObject({ state: 'open' })
  })

  it('ends with a failure that no pause would change', async () => {
    const { bench, give } = open()
    Object.assign(bench, { fails: new Error('broken'), failsAfter: 1 })
    expect(await refusalOf(give([bench.makeJob()]))).toBe('Error: broken')
    const other = open()
    Object.assign(other.bench, { fails: new AppError('CONFLICT', plainMessage('No.')), failsAfter: 1 })
    expect(await refusalOf(other.give([other.bench.makeJob()]))).toBe('CONFLICT plain.text')
  })

  it('does not go through the team log for a job that left in a file', async () => {
    const { bench, give } = open()
    const job = bench.makeJob()
    await bench.transfers.give({ jobIds: [job], to: '', file: `${tempFolder()}/file` }, bench.signal)
    const { id } = bench.jobs.show(job).handedOver!
    await expect(give([job])).rejects.toMatchObject({
      code: 'CONFLICT',
      sentence: message('teamHolding.leftAsFile', { id })
    })
  })

  it.each<[string, string, string]>([
    ['no laptop of this name', 'FT007', 'teamHolding.noSuchLaptop'],
    ['another holder', 'FT002', 'team.heldByOther'],
    ['a log that is not there', 'FT004', 'teamHolding.logsNotThere']
  ])('waits with the reason where the server says %s', async (_, code, why) => {
    const { bench, give } = open()
    bench.answer(offer, refuses(code))
    expect(await give([bench.makeJob()])).toMatchObject({ state: 'leaving', isTried: true, why: { id: why } })
    expect(bench.asked().includes(holders)).toBe(code === 'FT002')
  })

  it('has ended where somebody took the job over before the server was set back', async () => {
    const { bench, give } = open()
    bench.answer(offer, refuses('FT002'))
    const job = bench.makeJob()
    bench.answer(holders, (values) => [held(bench, (values[0] as string[])[0]!, { is_other: true })])
    expect(await give([job])).toMatchObject({ state: 'taken', takenBy: 'Laptop 2' })
    expect(bench.isAway(job)).toBe(true)
  })

  it('is over where it was withdrawn there: the job is back', async () => {
    const { bench, give } = open()
    bench.answer(offer, refuses('FT008'))
    const job = bench.makeJob()
    expect(await give([job])).toMatchObject({ state: 'withdrawn' })
    expect(bench.isAway(job)).toBe(false)
  })

  it('that fails otherwise at the server is not offered', async () => {
    const { bench, give } = open()
    bench.answer(offer, refuses('XX000'))
    expect(await refusalOf(give([bench.makeJob()]))).toBe('Error: XX000')
  })
})

describe('Withdrawing', () => {
  async function given(jobs = 1) {
    const opened = open()
    const ids = Array.from({ length: jobs }, (_, n) => opened.bench.makeJob(`Vehicle ${String(n)}`))
    const { id } = await opened.give(ids)
    opened.bench.asked()
    return { ...opened, id, ids, back: () => opened.handing.withdraw(id, opened.bench.signal) }
  }

  it('an open offer brings the job back once the server has withdrawn it', async () => {
    const { bench, ids, id, back } = await given()
    const named: unknown[] = []
    bench.answer(withdraw, (values) => (named.push(...values), []))
    bench.answer(holders, (values) => (named.push(...values), []))
    expect(await back()).toMatchObject({ state: 'withdrawn' })
    expect(named).toEqual([id, ids])
    expect(bench.asked()).toEqual([withdraw, holders])
    expect(bench.isAway(ids[0]!)).toBe(false)
    expect(await back()).toMatchObject({ state: 'withdrawn' })
    expect(bench.asked()).toEqual([])
  })

  it('an offer that the server cannot know brings the job back at once', async () => {
    const { bench, give, handing } = open()
    Object.assign(bench, { fails: away, failsAfter: 0 })
    const job = bench.makeJob()
    const { id } = await give([job])
    expect(await handing.withdraw(id, bench.signal)).toMatchObject({ state: 'withdrawn' })
    expect(bench.asked()).toEqual([])
    expect(bench.isAway(job)).toBe(false)
    const log = bench.store.jobs.journal(job)
    expect(await handing.withdraw(id, bench.signal)).toMatchObject({ state: 'withdrawn' })
    expect(bench.store.jobs.journal(job)).toEqual(log)
  })

  it('an offer that the server may know waits for its answer', async () => {
    const { bench, give, handing, goOn, offerOf } = open()
    bench.answer(offer, refuses('FT007'))
    const job = bench.makeJob()
    const { id } = await give([job])
    bench.fails = away
    expect(await handing.withdraw(id, bench.signal)).toMatchObject({ state: 'withdrawing', why: { id: 'team.away' } })
    expect(bench.isAway(job)).toBe(true)
    bench.fails = undefined
    await goOn(id)
    expect(offerOf(id)).toMatchObject({ state: 'withdrawn' })
    expect(bench.isAway(job)).toBe(false)
  })

  it('withdrawn there before counts as withdrawn', async () => {
    const { bench, ids, back } = await given()
    bench.answer(withdraw, refuses('FT008'))
    expect(await back()).toMatchObject({ state: 'withdrawn' })
    expect(bench.isAway(ids[0]!)).toBe(false)
  })

  it.each([
    ['Laptop 2', 'yes'],
    ['', 'no']
  ])('comes too late where “%s” took it', async (by, named) => {
    const { bench, ids, back, id, offerOf } = await given()
    bench.answer(withdraw, refuses('FT002'))
    bench.answer(takenBy, (values) => (values[0] === id && by !== '' ? [{ by }] : []))
    await expect(back()).rejects.toMatchObject({
      code: 'CONFLICT',
      sentence: { id: 'teamHolding.offerTaken', values: { named, by } }
    })
    expect(offerOf(id)).toMatchObject({ state: 'taken', takenBy: by })
    expect(bench.isAway(ids[0]!)).toBe(true)
    bench.asked()
    await expect(back()).rejects.toMatchObject({ sentence: { values: { named, by } } })
    expect(bench.asked()).toEqual([])
  })

  it.each<[string, object, boolean]>([
    ['whose log goes on elsewhere', { head_hash: 'other' }, true],
    ['that another laptop holds', { is_other: true }, true],
    ['whose log is the beginning of ours', {}, false]
  ])('a job %s is back, or not', async (_, more, isElsewhere) => {
    const { bench, ids, back } = await given()
    bench.answer(holders, () => [held(bench, ids[0]!, more)])
    const withdrawn = await refusalOf(back())
    expect(withdrawn).toBe(isElsewhere ? 'CONFLICT teamHolding.offerTaken' : 'nothing')
    expect(bench.isAway(ids[0]!)).toBe(isElsewhere)
  })

  it('brings back the jobs that nobody has', async () => {
    const { bench, ids, back } = await given(2)
    bench.answer(holders, () => [held(bench, ids[0]!, { is_other: true }), held(bench, ids[1]!)])
    expect(await back()).toMatchObject({ state: 'withdrawn' })
    expect(ids.map((job) => bench.isAway(job))).toEqual([true, false])
  })

  it('makes an offer that the server lost, and withdraws that: what was sent may still arrive', async () => {
    const { bench, ids, back, offered } = await given()
    const answers = [refuses('FT009'), () => []]
    bench.answer(withdraw, () => answers.shift()?.() ?? [])
    expect(await back()).toMatchObject({ state: 'withdrawn' })
    expect(offered).toHaveLength(2)
    expect(bench.asked()).toEqual([withdraw, offer, withdraw])
    expect(bench.isAway(ids[0]!)).toBe(false)
  })

  it('that the server lost, and whose offer it refuses, goes by who has the job', async () => {
    const { bench, ids, back } = await given()
    bench.answer(withdraw, refuses('FT009'))
    bench.answer(offer, refuses('FT002'))
    bench.answer(holders, () => [held(bench, ids[0]!, { is_other: true })])
    expect(await refusalOf(back())).toBe('CONFLICT teamHolding.offerTaken')
    expect(bench.store.teamHolding.offers(1)[0]).toMatchObject({ state: 'taken', takenBy: 'Laptop 2' })
    const other = await given()
    other.bench.answer(withdraw, refuses('FT009'))
    other.bench.answer(offer, refuses('FT008'))
    expect(await other.back()).toMatchObject({ state: 'withdrawn' })
    expect(other.bench.isAway(other.ids[0]!)).toBe(false)
  })

  it.each<[string, string, string]>([
    ['that is lost again', 'FT009', ''],
    ['that was taken in between', 'FT002', 'Laptop 3']
  ])('an offer that was made again and %s is not back', async (_, code, by) => {
    const { bench, ids, back, id, offerOf } = await given()
    const answers = [refuses('FT009'), refuses(code)]
    bench.answer(withdraw, () => answers.shift()?.() ?? [])
    bench.answer(takenBy, () => [{ by }])
    expect(await refusalOf(back())).toBe('CONFLICT teamHolding.offerTaken')
    expect(offerOf(id)).toMatchObject({ state: 'taken', takenBy: by })
    expect(bench.isAway(ids[0]!)).toBe(true)
  })

  it('of something that was never offered is refused', async () => {
    const { bench, handing } = open()
    await expect(handing.withdraw('unknown', bench.signal)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      sentence: message('teamHolding.noSuchOffer', { id: 'unknown' })
    })
  })
})

it.each<[string, AppError, boolean]>([
  ['no way there', new AppError('UNREACHABLE', plainMessage('')), true],
  ['a late answer', new AppError('TIMEOUT', plainMessage('')), true],
  ['a wrong password', new AppError('NOT_AUTHENTICATED', plainMessage('')), true],
  ['what may be tried again', new AppError('SERVER_ERROR', plainMessage(''), { retryable: true }), true],
  ['a refusal', new AppError('CONFLICT', plainMessage('')), false]
])('%s is of the moment, or not', (_, error, isOfNow) => {
  expect(isAway(error)).toBe(isOfNow)
})
