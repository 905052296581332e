import { describe, expect, it, vi } from 'vitest'
import { pushJobs } from '../../../main/team/push/push.ts'
import { message } from '../../../preload/contract/messages.ts'
import { failure } from '../../world/team/fakeTeamLog.ts'
import { summaryOf as summary } from '../../world/data/jobSummary.ts'
import { jpegPicture } from '../../world/data/pictures.ts'
import { appendEntry } from '../../world/data/storedJobs.ts'
import { here, openPushBench, there, usePushClock } from '../../world/team/pushBench.ts'

usePushClock()

describe('One job alone', () => {
  it('that somebody keeps locked waits, and the others go', async () => {
    const bench = openPushBench()
    for (const jobId of ['a', 'locked', 'b']) bench.write(jobId, 1)
    bench.log.before = ({ jobs }) => {
      if (jobs.includes('locked')) throw failure('55P03')
    }
    await expect(bench.push()).rejects.toMatchObject({ code: '55P03' })
    expect([there(bench, 'a').length, there(bench, 'b').length, there(bench, 'locked').length]).toEqual([1, 1, 0])
    expect(bench.stopped()).toEqual([])
    bench.log.before = () => undefined
    expect(await bench.push()).toMatchObject({ jobs: 1 })
  })

  it('is not one where several are locked: then the server is, and the push ends', async () => {
    const bench = openPushBench()
    for (let n = 0; n < 5; n++) bench.write(`locked${String(n)}`, 1)
    bench.write('free', 1)
    bench.log.before = ({ jobs }) => {
      if (jobs.some((jobId) => jobId.startsWith('locked'))) throw failure('55P03')
    }
    await expect(bench.push()).rejects.toMatchObject({ code: '55P03' })
    expect(there(bench, 'free')).toEqual([])
    expect(new Set(bench.log.asked.filter((call) => !call.includes(',')))).toEqual(
      new Set(['locked0 1-1', 'locked1 1-1', 'locked2 1-1', 'locked3 1-1'])
    )
  })

  it('that is locked and changed meanwhile is not tried again in this push', async () => {
    const bench = openPushBench()
    for (const jobId of ['locked', 'b']) bench.write(jobId, 1)
    bench.log.before = ({ jobs }) => {
      if (jobs.includes('locked')) throw failure('55P03')
      appendEntry(bench.store, 'locked', 'meanwhile')
    }
    await expect(bench.push()).rejects.toMatchObject({ code: '55P03' })
    expect(there(bench, 'b')).toHaveLength(1)
  })

  it('whose entry is too large for the server stops, and the others go', async () => {
    const bench = openPushBench()
    for (const jobId of ['a', 'large', 'b']) bench.write(jobId, 1)
    bench.log.before = ({ jobs }) => {
      if (jobs.includes('large')) throw failure('FT005')
    }
    expect(await bench.push()).toEqual({ jobs: 2, entries: 2, pictures: 0, stopped: 1 })
    expect(bench.stopped()).toEqual(['large teamPush.tooMuch'])
    expect([there(bench, 'a').length, there(bench, 'b').length]).toEqual([1, 1])
  })

  it('whose log ends before what was acknowledged stops', async () => {
    const bench = openPushBench()
    bench.write('damaged', 1)
    bench.write('b', 1)
    bench.log.logs.set(
      'damaged',
      Array.from({ length: 5 }, (_, n) => ({ seq: n + 1, hash: 'x', text: '' }))
    )
    bench.store.teamPush.acknowledge('damaged', { seq: 5, hash: 'x' })
    expect(await bench.push()).toEqual({ jobs: 1, entries: 1, pictures: 0, stopped: 1 })
    expect(bench.stopped()).toEqual(['damaged team.logDamaged'])
  })

  it('that is damaged is not asked about at all', async () => {
    const bench = openPushBench()
    bench.write('damaged', 1)
    bench.log.logs.set(
      'damaged',
      Array.from({ length: 5 }, (_, n) => ({ seq: n + 1, hash: 'x', text: '' }))
    )
    bench.store.teamPush.acknowledge('damaged', { seq: 5, hash: 'x' })
    expect(await bench.push()).toEqual({ jobs: 0, entries: 0, pictures: 0, stopped: 1 })
    expect(bench.log.asked).toEqual([])
    expect(bench.far).toEqual([])
  })

  it.each([
    ['another log than the one there', { outcome: 'fork' as const }, 'team.fork'],
    ['a hash that does not fit', { outcome: 'refused' as const, code: 'FT003' }, 'team.logDamaged'],
    ['a log that the team dropped', { outcome: 'refused' as const, code: 'FT011' }, 'teamServer.dropped'],
    ['too many diverging logs', { outcome: 'refused' as const, code: 'FT012' }, 'teamForks.tooMuch'],
    ['more than the server stores', { outcome: 'refused' as const, code: 'FT005' }, 'teamPush.tooMuch']
  ])('with %s stops, and the others go', async (_, answer, why) => {
    const bench = openPushBench()
    for (const jobId of ['a', 'wrong', 'b']) bench.write(jobId, 1)
    bench.log.instead.set('wrong', [answer])
    expect(await bench.push()).toEqual({ jobs: 2, entries: 2, pictures: 0, stopped: 1 })
    expect(bench.stopped()).toEqual([`wrong ${why}`])
    expect(bench.store.teamPush.waitingCount()).toBe(0)
  })

  it('that diverged is stored to its end beside the other log', async () => {
    const bench = openPushBench()
    bench.write('a', 200)
    bench.log.instead.set('a', [{ outcome: 'fork' }])
    const kept: unknown[] = []
    bench.log.on.push(['fitter.keep_fork', (values) => (kept.push((values[1] as string[]).length), [])])
    expect(await bench.push()).toMatchObject({ stopped: 1, entries: 0 })
    expect(kept).toEqual([75])
  })

  it('that somebody else holds waits for them', async () => {
    const bench = openPushBench()
    for (const jobId of ['a', 'held', 'b']) bench.write(jobId, 1)
    bench.log.instead.set('held', [{ outcome: 'refused', code: 'FT002' }])
    bench.log.on.push(['is_known', () => []])
    expect(await bench.push()).toEqual({ jobs: 2, entries: 2, pictures: 0, stopped: 1 })
    expect(bench.store.teamPush.held()).toEqual([{ jobId: 'held', why: message('team.heldByOther') }])
    expect(bench.log.asked).toEqual(['a 1-1, held 1-1, b 1-1', 'is_known'])
  })

  it('that a restored server thinks is held by another is taken over again, and sent to its end', async () => {
    const bench = openPushBench()
    bench.write('mine', 1)
    bench.store.jobs.append(
      'mine',
      [
        {
          type: 'movedHere',
          stepId: null,
          data: { id: 'TAKEN', reason: 'lost', isTakenOver: true },
          at: '2026-03-01T10:00:00.000Z'
        }
      ],
      () => bench.store.teamPush.summary('mine')!
    )
    for (let n = 0; n < 2; n++) appendEntry(bench.store, 'mine', `later ${String(n)}`)
    bench.store.teamPush.takeAddedTo()
    vi.spyOn(bench.store.handovers, 'isHere').mockImplementation((id) => id === 'TAKEN')
    const [first] = bench.store.jobs.journal('mine')
    bench.log.instead.set('mine', [{ outcome: 'refused', code: 'FT002' }])
    bench.log.on.push(
      ['is_known', () => [{ head_seq: '1', head_hash: first?.hash, is_known: false }]],
      ['begin', () => []],
      ['fitter.take_over', () => [{ head_hash: first?.hash, from_name: 'Laptop 2' }]],
      ['commit', () => []]
    )
    expect(await bench.push()).toEqual({ jobs: 1, entries: 4, pictures: 0, stopped: 0 })
    expect(bench.log.asked).toEqual(['mine 1-4', 'is_known', 'begin', 'fitter.take_over', 'commit', 'mine 1-4'])
    expect(there(bench, 'mine')).toEqual(here(bench, 'mine'))
  })

  it('whose answer is missing is sent again alone', async () => {
    const bench = openPushBench()
    bench.write('a', 3)
    await bench.push()
    appendEntry(bench.store, 'a', 'later')
    bench.log.asked.length = 0
    bench.log.instead.set('a', [{ outcome: 'refused', code: 'FT004', detail: '2' }])
    bench.log.logs.set('a', (bench.log.logs.get('a') ?? []).slice(0, 2))
    const look = vi.spyOn(bench.store.teamAcknowledged, 'before').mockReturnValue([])
    expect(await bench.push()).toEqual({ jobs: 1, entries: 2, pictures: 0, stopped: 0 })
    expect(look).toHaveBeenCalled()
    expect(bench.log.asked).toEqual(['a 4-4', 'a 3-4'])
  })

  it('that was refused again after that stops', async () => {
    const bench = openPushBench()
    bench.write('a', 3)
    await bench.push()
    appendEntry(bench.store, 'a', 'later')
    vi.spyOn(bench.store.teamAcknowledged, 'before').mockReturnValue([])
    bench.log.instead.set('a', [{ outcome: 'refused', code: 'FT004', detail: '0' }, { outcome: 'fork' }])
    expect(await bench.push()).toEqual({ jobs: 0, entries: 0, pictures: 0, stopped: 1 })
    expect(bench.stopped()).toEqual(['a team.fork'])
  })
})

