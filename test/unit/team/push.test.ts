import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { push, pushJobs, type PushResult } from '../../../main/team/push/push.ts'
import type { Store } from '../../../main/store/index.ts'
import { message } from '../../../preload/contract/messages.ts'
import { putEmptyData } from '../../support/emptyData.ts'
import { failure, fakeTeamLog, type FakeTeamLog } from '../../support/fakeTeamLog.ts'
import { summaryOf as summary } from '../../support/jobSummary.ts'
import { jpegPicture } from '../../support/pictures.ts'
import { appendEntry, openTestStore } from '../../support/storedJobs.ts'
import { tempFolder } from '../../support/tempFolder.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T08:59:00.000Z'), toFake: ['Date', 'performance'] })
  vi.advanceTimersByTime(60_000)
})
afterEach(() => vi.useRealTimers())

interface Bench {
  store: Store
  log: FakeTeamLog
  stop: AbortController
  far: PushResult[]
  /** Writes this many entries into the log of a job, which is older than the jobs written before. */
  write(jobId: string, entries: number): void
  push(): Promise<PushResult>
  /** The jobs that stopped, with the reason. */
  stopped(): string[]
}

function open(): Bench {
  const folder = tempFolder()
  putEmptyData(folder)
  const store = openTestStore(folder)
  const log = fakeTeamLog()
  const stop = new AbortController()
  const far: PushResult[] = []
  let jobs = 0
  return {
    store,
    log,
    stop,
    far,
    write(jobId, entries) {
      const createdAt = new Date(Date.parse('2026-03-01T10:00:00.000Z') - (jobs += 1) * 1000).toISOString()
      store.together(() => {
        for (let n = 0; n < entries; n++) appendEntry(store, jobId, `entry ${String(n)}`, { createdAt })
      })
      store.teamPush.takeAddedTo()
    },
    push: () => push(log.client, { store, signal: stop.signal, progress: (result) => far.push(result) }),
    stopped: () => store.teamPush.stopped().map(({ jobId, why }) => `${jobId} ${why.id}`)
  }
}
const there = ({ log }: Bench, jobId: string) => (log.logs.get(jobId) ?? []).map(({ hash }) => hash)
const here = ({ store }: Bench, jobId: string) => store.jobs.journal(jobId).map(({ hash }) => hash)

