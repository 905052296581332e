import { describe, expect, it } from 'vitest'
import { createSignalHistory } from '../../../../main/support/deviceSession/signalHistory.ts'
import { signalName } from '../../../../preload/contract/device/signals.ts'

const startMs = Date.UTC(2026, 0, 1)
const names = signalName.options

function io(device: string, atMs: number, AN1: unknown) {
  return [device, { operation: 'io.all', value: { AN1 }, atMs, elapsedMs: 4 }] as const
}

describe('what devices said in numbers', () => {
  it('is kept for so many devices; the one that was read longest ago leaves', () => {
    const history = createSignalHistory({ devices: 2, now: () => startMs + 10_000 })
    history.hear(...io('first', startMs, 12_000))
    history.hear(...io('second', startMs + 1, 12_000))
    history.hear(...io('first', startMs + 2, 12_000))
    history.hear(...io('third', startMs + 3, 12_000))
    const seen = (device: string) => history.since(device, { names, sinceMs: 0 }).signals.an1Mv?.values ?? []
    expect(seen('first')).toHaveLength(2)
    expect(seen('second')).toEqual([])
    expect(seen('third')).toHaveLength(1)
  })

  it('is told of a whole day in few points, with the least and the greatest', () => {
    const history = createSignalHistory({ now: () => startMs + 86_400_000 })
    for (let second = 0; second < 86_400; second += 1)
      history.hear(
        ...io(
          'one',
          startMs + second * 1_000,
          second === 40_000 ? 3_000 : second === 50_000 ? 29_000 : 12_000 + (second % 60)
        )
      )
    const values = history.since('one', { names, sinceMs: 0 }).signals.an1Mv?.values ?? []
    expect(values.length).toBeLessThan(2_000)
    expect(Math.min(...values.map(Number))).toBe(3_000)
    expect(Math.max(...values.map(Number))).toBe(29_000)
  })

  it('opens a gap when nobody reads a signal any more, and tells it once with what ends it', () => {
    let nowMs = startMs
    const history = createSignalHistory({ now: () => nowMs })
    for (let second = 0; second < 10; second += 1) history.hear(...io('one', startMs + second * 1_000, 12_000))
    nowMs = startMs + 30_000
    expect(history.since('one', { names, sinceMs: startMs + 9_500 }).signals.an1Mv?.values).toEqual([null])
    history.hear(...io('one', startMs + 40_000, 12_500))
    nowMs = startMs + 41_000
    expect(history.since('one', { names, sinceMs: startMs + 29_999 }).signals.an1Mv?.values).toEqual([null, 12_500])
  })

  it('tells a reading of the very millisecond of an answer with the next one, and once', () => {
    let nowMs = startMs + 5_000
    const history = createSignalHistory({ now: () => nowMs })
    history.hear(...io('one', startMs + 4_000, 12_000))
    const first = history.since('one', { names, sinceMs: 0 })
    history.hear(...io('one', startMs + 5_000, 12_100))
    nowMs = startMs + 6_000
    const second = history.since('one', { names, sinceMs: first.nowMs })
    expect([first, second].map(({ signals }) => signals.an1Mv?.values)).toEqual([[12_000], [12_100]])
    expect(history.since('one', { names, sinceMs: second.nowMs }).signals.an1Mv).toBeUndefined()
  })

  it('takes no number from what is none', () => {
    const history = createSignalHistory({ now: () => startMs + 10_000 })
    history.hear('one', { operation: 'modem.information', value: { RSSI: '-94' }, atMs: startMs, elapsedMs: 3 })
    history.hear('one', { operation: 'modem.information', value: { RSSI: '99' }, atMs: startMs + 1_000, elapsedMs: 3 })
    history.hear('one', {
      operation: 'gps.position',
      value: { coords: { speed: 50 }, extras: { fix: 0, satsActive: 2 } },
      atMs: startMs + 1_000,
      elapsedMs: 3
    })
    const { signals } = history.since('one', { names, sinceMs: 0 })
    expect(signals.signalDbm?.values).toEqual([-94, null])
    expect(signals.satellites?.values).toEqual([2])
    expect(signals.speedKmh).toBeUndefined()
  })

  it('counts a start of the device where it has been up for less time than before', () => {
    const history = createSignalHistory({ now: () => startMs + 10_000 })
    const up = (atMs: number, uptime: number) =>
      history.hear('one', { operation: 'system.info', value: { uptime }, atMs, elapsedMs: 3 })
    up(startMs, 500)
    up(startMs + 1_000, 501)
    up(startMs + 2_000, 12)
    expect(history.since('one', { names, sinceMs: 0 }).signals.restarts?.values).toEqual([0, 0, 1])
  })
})