describe('Pictures', () => {
  it('go before the entries that name them, each once', async () => {
    const bench = openPushBench()
    bench.write('a', 1)
    const file = await bench.store.attachments.write(jpegPicture(40, 30))
    const sha256 = bench.store.attachments.keep({
      jobId: 'a',
      file,
      mediaType: 'image/jpeg',
      at: '2026-03-01T10:00:00.000Z'
    })
    bench.log.on.push(
      ['fitter.missing', (values) => (values[0] as string[]).map((missing) => ({ missing }))],
      ['fitter.keep_piece', () => []],
      ['fitter.close_content', () => [{ is_whole: true }]]
    )
    expect(await bench.push()).toEqual({ jobs: 1, entries: 1, pictures: 1, stopped: 0 })
    expect(bench.log.asked).toEqual(['fitter.missing', 'fitter.keep_piece', 'fitter.close_content', 'a 1-1'])
    expect(sha256).toBe(file.sha256)
  })

  it('count for what a call carries', async () => {
    const bench = openPushBench()
    bench.write('a', 1)
    bench.write('b', 1)
    const picture = Buffer.concat([jpegPicture(40, 30), Buffer.alloc(300_000, 7)])
    const file = await bench.store.attachments.write(picture)
    bench.store.attachments.keep({ jobId: 'b', file, mediaType: 'image/jpeg', at: '2026-03-01T10:00:00.000Z' })
    await bench.push()
    expect(bench.log.asked).toEqual(['a 1-1', 'b 1-1'])
  })
})