describe('A push', () => {
  it('sends many jobs in one call, newest first, and each entry once', async () => {
    const bench = open()
    bench.write('a', 2)
    bench.write('b', 1)
    expect(await bench.push()).toEqual({ jobs: 2, entries: 3, pictures: 0, stopped: 0 })
    expect(bench.log.asked).toEqual(['a 1-2, b 1-1'])
    expect(there(bench, 'a')).toEqual(here(bench, 'a'))
    expect(bench.store.teamPush.waitingCount()).toBe(0)
    expect(bench.store.teamPush.pushedAt()).toBe('2026-11-20T09:00:00.000Z')
    expect(bench.far).toEqual([{ jobs: 2, entries: 3, pictures: 0, stopped: 0 }])
    appendEntry(bench.store, 'b', 'later')
    expect(await bench.push()).toEqual({ jobs: 1, entries: 1, pictures: 0, stopped: 0 })
    expect(bench.log.asked.slice(1)).toEqual(['b 2-2'])
  })

  it('need not tell anybody how far it is', async () => {
    const { store, log, stop, write } = open()
    write('a', 1)
    expect(await push(log.client, { store, signal: stop.signal })).toMatchObject({ jobs: 1 })
  })

  it('sends nothing where nothing waits', async () => {
    const bench = open()
    expect(await bench.push()).toEqual({ jobs: 0, entries: 0, pictures: 0, stopped: 0 })
    expect(bench.log.asked).toEqual([])
  })

  it('sends a long log in pieces, more at once while the server is fast, and tells how far it is', async () => {
    const bench = open()
    bench.write('long', 600)
    bench.write('short', 1)
    expect(await bench.push()).toEqual({ jobs: 2, entries: 601, pictures: 0, stopped: 0 })
    expect(bench.log.asked).toEqual(['long 1-125', 'long 126-375', 'long 376-600, short 1-1'])
    expect(bench.far.map(({ jobs, entries }) => [jobs, entries])).toEqual([[0, 125], [0, 375], [2, 601]])
  })

  it('leaves a job for the next call that does not fit into this one', async () => {
    const bench = open()
    bench.write('a', 100)
    bench.write('b', 100)
    bench.write('c', 25)
    await bench.push()
    expect(bench.log.asked).toEqual(['a 1-100', 'b 1-100, c 1-25'])
  })

  it('fills a call to its last entry, and puts no further job into a full one', async () => {
    const bench = open()
    bench.write('a', 100)
    bench.write('b', 25)
    bench.write('c', 1)
    await bench.push()
    expect(bench.log.asked).toEqual(['a 1-100, b 1-25', 'c 1-1'])
  })

  it('carries so many jobs, and so many letters, in one call', async () => {
    const bench = open()
    for (let n = 0; n < 30; n++) bench.write(`job${String(n).padStart(2, '0')}`, 1)
    await bench.push()
    expect(bench.log.asked.map((call) => call.split(', ').length)).toEqual([25, 5])
    const other = open()
    for (const jobId of ['a', 'b', 'c']) appendEntry(other.store, jobId, 'x'.repeat(120_000))
    other.store.teamPush.takeAddedTo()
    await other.push()
    expect(other.log.asked.map((call) => call.split(', ').length)).toEqual([2, 1])
  })

  it('reads hundreds of waiting jobs page by page, and sends each of them once', async () => {
    const bench = open()
    bench.store.together(() => {
      for (let n = 0; n < 810; n++) bench.write(`job${String(n)}`, 1)
    })
    const looked = vi.spyOn(bench.store.teamPush, 'waiting')
    expect(await bench.push()).toMatchObject({ jobs: 810, entries: 810 })
    const sent = bench.log.asked.flatMap((call) => call.split(', '))
    expect(sent).toEqual(Array.from({ length: 810 }, (_, n) => `job${String(n)} 1-1`))
    expect(looked.mock.calls).toEqual([[400, undefined], [400, 'job399'], [400, 'job799'], [400, undefined]])
  }, 60_000)

  it('sends what is written meanwhile before the older rest, in turn with it', async () => {
    const bench = open()
    bench.write('today', 1)
    bench.write('old', 1_500)
    bench.log.before = () => {
      if (bench.log.asked.length < 4) appendEntry(bench.store, 'today', `during call ${String(bench.log.asked.length)}`)
    }
    expect(await bench.push()).toMatchObject({ entries: 1_504 })
    expect(bench.log.asked).toEqual(['today 1-1', 'today 2-2', 'old 1-500', 'today 3-4', 'old 501-1500'])
  })

  it('begins with what was changed last', async () => {
    const bench = open()
    bench.write('newest', 1)
    bench.write('older', 1)
    appendEntry(bench.store, 'older', 'a moment ago')
    await bench.push()
    expect(bench.log.asked).toEqual(['older 1-2', 'newest 1-1'])
  })

  it('sends what is added at its very end as well', async () => {
    const bench = open()
    bench.write('a', 1)
    let isAdded = false
    bench.log.before = () => {
      if (isAdded) return
      isAdded = true
      appendEntry(bench.store, 'b', 'meanwhile')
      bench.store.teamPush.takeAddedTo()
    }
    expect(await bench.push()).toMatchObject({ jobs: 2 })
    expect(bench.log.asked).toEqual(['a 1-1', 'b 1-1'])
  })

  it('passes over what was changed and waits for nothing', async () => {
    const bench = open()
    appendEntry(bench.store, 'a', 'first')
    bench.store.teamPush.stop('a', message('team.fork'))
    bench.write('b', 1)
    appendEntry(bench.store, 'a', 'second')
    bench.log.on.push(['from fitter.fork', () => bench.store.teamAcknowledged.forked().map(({ lastHash }) => ({ hash: lastHash }))])
    await bench.push()
    expect(bench.log.asked.filter((call) => call.startsWith('a') || call.startsWith('b'))).toEqual(['b 1-1'])
  })

  it('ends at once when it is stopped', async () => {
    const bench = open()
    bench.write('a', 300)
    bench.log.before = () => bench.stop.abort(new Error('stopped'))
    await expect(bench.push()).rejects.toThrow('stopped')
    expect(bench.log.asked).toEqual(['a 1-125'])
    expect(bench.store.teamPush.pushed('a')?.seq).toBe(125)
  })

  it('gives again what the server lost of what it acknowledged', async () => {
    const bench = open()
    bench.write('a', 3)
    bench.write('b', 1)
    await bench.push()
    bench.log.logs.set('a', (bench.log.logs.get('a') ?? []).slice(0, 2))
    bench.log.logs.delete('b')
    bench.log.asked.length = 0
    expect(await bench.push()).toEqual({ jobs: 2, entries: 2, pictures: 0, stopped: 0 })
    expect(bench.log.asked).toEqual(['a 3-3, b 1-1'])
  })

  it('tries again what waited for another laptop', async () => {
    const bench = open()
    bench.write('a', 1)
    bench.store.teamPush.hold('a', message('team.heldByOther'))
    expect(await bench.push()).toMatchObject({ jobs: 1 })
    expect(bench.store.teamPush.held()).toEqual([])
  })
})

