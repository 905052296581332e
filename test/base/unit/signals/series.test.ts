import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gapsIn } from '../../../../preload/base/signals/points.ts'
import { createSeries } from '../../../../preload/base/signals/series.ts'

const startMs = Date.UTC(2026, 0, 1)
/** Readings one after the other: how long after the one before, and what was read. */
const readings = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 1, max: 90_000 }),
    value: fc.option(fc.double({ min: -150, max: 15_000, noNaN: true }), { freq: 6 })
  }),
  { minLength: 1, maxLength: 400 }
)

function filled(steps: readonly { afterMs: number; value: number | null }[], rawReadings: number) {
  const series = createSeries({ rawReadings, areGapsTold: true })
  let atMs = startMs
  const all = steps.map(({ afterMs, value }) => {
    atMs += afterMs
    series.add(atMs, value)
    return { atMs, value }
  })
  return { series, all, endMs: atMs }
}

describe('the history of a signal', () => {
  it('holds a day of 20 signals in less than 6 MB, and no more after a week', () => {
    const series = createSeries()
    const fill = (days: number) => {
      for (let second = 0; second < days * 86_400; second += 1)
        series.add(startMs + second * 1_000, Math.sin(second) * 100)
    }
    fill(1)
    const bytes = series.bytes
    expect(bytes * 20).toBeLessThan(6e6)
    const week = createSeries()
    for (let second = 0; second < 7 * 86_400; second += 2) week.add(startMs + second * 1_000, second % 97)
    expect(week.bytes).toBe(bytes)
    expect(week.firstAtMs).toBeGreaterThan(startMs + 5 * 86_400_000)
  })

  it('takes little room while it is short', () => {
    const series = createSeries()
    for (let n = 0; n < 60; n += 1) series.add(startMs + n * 1_000, n)
    expect(series.bytes).toBeLessThan(12_000)
  })

  it('keeps the least and the greatest of what it was told, however much it is thinned', () => {
    fc.assert(
      fc.property(
        readings,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 4, max: 40 }),
        (steps, columns, rawReadings) => {
          const { series, all, endMs } = filled(steps, rawReadings)
          const values = all.flatMap(({ value }) => (value === null ? [] : [value]))
          const extent = series.extent(startMs, endMs, columns)
          if (values.length === 0) expect(extent).toBeNull()
          else expect(extent).toMatchObject({ min: Math.min(...values), max: Math.max(...values), last: values.at(-1) })
        }
      )
    )
  })

  it('never joins what a gap has parted, and invents no reading', () => {
    fc.assert(
      fc.property(
        readings,
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 4, max: 40 }),
        (steps, columns, rawReadings) => {
          const { series, all, endMs } = filled(steps, rawReadings)
          const points = series.points(startMs, endMs, columns)
          const known = new Map(all.map(({ atMs, value }) => [atMs, value]))
          points.values.forEach((value, index) => {
            const atMs = points.atMs[index] as number
            if (index > 0) expect(atMs).toBeGreaterThanOrEqual(points.atMs[index - 1] as number)
            if (value === null) return
            expect(known.get(atMs)).toBe(value)
            const next = points.values[index + 1]
            if (next === null || next === undefined) return
            const between = all.filter((one) => one.atMs > atMs && one.atMs < (points.atMs[index + 1] as number))
            expect(between.some((one) => one.value === null)).toBe(false)
          })
        }
      )
    )
  })

  it('gives at most three readings for each column beside its gaps', () => {
    fc.assert(
      fc.property(readings, fc.integer({ min: 1, max: 50 }), (steps, columns) => {
        const { series, endMs } = filled(steps, 1_000)
        const { values } = series.points(startMs, endMs, columns)
        const gaps = values.filter((value) => value === null).length
        expect(values.length).toBeLessThanOrEqual(columns * 3 + gaps * 4 + 2)
      })
    )
  })

  it('tells a span with the reading before and after it, so that a line reaches the edge', () => {
    const series = createSeries()
    for (let second = 0; second < 100; second += 1) series.add(startMs + second * 1_000, second)
    const { values } = series.points(startMs + 10_500, startMs + 13_500)
    expect(values).toEqual([10, 11, 12, 13, 14])
  })

  it('is silent after two and a half intervals, and the gap ends with the next reading', () => {
    const series = createSeries()
    for (let second = 0; second < 10; second += 1) series.add(startMs + second * 1_000, 5)
    series.settle(startMs + 11_400)
    expect(series.isSilent).toBe(false)
    series.settle(startMs + 11_600)
    expect(series.isSilent).toBe(true)
    const open = series.points(startMs, startMs + 12_000)
    expect(gapsIn(open, startMs + 12_000)).toEqual([{ fromMs: startMs + 9_000, toMs: startMs + 12_000 }])
    series.add(startMs + 20_000, 6)
    expect(series.isSilent).toBe(false)
    expect(gapsIn(series.points(startMs, startMs + 21_000), startMs + 21_000)).toEqual([
      { fromMs: startMs + 9_000, toMs: startMs + 20_000 }
    ])
  })

  it('sees a silence by itself when the next reading comes late', () => {
    const series = createSeries({ intervalMs: 1_000 })
    series.add(startMs, 1)
    series.add(startMs + 2_400, 2)
    series.add(startMs + 5_000, 3)
    expect(series.points(startMs, startMs + 6_000).values).toEqual([1, 2, null, 3])
  })

  it('begins anew when the clock was set back', () => {
    const series = createSeries()
    series.add(startMs + 60_000, 1)
    series.add(startMs + 59_900, 2)
    expect(series.last).toEqual({ atMs: startMs + 60_000, value: 2 })
    series.add(startMs, 3)
    expect(series.points(startMs - 1_000, startMs + 90_000).values).toEqual([3])
  })
})
