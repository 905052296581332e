import { describe, expect, it } from 'vitest'
import { createTrackHistory } from '../../../../main/support/deviceSession/trackHistory.ts'

const startMs = Date.UTC(2026, 0, 1)

function position(atMs: number, latitude: number, more: { speed?: number; fix?: number; accuracy?: number } = {}) {
  const { speed = 36, fix = 3, accuracy = 4 } = more
  return {
    operation: 'gps.position',
    value: { coords: { latitude, longitude: -74, speed, accuracy }, extras: { fix } },
    atMs
  }
}
/** So many degrees of latitude are ten metres. */
const tenMetres = 0.00009

describe('the way of a device', () => {
  it('is kept while Fitter runs, and told from where somebody has read it', () => {
    const history = createTrackHistory({ now: () => startMs + 60_000 })
    for (let n = 0; n < 5; n += 1) history.hear('one', position(startMs + n * 1_000, 4.7 + n * tenMetres))
    const all = history.since('one', 0)
    expect(all.points.map(([atMs]) => atMs - startMs)).toEqual([0, 1_000, 2_000, 3_000, 4_000])
    expect(all.points[1]).toEqual([startMs + 1_000, 4.7 + tenMetres, -74, 36, false])
    expect(history.since('one', startMs + 2_000).points).toHaveLength(2)
    expect(history.since('another', 0)).toMatchObject({ points: [], drivenM: 0 })
  })

  it('has no place where there was no fix, nor twice what two views read side by side', () => {
    const history = createTrackHistory({ now: () => startMs + 60_000 })
    history.hear('one', position(startMs, 4.7))
    history.hear('one', position(startMs + 100, 4.7))
    history.hear('one', position(startMs + 2_000, 4.8, { fix: 0 }))
    history.hear('one', position(startMs + 3_000, 0.0, { fix: 0 }))
    history.hear('one', { operation: 'gps.position', value: null, atMs: startMs + 4_000 })
    history.hear('one', { operation: 'io.all', value: { AN1: 1 }, atMs: startMs + 5_000 })
    expect(history.since('one', 0).points).toHaveLength(1)
  })

  it('counts what was driven, and not how a receiver wanders while it stands', () => {
    const history = createTrackHistory({ now: () => startMs + 1e6 })
    for (let n = 0; n < 100; n += 1)
      history.hear('one', position(startMs + n * 1_000, 4.7 + (n % 2) * tenMetres * 0.5, { speed: 0 }))
    expect(history.since('one', 0).drivenM).toBe(0)
    for (let n = 0; n <= 100; n += 1) history.hear('one', position(startMs + (100 + n) * 1_000, 4.7 + n * tenMetres))
    expect(history.since('one', 0).drivenM).toBeGreaterThan(960)
    expect(history.since('one', 0).drivenM).toBeLessThan(1_020)
  })

  it('marks what nobody saw, and does not count it as driven', () => {
    const history = createTrackHistory({ now: () => startMs + 1e6 })
    history.hear('one', position(startMs, 4.7))
    history.hear('one', position(startMs + 600_000, 4.8))
    const { points, drivenM } = history.since('one', 0)
    expect(points.map(([, , , , isAfterGap]) => isAfterGap)).toEqual([false, true])
    expect(drivenM).toBe(0)
  })

  it('stays small over a whole day: what is older is thinned out, the newest and the gaps stay', () => {
    const history = createTrackHistory({ points: 1_000, now: () => startMs + 90_000_000 })
    for (let second = 0; second < 86_400; second += 1)
      history.hear('one', position(startMs + (second < 100 ? second : second + 60) * 1_000, 4.7 + second * 1e-6))
    const { points } = history.since('one', 0)
    expect(points.length).toBeLessThanOrEqual(1_000)
    expect(points[0]?.[0]).toBe(startMs)
    expect(points.filter(([, , , , isAfterGap]) => isAfterGap)).toHaveLength(1)
    const newest = points.slice(-100).map(([atMs]) => atMs)
    expect((newest.at(-1) ?? 0) - (newest[0] ?? 0)).toBe(99_000)
  })

  it('is kept of so many devices; the one that was read longest ago leaves', () => {
    const history = createTrackHistory({ now: () => startMs + 1e6 })
    for (let n = 0; n < 17; n += 1) history.hear(`device ${n}`, position(startMs + n, 4.7))
    expect(history.since('device 0', 0).points).toHaveLength(0)
    expect(history.since('device 16', 0).points).toHaveLength(1)
  })
})
