import { flushPromises, mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { effectScope } from 'vue'
import type { DeviceCompare } from '../../../preload/contract/device/deviceCompare.ts'
import type { TrackPoint } from '../../../preload/contract/device/track.ts'
import type { WorkspaceLimits } from '../../../preload/contract/device/workspace.ts'
import { pointAt, useReplay } from '../../../renderer/device/readings/replay.ts'
import { speedColumns, speedPaths } from '../../../renderer/support/deviceSession/position/speedArea.ts'
import SpeedStrip from '../../../renderer/support/deviceSession/position/SpeedStrip.vue'
import { judgePlaces } from '../../../renderer/support/deviceSession/position/verdict.ts'
import { comparison, workspaceAnswers } from '../../world/window/fakes/fakeWorkspace.ts'

const startMs = Date.UTC(2026, 0, 1, 10)
const limits: WorkspaceLimits = workspaceAnswers['workspace.limits']({})
const at = (second: number, speedKmh: number | null, isAfterGap = false): TrackPoint => [
  startMs + second * 1_000,
  4.7 + second * 1e-4,
  -74,
  speedKmh,
  isAfterGap
]
const drive = Array.from({ length: 61 }, (_, second) => at(second, second))

describe('the verdict on both places', () => {
  const judge = (
    places: Partial<DeviceCompare['places']>,
    verdict: 'agree' | 'differ' | 'stale',
    more: Partial<DeviceCompare> = {}
  ) => {
    const facts = comparison.facts.map((one) => (one.fact === 'position' ? { ...one, verdict } : one))
    const { shape, title, text } = judgePlaces(
      { ...comparison, facts, places: { ...comparison.places, ...places }, ...more },
      limits
    )
    return [shape, title, text]
  }

  it('says by the limit of the profile whether they agree, and how old the gateway’s point is', () => {
    expect(judge({ apartM: 38 }, 'agree')).toEqual([
      'pass',
      'Device and gateway agree',
      `38 m apart while parked, ${limits.apartPassM} m at most expected. The gateway’s point is 3 s old.`
    ])
    expect(judge({ apartM: limits.apartWarnM }, 'differ').slice(0, 2)).toEqual(['warn', 'Positions differ slightly'])
    expect(judge({ apartM: limits.apartWarnM + 1 }, 'differ').slice(0, 2)).toEqual(['fail', 'Positions do not match'])
    expect(judge({ apartM: 900, isParked: false }, 'stale').slice(0, 2)).toEqual([
      'defer',
      'No comparison while driving'
    ])
    expect(judge({ apartM: 900, gateway: { latitude: 4, longitude: 4, ageS: 86_000 } }, 'stale').slice(0, 2)).toEqual([
      'defer',
      'The gateway’s point is too old'
    ])
  })

  it('says why there is nothing to compare, and fails nobody for it', () => {
    const nothing = { gateway: null, apartM: null }
    const titleOf = (state: DeviceCompare['gateway']['state']) =>
      judge(nothing, 'stale', { gateway: { state, why: null } }).slice(0, 2)
    expect(titleOf('asking')).toEqual(['live', 'Reading from the gateway'])
    expect(titleOf('signedOut')).toEqual(['wait', 'You are signed out of the gateway'])
    expect(titleOf('notShown')).toEqual(['wait', 'The gateway does not show this device'])
    expect(titleOf('answers')).toEqual(['wait', 'No position at the gateway'])
    expect(judge({ apartM: null }, 'stale').slice(0, 2)).toEqual(['warn', 'The device has no fix'])
  })
})

describe('the session again', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('finds the place that was read last by a time', () => {
    expect(pointAt(drive, startMs + 12_700)).toBe(drive[12])
    expect(pointAt(drive, startMs - 1)).toBeUndefined()
    expect(pointAt(drive, startMs + 1e9)).toBe(drive.at(-1))
  })

  it('plays from the beginning to now, pauses where one is, and comes back to now', () => {
    const scope = effectScope()
    const replay = scope.run(() => useReplay(() => drive)) as ReturnType<typeof useReplay<TrackPoint>>
    expect([replay.atMs.value, replay.point.value]).toEqual([null, undefined])
    replay.toggle()
    vi.advanceTimersByTime(5_000)
    const midway = replay.atMs.value ?? 0
    expect(midway).toBeGreaterThan(startMs + 15_000)
    replay.toggle()
    vi.advanceTimersByTime(5_000)
    expect(replay.atMs.value).toBe(midway)
    replay.toggle()
    vi.advanceTimersByTime(30_000)
    expect([replay.atMs.value, replay.isPlaying.value]).toEqual([null, false])
    replay.show(startMs - 5_000)
    expect(replay.atMs.value).toBe(startMs)
    scope.stop()
  })

  it('is moved by the keys of a slider, which says when it was and how fast', async () => {
    const scope = effectScope()
    const replay = scope.run(() => useReplay(() => drive)) as ReturnType<typeof useReplay<TrackPoint>>
    const strip = mount(SpeedStrip, { props: { points: drive, replay }, global: { plugins: [createPinia()] } })
    const slider = strip.get('[role=slider]')
    expect(slider.attributes('aria-valuetext')).toBe('now, 60 km/h')
    await slider.trigger('keydown', { key: 'ArrowLeft' })
    expect(slider.attributes('aria-valuetext')).toMatch(/:50, 50 km\/h$/)
    await slider.trigger('keydown', { key: 'Home' })
    expect(replay.point.value).toEqual(drive[0])
    await strip.get('button.slim').trigger('click')
    await flushPromises()
    expect(replay.atMs.value).toBeNull()
    expect(strip.text()).toContain('60 s · at most 60 km/h · drag to replay')
    strip.unmount()
    scope.stop()
  })
})

describe('the speeds of a session', () => {
  it('keep their peaks, however few columns there are', () => {
    const columns = speedColumns(
      [...drive.slice(0, 30), at(30, 140), ...drive.slice(31)],
      { fromMs: startMs, toMs: startMs + 60_000 },
      6
    )
    expect(columns).toEqual([9, 19, 29, 140, 49, 60])
  })

  it('are not joined over what nobody saw', () => {
    const points = [at(0, 30), at(1, 30), at(50, 40, true), at(60, 40)]
    const columns = speedColumns(points, { fromMs: startMs, toMs: startMs + 60_000 }, 60)
    expect(columns[20]).toBeNull()
    expect([columns[0], columns[1], columns[55]]).toEqual([30, 30, 40])
    expect(speedPaths(columns, 50, 60).line.match(/M/g)).toHaveLength(2)
  })
})
