import { expect, test } from 'vitest'
import { analyseEvents, stretchAt, usualLimits, type SeenEvents } from '../../../../main/gateway/events/analysis.ts'

interface One {
  atS: number
  /** Seconds later. */
  delayS?: number
  backlog?: boolean
  duplicate?: boolean
  same?: string
}

function seen(list: readonly One[]): SeenEvents {
  const sorted = [...list].sort((a, b) => a.atS - b.atS)
  const one = (index: number): One => sorted[index] as One
  return {
    n: sorted.length,
    atMs: (index) => one(index).atS * 1000,
    arrivedMs: (index) => (one(index).atS + (one(index).delayS ?? 2)) * 1000,
    delayS: (index) => one(index).delayS ?? 2,
    isBacklog: (index) => one(index).backlog ?? false,
    isDuplicate: (index) => one(index).duplicate ?? false,
    sameness: (index) => one(index).same ?? `${String(index)}`
  }
}

const every = (stepS: number, fromS: number, toS: number, change: (atS: number) => Partial<One> = () => ({})): One[] =>
  Array.from({ length: Math.floor((toS - fromS) / stepS) }, (_, index) => ({
    atS: fromS + index * stepS,
    ...change(fromS + index * stepS)
  }))
const span = (fromS: number, toS: number) => ({ fromMs: fromS * 1000, toMs: toS * 1000 })

test('a time without events is silent, from the event before it to the one after it', () => {
  const { gaps, silentFromS } = analyseEvents(
    seen([...every(60, 0, 3_600), ...every(60, 4_500, 7_200)]),
    span(0, 7_200),
    usualLimits
  )
  expect(silentFromS).toBe(600)
  expect(gaps).toEqual([{ fromMs: 3_540_000, toMs: 4_500_000, open: null }])
})

test('a vehicle that reports each hour is not silent between its reports', () => {
  const { gaps, silentFromS } = analyseEvents(seen(every(3_600, 0, 30 * 3_600)), span(0, 29 * 3_600), usualLimits)
  expect(silentFromS).toBe(10_800)
  expect(gaps).toEqual([])
})

test('silence at the edges of what was asked for may be longer, and says so; without any event nothing is said', () => {
  const { gaps } = analyseEvents(seen(every(60, 3_600, 7_200)), span(0, 10_800), usualLimits)
  expect(gaps.map(({ open }) => open)).toEqual(['start', 'end'])
  expect(analyseEvents(seen([]), span(0, 10_800), usualLimits).gaps).toEqual([])
})

test('a person may say what counts as silent', () => {
  const events = seen(every(300, 0, 7_200))
  expect(analyseEvents(events, span(0, 7_200), { ...usualLimits, silentFromS: 120 }).gaps.length).toBeGreaterThan(20)
  expect(analyseEvents(events, span(0, 7_200), usualLimits).gaps).toEqual([])
})

test('what was held back and came together is one kept stretch, however late its first event is', () => {
  const outage = every(30, 3_600, 6_420, (atS) => ({ delayS: 6_430 - atS, backlog: true }))
  const { stretches, kept } = analyseEvents(
    seen([...every(60, 0, 3_600), ...outage, ...every(60, 6_480, 9_000)]),
    span(0, 9_000),
    usualLimits
  )
  expect(stretches.map(({ kind }) => kind)).toEqual(['live', 'kept', 'live'])
  expect(kept).toBe(outage.length)
  expect(stretches[1]).toMatchObject({
    fromMs: 3_600_000,
    longestS: 2_830,
    arrivedFromMs: 6_430_000,
    arrivedToMs: 6_430_000
  })
})

test('two stretches that were delivered at different times are two', () => {
  const one = every(60, 0, 1_800, (atS) => ({ delayS: 1_900 - atS }))
  const other = every(60, 1_800, 7_200, (atS) => ({ delayS: 9_300 - atS }))
  const { stretches } = analyseEvents(seen([...one, ...other]), span(0, 9_400), usualLimits)
  expect(stretches.map(({ kind, first, last }) => [kind, last - first + 1])).toEqual([
    ['kept', one.length],
    ['kept', other.length]
  ])
})

test('a clock that stands wrong is told apart from events that were kept', () => {
  const { stretches, kept } = analyseEvents(
    seen(every(60, 0, 7_200, () => ({ delayS: 7_203 }))),
    span(0, 7_200),
    usualLimits
  )
  expect(stretches.map(({ kind }) => kind)).toEqual(['clock'])
  expect(kept).toBe(0)
})

test('an event that came twice is marked where it came again, and splits no stretch', () => {
  const outage = every(60, 0, 1_200, (atS) => ({ delayS: 1_300 - atS, same: `at ${String(atS)}` }))
  const again: One = { atS: 600, delayS: 720, same: 'at 600' }
  const { twice, stretches, kept } = analyseEvents(seen([...outage, again]), span(0, 1_400), usualLimits)
  expect([...twice].filter((one) => one === 1)).toHaveLength(1)
  expect(twice[11]).toBe(1)
  expect(stretches).toHaveLength(1)
  expect(kept).toBe(outage.length + 1)
})

test('what the gateway itself calls a duplicate is one, also where the first is not among the events', () => {
  const { twice } = analyseEvents(seen([{ atS: 0 }, { atS: 60, duplicate: true }]), span(0, 60), usualLimits)
  expect([...twice]).toEqual([0, 1])
})

/** The same numbers for the same seed. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

test('whatever comes: every event is in exactly one stretch, no silent time holds an event, and a stretch counts what it holds', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const next = dice(seed)
    let atS = 0
    const list: One[] = Array.from({ length: 1 + Math.floor(next() * 300) }, () => {
      atS += Math.floor(next() * (next() > 0.95 ? 9_000 : 90))
      return {
        atS,
        delayS: next() > 0.7 ? Math.floor(next() * 4_000) : next() > 0.9 ? -20 : 2,
        backlog: next() > 0.9,
        duplicate: next() > 0.97,
        same: next() > 0.9 ? 'same' : `${String(next())}`
      }
    })
    const events = seen(list)
    const { stretches, gaps, kept } = analyseEvents(events, span(0, atS), {
      silentFromS: next() > 0.5 ? 600 : null,
      lateFromS: 60
    })
    expect(stretches[0]?.first).toBe(0)
    stretches.forEach((one, index) => expect(one.first).toBe(index === 0 ? 0 : (stretches[index - 1]?.last ?? 0) + 1))
    expect(stretches.at(-1)?.last).toBe(events.n - 1)
    for (let index = 0; index < events.n; index++) {
      const own = stretchAt(stretches, index)
      expect(own && own.first <= index && index <= own.last).toBe(true)
      for (const { fromMs, toMs } of gaps) expect(events.atMs(index) > fromMs && events.atMs(index) < toMs).toBe(false)
    }
    gaps.forEach(({ fromMs, toMs }, index) => {
      expect(toMs).toBeGreaterThan(fromMs)
      if (index > 0) expect(fromMs).toBeGreaterThanOrEqual(gaps[index - 1]?.toMs ?? 0)
    })
    expect(kept).toBe(
      stretches.reduce((sum, { kind, first, last }) => sum + (kind === 'kept' ? last - first + 1 : 0), 0)
    )
  }
})
