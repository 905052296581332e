import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { away, refusalOf, sentenceOf } from '../../world/team/holdingBench.ts'
import { openLaptop } from '../../world/team/laptop.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import {
  holdings,
  jobThere,
  nothing,
  offered,
  openPulling,
  refuses,
  takeOffer,
  type JobThere,
  type Offer
} from '../../world/team/pullBench.ts'

describe('Looking at the server', () => {
  it('asks at one moment for offers, for what was lost, and for the jobs of both', async () => {
    const { bench, arriving } = openPulling()
    const job = bench.makeJob()
    bench.store.teamPush.hold(job, message('team.heldByOther'))
    const { offer } = await offered()
    const asked: unknown[] = []
    bench.answer('from fitter.offers()', () => [offer, { ...offer, id: 'second' }])
    bench.answer('from fitter.lost()', () => [{ job_id: job }])
    bench.answer('from fitter.job j left join', (values) => (asked.push(values[0]), [jobThere(job)[1]]))
    expect(await arriving.see(bench.signal)).toEqual({
      own: 'Laptop 1',
      offers: [offer, { ...offer, id: 'second' }],
      lost: [{ job_id: job }],
      jobs: new Map([jobThere(job)])
    })
    expect(asked).toEqual([[job, offer.jobs[0]?.id]])
  })
})

describe('An offer to this laptop', () => {
  it('arrives: it is fetched, looked at, taken there, and only then imported', async () => {
    const { bench, arriving, journal } = openPulling()
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
    const { bench, arriving } = openPulling()
    const from = openLaptop({ folder: tempFolder(), name: 'Technician Two' })
    onTestFinished(() => from.end())
    const job = from.makeJob()
    const id = await from.transfers.leave({ jobIds: [job], to: 'Laptop 1' }, () => undefined)
    const { content, text, sha256 } = from.transfers.content(id)
    bench.serve(job, from.store.jobs.journal(job))
    bench.answer('select bytes from fitter.piece', ([, number]) => (number === 0 ? [{ bytes: Buffer.from(text) }] : []))
    bench.answer(takeOffer, () => [])
    const offer: Offer = {
      id,
      from_name: 'Laptop 2',
      to_name: 'Laptop 1',
      at: new Date(),
      jobs: content.jobs,
      work_sha256: sha256,
      state: 'open',
      taken_by_name: '',
      is_from_me: false,
      is_taken_by_me: false
    }
    expect((await arriving.arrive(holdings({ offers: [offer] }), bench.signal)).arrived).toMatchObject([
      { from: 'Technician Two' }
    ])
  })

  it.each<[string, Partial<Offer>, boolean]>([
    ['to another laptop', { to_name: 'Laptop 3' }, false],
    ['to anybody', { to_name: '' }, false],
    ['of this laptop', { is_from_me: true }, false],
    ['that is over', { state: 'withdrawn' }, false],
    ['that this laptop took, without the import', { state: 'taken', is_taken_by_me: true, to_name: '' }, true],
    ['that another laptop took', { state: 'taken' }, false]
  ])('%s arrives by itself, or not', async (_, more, comes) => {
    const { bench, arriving } = openPulling()
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
    const { bench, arriving } = openPulling()
    const { offer, job, head, serve } = await offered({ state: 'taken', is_taken_by_me: true })
    serve(bench)
    expect(arriving.coming(holdings({ offers: [offer], jobs: new Map(jobs(job, head)) }))).toEqual([])
  })

  it('that this laptop took, of which one of two jobs changed since, does not arrive', async () => {
    const { arriving } = openPulling()
    const { offer, job, head } = await offered({ state: 'taken', is_taken_by_me: true })
    const both = { ...offer, jobs: [...offer.jobs, { id: 'second', seq: 1, hash: 'head' }] }
    const seen = (second: Partial<JobThere>) =>
      holdings({
        offers: [both],
        jobs: new Map([
          jobThere(job, { is_mine: true, head_hash: head }),
          jobThere('second', { is_mine: true, ...second })
        ])
      })
    expect(arriving.coming(seen({}))).toEqual([offer.id])
    expect(arriving.coming(seen({ head_hash: 'other' }))).toEqual([])
  })

  it('that cannot be imported says why, is not taken, and holds no other one back', async () => {
    const { bench, arriving, journal } = openPulling()
    const [broken, fine] = [await offered(), await offered()]
    fine.serve(bench)
    bench.log.logs.set(broken.job, [])
    const { arrived, why } = await arriving.arrive(
      holdings({ offers: [{ ...broken.offer, work_sha256: 'x'.repeat(64) }, fine.offer] }),
      bench.signal
    )
    expect(arrived).toHaveLength(1)
    expect([...why].map(([id, sentence]) => [id, sentence.id])).toEqual([[broken.offer.id, 'store.attachmentChanged']])
    expect(journal(broken.job)).toEqual([])
    expect(bench.asked().filter((one) => one === takeOffer)).toHaveLength(1)
  })

  it('whose log cannot be read here is looked at before it is taken', async () => {
    const { bench, arriving } = openPulling()
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
    const { bench, arriving, journal } = openPulling()
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
    const { bench, arriving } = openPulling()
    const { offer } = await offered()
    bench.fails = failed
    await expect(arriving.arrive(holdings({ offers: [offer] }), bench.signal)).rejects.toBe(failed)
  })

  it('brings its pictures, and arrives with all of them or not at all', async () => {
    const { bench, arriving, journal } = openPulling()
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
    const { bench, arriving } = openPulling()
    const { offer, serve, picture, from } = await offered({}, pictures)
    serve(bench)
    const { text, sha256, content } = from.transfers.content(offer.id)
    expect(content.attachments).toHaveLength(pictures)
    bench.answer('select bytes from fitter.piece', ([named, number]) => {
      if (named === picture || number !== 0) return []
      return [
        { bytes: named === sha256 ? Buffer.from(text) : Buffer.from(from.store.attachments.read(named as string)) }
      ]
    })
    expect(await refusalOf(arriving.take(offer.id, holdings({ offers: [offer] }), bench.signal))).toBe(
      'DATA_UNUSABLE transfer.broken'
    )
  })

  it('may be taken by a person, unless it is their own or over', async () => {
    const { bench, arriving } = openPulling()
    const { offer, serve } = await offered({ to_name: '' })
    serve(bench)
    const take = (more: Partial<Offer>, id = offer.id) =>
      refusalOf(arriving.take(id, holdings({ offers: [{ ...offer, ...more }] }), bench.signal))
    expect(await take({}, 'unknown')).toBe('NOT_FOUND teamHolding.noSuchOffer')
    expect(await sentenceOf(arriving.take('unknown', nothing, bench.signal))).toEqual(
      message('teamHolding.noSuchOffer', { id: 'unknown' })
    )
    bench.answer(takeOffer, refuses('FT009'))
    expect(await sentenceOf(arriving.take(offer.id, holdings({ offers: [offer] }), bench.signal))).toEqual(
      message('teamHolding.noSuchOffer', { id: offer.id })
    )
    bench.answer(takeOffer, () => [])
    expect(await take({ is_from_me: true })).toBe('INVALID_REQUEST teamHolding.offerIsYours')
    expect(await take({ state: 'withdrawn' })).toBe('CONFLICT teamHolding.offerWithdrawn')
    expect(await refusalOf(arriving.fetch('unknown', nothing, bench.signal))).toBe('NOT_FOUND teamHolding.noSuchOffer')
    expect(await take({})).toBe('nothing')
  })
})
