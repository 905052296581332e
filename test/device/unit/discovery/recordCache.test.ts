import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { RecordCache, planNextRefresh, type CachedRecord } from '../../../../main/device/discovery/recordCache.ts'
import type { HeardRecord } from '../../../../main/device/discovery/records.ts'

const name = 'ft4-861234000000011.local'
const instance = 'ft4-861234000000011._http._tcp.local'
const ttlMs = 120_000

const a = (data = '10.9.1.1', more: { ttlMs?: number; flush?: boolean } = {}): HeardRecord => ({
  type: 'A',
  name,
  data,
  ttlMs,
  flush: false,
  ...more
})
const ptr = (data = instance, ttl = ttlMs): HeardRecord => ({
  type: 'PTR',
  name: '_http._tcp.local',
  data,
  ttlMs: ttl,
  flush: false
})
const srv = (port: number): HeardRecord => ({ type: 'SRV', name: instance, data: name, port, ttlMs, flush: false })

let cache: RecordCache
const held = (type: HeardRecord['type'] = 'A', whose = name): readonly CachedRecord[] => cache.set(type, whose)
const only = (): CachedRecord => {
  const [first, ...others] = held()
  if (!first || others.length > 0) throw new Error(`${held().length} records instead of one`)
  return first
}

beforeEach(() => {
  cache = new RecordCache()
})
afterEach(() => void vi.restoreAllMocks())

describe('A record', () => {
  test('is news once, and lives from when it was heard last', () => {
    expect(held()).toEqual([])
    expect(cache.put(a(), 1000)).toBe(true)
    expect(cache.put(a(), 5000)).toBe(false)
    expect(only()).toMatchObject({
      record: a(),
      heardAtMs: 5000,
      namedAtMs: 5000,
      ttlMs,
      expiresAtMs: 125_000,
      saidGoodbye: false,
      wasReplaced: false,
      refreshStep: 0
    })
    expect(held('AAAA')).toEqual([])
  })

  test('of a service counts by its port as well', () => {
    cache.put(srv(8080), 0)
    expect(cache.put(srv(8081), 0)).toBe(true)
    expect(cache.put(srv(8080), 0)).toBe(false)
    expect(held('SRV', instance)).toHaveLength(2)
  })

  test('is over at the end of its time, not before, and others stay', () => {
    cache.put(a(), 0)
    cache.put(a('10.9.1.2'), 1)
    cache.put(ptr(), 1)
    expect(cache.expire(119_999)).toEqual([])
    expect(cache.expire(120_000).map(({ record }) => record.data)).toEqual(['10.9.1.1'])
    expect(held().map(({ record }) => record.data)).toEqual(['10.9.1.2'])
    expect(cache.expire(120_001).map(({ record }) => record.data)).toEqual(['10.9.1.2', instance])
    expect([...cache.all()]).toEqual([])
    expect(cache.expire(1_000_000)).toEqual([])
  })

  test('beyond 5,000 is left out until others are over; one that is held is still renewed', () => {
    for (let number = 0; number < 5000; number += 1)
      expect(cache.put(a(`10.${number >> 8}.${number & 255}.1`), 0)).toBe(true)
    expect(cache.put(a('10.99.0.1'), 0)).toBe(false)
    expect(cache.put(a('10.99.0.1', { flush: true }), 2000)).toBe(true)
    expect(held()).toHaveLength(5000)
    expect(cache.put(a('10.0.0.1'), 2500)).toBe(true)
    cache.expire(3000)
    expect(held()).toHaveLength(1)
    expect(cache.put(a('10.99.0.1'), 3000)).toBe(true)
  })
})