describe('A server that is slow', () => {
  it('gets less in one call, down to one job, and the rest after it', async () => {
    const bench = open()
    for (const jobId of ['a', 'b', 'c', 'd']) bench.write(jobId, 1)
    let late = 2
    bench.log.before = () => {
      if ((late -= 1) >= 0) throw failure('57014')
    }
    expect(await bench.push()).toMatchObject({ jobs: 4, entries: 4 })
    expect(bench.log.asked).toEqual(['a 1-1, b 1-1, c 1-1, d 1-1', 'a 1-1, b 1-1, c 1-1', 'a 1-1', 'b 1-1, c 1-1', 'd 1-1'].slice(0, bench.log.asked.length))
    expect(bench.log.asked.length).toBeGreaterThan(2)
  })

  it('gets less after calls that took long', async () => {
    const bench = open()
    for (let n = 0; n < 3; n++) bench.write(`job${String(n)}`, 200)
    bench.log.before = () => vi.setSystemTime(Date.now())
    const spent = vi.spyOn(performance, 'now')
    let clock = 0
    spent.mockImplementation(() => (clock += 1_000))
    await bench.push()
    expect(bench.log.asked.every((call) => Number(call.split('-')[1]) - Number(call.split(/[ -]/)[1]) <= 249)).toBe(true)
    spent.mockRestore()
  })

  it('that never answers in time ends the push with its failure', async () => {
    const bench = open()
    bench.write('a', 1)
    bench.log.before = () => {
      throw failure('57014')
    }
    await expect(bench.push()).rejects.toMatchObject({ code: '57014' })
    expect(bench.log.asked.length).toBeGreaterThan(1)
    expect(bench.store.teamPush.waitingCount()).toBe(1)
  })

  it('that fails otherwise is not asked again', async () => {
    const bench = open()
    bench.write('a', 1)
    bench.log.before = () => {
      throw failure('53100')
    }
    await expect(bench.push()).rejects.toMatchObject({ code: '53100' })
    expect(bench.log.asked).toEqual(['a 1-1'])
  })
})

