import { describe, expect, it } from 'vitest'
import { createSeries } from '../../../preload/base/signals/series.ts'
import { readingAt, useChartView } from '../../../renderer/base/instruments/charts/useChartView.ts'

const startMs = Date.UTC(2026, 0, 1)

/** Ten minutes of a reading each second, half a minute of which is missing. */
function makeView() {
  const series = createSeries({ intervalMs: 1_000 })
  for (let second = 0; second < 600; second += 1)
    series.add(startMs + second * 1_000, second >= 300 && second < 330 ? null : second)
  let nowMs = startMs + 600_000
  const view = useChartView({ spanMs: () => 60_000, nowMs: () => nowMs, series: () => [series] })
  return { series, view, pass: (ms: number) => (nowMs += ms) }
}
const lengthMs = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => toMs - fromMs

describe('what time a chart shows', () => {
  it('moves on with time until it is stopped, and goes on from now', () => {
    const { view, pass } = makeView()
    const before = view.span()
    pass(5_000)
    expect(view.span().toMs).toBe(before.toMs + 5_000)
    view.freeze()
    const held = view.span()
    pass(5_000)
    expect(view.span()).toEqual(held)
    view.freeze()
    expect(view.span().toMs).toBe(held.toMs + 5_000)
  })

  it('zooms around the middle or a place, between one second and a day', () => {
    const { view } = makeView()
    view.choose(startMs, startMs + 100_000)
    view.zoom(0.5, startMs + 20_000)
    expect(view.span()).toEqual({ fromMs: startMs + 10_000, toMs: startMs + 60_000 })
    view.zoom(1e-9)
    expect(Math.round(lengthMs(view.span()))).toBe(1_000)
    view.zoom(1e9)
    expect(Math.round(lengthMs(view.span()))).toBe(86_400_000)
    view.reset()
    expect(lengthMs(view.span())).toBe(60_000)
  })

  it('is never moved beyond now', () => {
    const { view } = makeView()
    view.pan(1e9)
    expect(view.span().toMs).toBe(startMs + 600_000)
    view.pan(-30_000)
    expect(view.span().toMs).toBe(startMs + 570_000)
  })

  it('stops when a cursor is put, and the cursor goes from reading to reading', () => {
    const { view } = makeView()
    view.takeCursor('A', startMs + 560_400)
    expect(view.isHeld.value).toBe(true)
    expect(view.cursors.value.A).toBe(startMs + 560_000)
    view.stepCursor(1)
    expect(view.cursors.value.A).toBe(startMs + 561_000)
    view.stepCursor(-10)
    expect(view.cursors.value.A).toBe(startMs + 551_000)
  })

  it('takes the view along with a cursor that leaves it', () => {
    const { view } = makeView()
    view.choose(startMs + 100_000, startMs + 160_000)
    view.takeCursor('B', startMs + 101_000)
    view.stepCursor(-1)
    view.stepCursor(-1)
    expect(view.cursors.value.B).toBe(startMs + 99_000)
    expect(view.span().fromMs).toBeLessThan(startMs + 99_000)
  })

  it('says no reading in a gap and before the first one', () => {
    const { series } = makeView()
    expect(readingAt(series, startMs + 10_500)).toBe(10)
    expect(readingAt(series, startMs + 299_000)).toBe(299)
    expect(readingAt(series, startMs + 310_000)).toBeNull()
    expect(readingAt(series, startMs + 330_000)).toBe(330)
    expect(readingAt(series, startMs - 1)).toBeNull()
  })

  it('goes to the gap before and after', () => {
    const { view, series } = makeView()
    const gaps = series.extent(startMs, startMs + 600_000)?.gaps ?? []
    expect(gaps).toEqual([{ fromMs: startMs + 299_000, toMs: startMs + 330_000 }])
    view.toGap(gaps, -1)
    const { fromMs, toMs } = view.span()
    expect((fromMs + toMs) / 2).toBe(startMs + 314_500)
    view.toGap(gaps, -1)
    expect(view.span()).toEqual({ fromMs, toMs })
  })
})
