import { describe, expect, it, vi } from 'vitest'
import { push } from '../../../main/team/push/push.ts'
import { message } from '../../../preload/contract/messages.ts'
import { failure } from '../../world/team/fakeTeamLog.ts'
import { appendEntry } from '../../world/data/storedJobs.ts'
import { here, openPushBench, there, usePushClock } from '../../world/team/pushBench.ts'

usePushClock()

describe('A push', () => {
  it('sends many jobs in one call, newest first, and each entry once', async () => {
    const bench = openPushBench()
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
    const { store, log, stop, write } = openPushBench()
    write('a', 1)
    expect(await push(log.client, { store, signal: stop.signal })).toMatchObject({ jobs: 1 })
  })

  it('sends nothing where nothing waits', async () => {
    const bench = openPushBench()
    expect(await bench.push()).toEqual({ jobs: 0, entries: 0, pictures: 0, stopped: 0 })
    expect(bench.log.asked).toEqual([])
  })

  it('sends a long log in pieces, more at once while the server is fast, and tells how far it is', async () => {
    const bench = openPushBench()
    bench.write('long', 600)
    bench.write('short', 1)
    expect(await bench.push()).toEqual({ jobs: 2, entries: 601, pictures: 0, stopped: 0 })
    expect(bench.log.asked).toEqual(['long 1-125', 'long 126-375', 'long 376-600, short 1-1'])
    expect(bench.far.map(({ jobs, entries }) => [jobs, entries])).toEqual([
      [0, 125],
      [0, 375],
      [2, 601]
    ])
  })

  it('leaves a job for the next call that does not fit into this one', async () => {
    const bench = openPushBench()
    bench.write('a', 100)
    bench.write('b', 100)
    bench.write('c', 25)
    await bench.push()
    expect(bench.log.asked).toEqual(['a 1-100', 'b 1-100, c 1-25'])
  })

  it('fills a call to its last entry, and puts no further job into a full one', async () => {
    const bench = openPushBench()
    bench.write('a', 100)
    bench.write('b', 25)
    bench.write('c', 1)
    await bench.push()
    expect(bench.log.asked).toEqual(['a 1-100, b 1-25', 'c 1-1'])
  })

  it('carries so many jobs, and so many letters, in one call', async () => {
    const bench = openPushBench()
    for (let n = 0; n < 30; n++) bench.write(`job${String(n).padStart(2, '0')}`, 1)
    await bench.push()
    expect(bench.log.asked.map((call) => call.split(', ').length)).toEqual([25, 5])
    const other = openPushBench()
    for (const jobId of ['a', 'b', 'c']) appendEntry(other.store, jobId, 'x'.repeat(120_000))
    other.store.teamPush.takeAddedTo()
    await other.push()
    expect(other.log.asked.map((call) => call.split(', ').length)).toEqual([2, 1])
  })

  it('reads hundreds of waiting jobs page by page, and sends each of them once', async () => {
    const bench = openPushBench()
    bench.store.together(() => {
      for (let n = 0; n < 810; n++) bench.write(`job${String(n)}`, 1)
    })
    const looked = vi.spyOn(bench.store.teamPush, 'waiting')
    expect(await bench.push()).toMatchObject({ jobs: 810, entries: 810 })
    const sent = bench.log.asked.flatMap((call) => call.split(', '))
    expect(sent).toEqual(Array.from({ length: 810 }, (_, n) => `job${String(n)} 1-1`))
    expect(looked.mock.calls).toEqual([
      [400, undefined],
      [400, 'job399'],
      [400, 'job799'],
      [400, undefined]
    ])
  }, 180_000)

  it('sends what is written meanwhile before the older rest, in turn with it', async () => {
    const bench = openPushBench()
    bench.write('today', 1)
    bench.write('old', 1_500)
    bench.log.before = () => {
      if (bench.log.asked.length < 4) appendEntry(bench.store, 'today', `during call ${String(bench.log.asked.length)}`)
    }
    expect(await bench.push()).toMatchObject({ entries: 1_504 })
    expect(bench.log.asked).toEqual(['today 1-1', 'today 2-2', 'old 1-500', 'today 3-4', 'old 501-1500'])
  })

  it('begins with what was changed last', async () => {
    const bench = openPushBench()
    bench.write('newest', 1)
    bench.write('older', 1)
    appendEntry(bench.store, 'older', 'a moment ago')
    await bench.push()
    expect(bench.log.asked).toEqual(['older 1-2', 'newest 1-1'])
  })

  it('sends what is added at its very end as well', async () => {
    const bench = openPushBench()
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
    const bench = openPushBench()
    appendEntry(bench.store, 'a', 'first')
    bench.store.teamPush.stop('a', message('team.fork'))
    bench.write('b', 1)
    appendEntry(bench.store, 'a', 'second')
    bench.log.on.push([
      'from fitter.fork',
      () => bench.store.teamAcknowledged.forked().map(({ lastHash }) => ({ hash: lastHash }))
    ])
    await bench.push()
    expect(bench.log.asked.filter((call) => call.startsWith('a') || call.startsWith('b'))).toEqual(['b 1-1'])
  })

  it('ends at once when it is stopped', async () => {
    const bench = openPushBench()
    bench.write('a', 300)
    bench.log.before = () => bench.stop.abort(new Error('stopped'))
    await expect(bench.push()).rejects.toThrow('stopped')
    expect(bench.log.asked).toEqual(['a 1-125'])
    expect(bench.store.teamPush.pushed('a')?.seq).toBe(125)
  })

  it('gives again what the server lost of what it acknowledged', async () => {
    const bench = openPushBench()
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
    const bench = openPushBench()
    bench.write('a', 1)
    bench.store.teamPush.hold('a', message('team.heldByOther'))
    expect(await bench.push()).toMatchObject({ jobs: 1 })
    expect(bench.store.teamPush.held()).toEqual([])
  })
})