describe('One job alone', () => {
  it('that somebody keeps locked waits, and the others go', async () => {
    const bench = open()
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
    const bench = open()
    for (let n = 0; n < 5; n++) bench.write(`locked${String(n)}`, 1)
    bench.write('free', 1)
    bench.log.before = ({ jobs }) => {
      if (jobs.some((jobId) => jobId.startsWith('locked'))) throw failure('55P03')
    }
    await expect(bench.push()).rejects.toMatchObject({ code: '55P03' })
    expect(there(bench, 'free')).toEqual([])
    expect(new Set(bench.log.asked.filter((call) => !call.includes(',')))).toEqual(new Set(['locked0 1-1', 'locked1 1-1', 'locked2 1-1', 'locked3 1-1']))
  })

  it('that is locked and changed meanwhile is not tried again in this push', async () => {
    const bench = open()
    for (const jobId of ['locked', 'b']) bench.write(jobId, 1)
    bench.log.before = ({ jobs }) => {
      if (jobs.includes('locked')) throw failure('55P03')
      appendEntry(bench.store, 'locked', 'meanwhile')
    }
    await expect(bench.push()).rejects.toMatchObject({ code: '55P03' })
    expect(there(bench, 'b')).toHaveLength(1)
  })

  it('whose entry is too large for the server stops, and the others go', async () => {
    const bench = open()
    for (const jobId of ['a', 'large', 'b']) bench.write(jobId, 1)
    bench.log.before = ({ jobs }) => {
      if (jobs.includes('large')) throw failure('FT005')
    }
    expect(await bench.push()).toEqual({ jobs: 2, entries: 2, pictures: 0, stopped: 1 })
    expect(bench.stopped()).toEqual(['large teamPush.tooMuch'])
    expect([there(bench, 'a').length, there(bench, 'b').length]).toEqual([1, 1])
  })

  it('whose log ends before what was acknowledged stops', async () => {
    const bench = open()
    bench.write('damaged', 1)
    bench.write('b', 1)
    bench.log.logs.set('damaged', Array.from({ length: 5 }, (_, n) => ({ seq: n + 1, hash: 'x', text: '' })))
    bench.store.teamPush.acknowledge('damaged', { seq: 5, hash: 'x' })
    expect(await bench.push()).toEqual({ jobs: 1, entries: 1, pictures: 0, stopped: 1 })
    expect(bench.stopped()).toEqual(['damaged team.logDamaged'])
  })

  it('that is damaged is not asked about at all', async () => {
    const bench = open()
    bench.write('damaged', 1)
    bench.log.logs.set('damaged', Array.from({ length: 5 }, (_, n) => ({ seq: n + 1, hash: 'x', text: '' })))
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
    const bench = open()
    for (const jobId of ['a', 'wrong', 'b']) bench.write(jobId, 1)
    bench.log.instead.set('wrong', [answer])
    expect(await bench.push()).toEqual({ jobs: 2, entries: 2, pictures: 0, stopped: 1 })
    expect(bench.stopped()).toEqual([`wrong ${why}`])
    expect(bench.store.teamPush.waitingCount()).toBe(0)
  })

  it('that diverged is stored to its end beside the other log', async () => {
    const bench = open()
    bench.write('a', 200)
    bench.log.instead.set('a', [{ outcome: 'fork' }])
    const kept: unknown[] = []
    bench.log.on.push(['fitter.keep_fork', (values) => (kept.push((values[1] as string[]).length), [])])
    expect(await bench.push()).toMatchObject({ stopped: 1, entries: 0 })
    expect(kept).toEqual([75])
  })

  it('that somebody else holds waits for them', async () => {
    const bench = open()
    for (const jobId of ['a', 'held', 'b']) bench.write(jobId, 1)
    bench.log.instead.set('held', [{ outcome: 'refused', code: 'FT002' }])
    bench.log.on.push(['is_known', () => []])
    expect(await bench.push()).toEqual({ jobs: 2, entries: 2, pictures: 0, stopped: 1 })
    expect(bench.store.teamPush.held()).toEqual([{ jobId: 'held', why: message('team.heldByOther') }])
    expect(bench.log.asked).toEqual(['a 1-1, held 1-1, b 1-1', 'is_known'])
  })

  it('that a restored server thinks is held by another is taken over again, and sent to its end', async () => {
    const bench = open()
    bench.write('mine', 1)
    bench.store.jobs.append('mine', [{ type: 'movedHere', stepId: null, data: { id: 'TAKEN', reason: 'lost', isTakenOver: true }, at: '2026-03-01T10:00:00.000Z' }], () => bench.store.teamPush.summary('mine')!)
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
    const bench = open()
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
    const bench = open()
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
    const bench = open()
    bench.write('a', 1)
    const file = await bench.store.attachments.write(jpegPicture(40, 30))
    const sha256 = bench.store.attachments.keep({ jobId: 'a', file, mediaType: 'image/jpeg', at: '2026-03-01T10:00:00.000Z' })
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
    const bench = open()
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
  const jobCreated = (template: unknown) => ({ type: 'jobCreated', stepId: null, data: { template, profile: { id: 'standard' } } as never, at: '2026-03-01T10:00:00.000Z' })

  it('is stored with its first entry, once for all jobs of one push', async () => {
    const bench = open()
    for (const jobId of ['a', 'b']) bench.store.jobs.append(jobId, [jobCreated({ id: 'checklist' })], () => summary(jobId))
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
    const bench = open()
    bench.write('long', 501)
    bench.write('other', 1)
    await pushJobs(bench.log.client, { store: bench.store, signal: bench.stop.signal }, ['long'])
    expect(bench.log.asked).toEqual(['long 1-500', 'long 501-501'])
    expect(bench.store.teamPush.waitingCount()).toBe(1)
    await pushJobs(bench.log.client, { store: bench.store, signal: bench.stop.signal }, ['long'])
    expect(bench.log.asked).toHaveLength(2)
  })

  it('end at once when their work is stopped, or when the server stops one', async () => {
    const bench = open()
    bench.write('long', 501)
    bench.log.instead.set('long', [{ outcome: 'fork' }])
    bench.log.on.push(['fitter.keep_fork', () => []])
    await pushJobs(bench.log.client, { store: bench.store, signal: bench.stop.signal }, ['long'])
    expect(bench.log.asked).toEqual(['long 1-500', 'fitter.keep_fork'])
    bench.stop.abort(new Error('stopped'))
    await expect(pushJobs(bench.log.client, { store: bench.store, signal: bench.stop.signal }, ['long'])).rejects.toThrow('stopped')
  })
})