describe('A new record with the cache-flush bit', () => {
  const flushed = (data: string): HeardRecord => a(data, { flush: true })

  test('replaces what was named more than a second before it, and gives that a second', () => {
    cache.put(a('10.9.1.1'), 0)
    cache.put(a('10.9.1.2'), 1)
    expect(cache.put(flushed('10.9.1.3'), 1001)).toBe(true)
    expect(held().map(({ record, wasReplaced, expiresAtMs }) => [record.data, wasReplaced, expiresAtMs])).toEqual([
      ['10.9.1.1', true, 2001],
      ['10.9.1.2', false, 120_001],
      ['10.9.1.3', false, 121_001]
    ])
  })

  test('does so also right after an HTTP answer of the old address', () => {
    cache.put(a('10.9.1.1'), 0)
    cache.confirm('A', name, 4500)
    cache.put(flushed('10.9.1.2'), 5000)
    expect(held().map(({ wasReplaced }) => wasReplaced)).toEqual([true, false])
  })

  test('leaves a record that ends sooner its own end, and replaces each once', () => {
    cache.put(a('10.9.1.1', { ttlMs: 1500 }), 0)
    cache.put(flushed('10.9.1.2'), 1200)
    expect(held()[0]).toMatchObject({ wasReplaced: true, expiresAtMs: 1500 })
    cache.put(a('10.9.1.3', { ttlMs: 10_000 }), 0)
    cache.put(flushed('10.9.1.2'), 3000)
    expect(cache.put(flushed('10.9.1.2'), 3500)).toBe(false)
    expect(held().find(({ record }) => record.data === '10.9.1.3')).toMatchObject({
      wasReplaced: true,
      expiresAtMs: 4000
    })
  })

  test('is no news where it says what is known, and makes known what it replaced before', () => {
    cache.put(a('10.9.1.1'), 0)
    expect(cache.put(flushed('10.9.1.1'), 5000)).toBe(false)
    cache.put(flushed('10.9.1.2'), 7000)
    expect(cache.put(flushed('10.9.1.1'), 7500)).toBe(true)
    expect(held().map(({ wasReplaced }) => wasReplaced)).toEqual([false, false])
  })

  test('and another record of other hosts or types have nothing to do with each other', () => {
    cache.put({ type: 'A', name: 'other.local', data: '10.9.1.1', ttlMs, flush: false }, 0)
    cache.put({ type: 'AAAA', name, data: 'fe80::1', ttlMs, flush: false }, 0)
    cache.put(flushed('10.9.1.2'), 5000)
    expect([...cache.all()].filter(({ wasReplaced }) => wasReplaced)).toEqual([])
  })
})

describe('A goodbye', () => {
  const goodbye = (data = '10.9.1.1', flush = false): HeardRecord => a(data, { ttlMs: 0, flush })

  test('gives the record a second, once; of an unknown one it says nothing', () => {
    expect(cache.put(goodbye(), 0)).toBe(false)
    expect(held()).toEqual([])
    cache.put(a(), 0)
    expect(cache.put(goodbye(), 3000)).toBe(true)
    expect(only()).toMatchObject({ saidGoodbye: true, expiresAtMs: 4000 })
    expect(cache.put(goodbye(), 3500)).toBe(false)
    expect(only().expiresAtMs).toBe(4000)
  })

  test('does not lengthen what ends sooner, and replaces no other record', () => {
    cache.put(a('10.9.1.1', { ttlMs: 1500 }), 0)
    cache.put(a('10.9.1.2'), 0)
    cache.put(goodbye('10.9.1.1', true), 1200)
    expect(held().map(({ saidGoodbye, wasReplaced, expiresAtMs }) => [saidGoodbye, wasReplaced, expiresAtMs])).toEqual([
      [true, false, 1500],
      [false, false, 120_000]
    ])
  })

  test('is taken back by the record itself', () => {
    cache.put(a(), 0)
    cache.put(goodbye(), 3000)
    expect(cache.put(a(), 3500)).toBe(true)
    expect(only()).toMatchObject({ saidGoodbye: false, expiresAtMs: 123_500 })
  })
})