describe('A server that is slow', () => {
  it('gets less in one call, down to one job, and the rest after it', async () => {
    const bench = openPushBench()
    for (const jobId of ['a', 'b', 'c', 'd']) bench.write(jobId, 1)
    let late = 2
    bench.log.before = () => {
      if ((late -= 1) >= 0) throw failure('57014')
    }
    expect(await bench.push()).toMatchObject({ jobs: 4, entries: 4 })
    expect(bench.log.asked).toEqual(
      ['a 1-1, b 1-1, c 1-1, d 1-1', 'a 1-1, b 1-1, c 1-1', 'a 1-1', 'b 1-1, c 1-1', 'd 1-1'].slice(
        0,
        bench.log.asked.length
      )
    )
    expect(bench.log.asked.length).toBeGreaterThan(2)
  })

  it('gets less after calls that took long', async () => {
    const bench = openPushBench()
    for (let n = 0; n < 3; n++) bench.write(`job${String(n)}`, 200)
    bench.log.before = () => vi.setSystemTime(Date.now())
    const spent = vi.spyOn(performance, 'now')
    let clock = 0
    spent.mockImplementation(() => (clock += 1_000))
    await bench.push()
    expect(bench.log.asked.every((call) => Number(call.split('-')[1]) - Number(call.split(/[ -]/)[1]) <= 249)).toBe(
      true
    )
    spent.mockRestore()
  })

  it('that never answers in time ends the push with its failure', async () => {
    const bench = openPushBench()
    bench.write('a', 1)
    bench.log.before = () => {
      throw failure('57014')
    }
    await expect(bench.push()).rejects.toMatchObject({ code: '57014' })
    expect(bench.log.asked.length).toBeGreaterThan(1)
    expect(bench.store.teamPush.waitingCount()).toBe(1)
  })

  it('that fails otherwise is not asked again', async () => {
    const bench = openPushBench()
    bench.write('a', 1)
    bench.log.before = () => {
      throw failure('53100')
    }
    await expect(bench.push()).rejects.toMatchObject({ code: '53100' })
    expect(bench.log.asked).toEqual(['a 1-1'])
  })
})