describe('The checklist of a job', () => {
  const jobCreated = (template: unknown) => ({
    type: 'jobCreated',
    stepId: null,
    data: { template, profile: { id: 'standard' } } as never,
    at: '2026-03-01T10:00:00.000Z'
  })

  it('is stored with its first entry, once for all jobs of one push', async () => {
    const bench = openPushBench()
    for (const jobId of ['a', 'b'])
      bench.store.jobs.append(jobId, [jobCreated({ id: 'checklist' })], () => summary(jobId))
    bench.store.teamPush.takeAddedTo()
    const given: unknown[] = []
    bench.log.on.push(['fitter.missing', (values) => (given.push(values[0]), [])])
    await bench.push()
    expect(given).toHaveLength(2)
    appendEntry(bench.store, 'a', 'later')
    await bench.push()
    expect(given).toHaveLength(2)
  })
})

describe('Jobs that are handed over', () => {
  it('are sent alone, whole and before anything else', async () => {
    const bench = openPushBench()
    bench.write('long', 501)
    bench.write('other', 1)
    await pushJobs(bench.log.client, { store: bench.store, signal: bench.stop.signal }, ['long'])
    expect(bench.log.asked).toEqual(['long 1-500', 'long 501-501'])
    expect(bench.store.teamPush.waitingCount()).toBe(1)
    await pushJobs(bench.log.client, { store: bench.store, signal: bench.stop.signal }, ['long'])
    expect(bench.log.asked).toHaveLength(2)
  })

  it('end at once when their work is stopped, or when the server stops one', async () => {
    const bench = openPushBench()
    bench.write('long', 501)
    bench.log.instead.set('long', [{ outcome: 'fork' }])
    bench.log.on.push(['fitter.keep_fork', () => []])
    await pushJobs(bench.log.client, { store: bench.store, signal: bench.stop.signal }, ['long'])
    expect(bench.log.asked).toEqual(['long 1-500', 'fitter.keep_fork'])
    bench.stop.abort(new Error('stopped'))
    await expect(
      pushJobs(bench.log.client, { store: bench.store, signal: bench.stop.signal }, ['long'])
    ).rejects.toThrow('stopped')
  })
})