describe('A sign of life by another way', () => {
  test('renews a record as if it had been heard, but not when mDNS named it', () => {
    cache.put(a('10.9.1.1', { ttlMs: 60_000 }), 1000)
    cache.confirm('A', name, 31_000)
    expect(only()).toMatchObject({ heardAtMs: 31_000, namedAtMs: 1000, ttlMs: 60_000, expiresAtMs: 91_000 })
  })

  test('is trusted for half an hour after mDNS named it, not longer', () => {
    cache.put(a(), 0)
    cache.confirm('A', name, 1_800_000)
    expect(only().heardAtMs).toBe(1_800_000)
    cache.confirm('A', name, 1_800_001)
    expect(only().heardAtMs).toBe(1_800_000)
    cache.put(a(), 5_000_000)
    cache.confirm('A', name, 6_800_000)
    expect(only().heardAtMs).toBe(6_800_000)
  })

  test('does not bring back what said goodbye or was replaced', () => {
    cache.put(a('10.9.1.1'), 0)
    cache.put(a('10.9.1.1', { ttlMs: 0 }), 2000)
    cache.put(a('10.9.1.2'), 0)
    cache.put(a('10.9.1.3', { flush: true }), 2000)
    cache.confirm('A', name, 2500)
    expect(held().map(({ record, expiresAtMs }) => [record.data, expiresAtMs])).toEqual([
      ['10.9.1.1', 3000],
      ['10.9.1.2', 3000],
      ['10.9.1.3', 122_500]
    ])
  })
})

describe('A record is asked for again', () => {
  test.each([0, 0.5, 0.999])(
    'at 80, 85, 90 and 95 %% of its time, a fiftieth of it later at most (%d of that)',
    (random) => {
      vi.spyOn(Math, 'random').mockReturnValue(random)
      cache.put(a(), 1000)
      const record = only()
      const shares: number[] = []
      for (let step = 0; step < 4; step += 1) {
        shares.push((record.refreshAtMs - 1000) / ttlMs)
        planNextRefresh(record)
      }
      for (const [index, share] of [0.8, 0.85, 0.9, 0.95].entries())
        expect(shares[index]).toBeCloseTo(share + 0.02 * random, 9)
      expect(record.refreshAtMs).toBe(Infinity)
    }
  )

  test('not at all where it is to run out, and from the beginning once it was heard again', () => {
    cache.put(a(), 0, false)
    expect(only().refreshAtMs).toBe(Infinity)
    cache.put(a(), 500, false)
    expect(only().refreshAtMs).toBe(Infinity)
    cache.put(a(), 1000)
    planNextRefresh(only())
    cache.confirm('A', name, 50_000)
    expect(only().refreshStep).toBe(0)
    expect(only().refreshAtMs).toBeLessThan(50_000 + ttlMs * 0.83)
  })
})

describe('A known answer', () => {
  test('goes along while more than half of its time is left, with what is left of it in seconds', () => {
    cache.put(ptr(instance, 100_000), 0)
    cache.put(ptr('other._http._tcp.local', 100_400), 0)
    expect(cache.knownAnswers('_http._tcp.local', 0)).toEqual([
      { type: 'PTR', name: '_http._tcp.local', ttl: 100, data: instance },
      { type: 'PTR', name: '_http._tcp.local', ttl: 100, data: 'other._http._tcp.local' }
    ])
    expect(cache.knownAnswers('_http._tcp.local', 49_400).map((answer) => 'ttl' in answer && answer.ttl)).toEqual([
      51, 51
    ])
    expect(cache.knownAnswers('_http._tcp.local', 50_000).map((answer) => 'data' in answer && answer.data)).toEqual([
      'other._http._tcp.local'
    ])
    expect(cache.knownAnswers('_ssh._tcp.local', 0)).toEqual([])
  })

  test('is none that said goodbye, however short its time was', () => {
    cache.put(ptr(instance, 1000), 0)
    cache.put(ptr(instance, 0), 0)
    expect(cache.knownAnswers('_http._tcp.local', 0)).toEqual([])
  })
})
