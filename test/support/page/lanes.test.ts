import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LineChange, VoltagePoint } from '../../../preload/contract/device/lines.ts'
import { placeLanes, voltScale } from '../../../renderer/base/instruments/charts/lanes/layout.ts'
import {
  changesWithin,
  edgesOf,
  gapMsWithin,
  isChatter,
  isInGap,
  nearestEvent,
  pulsesWithin,
  voltageWithin
} from '../../../renderer/base/instruments/charts/lanes/measure.ts'
import { captionLeft, columnsOf } from '../../../renderer/base/instruments/charts/lanes/paint.ts'
import { followLines, type LinesStory } from '../../../preload/job/linesStory.ts'
import { useLanesView } from '../../../renderer/base/instruments/charts/lanes/useLanesView.ts'
import {
  frameView,
  panView,
  revealTime,
  spanOf,
  ticksOf,
  zoomView
} from '../../../renderer/base/instruments/charts/lanes/view.ts'
import { lanesCsv } from '../../../renderer/support/deviceSession/lines/lanesCsv.ts'
import { paceWords } from '../../../renderer/device/readings/paceText.ts'
import { seenOutputs } from '../../../renderer/support/deviceSession/lines/seenOutputs.ts'
import { eventWords, laneGroups, toneOf } from '../../../renderer/device/readings/linesText.ts'
import * as data from '../../world/data/fakeData.ts'

/** A line that rests off and is on from each first to each second time. */
function pulsed(...pulses: [number, number][]): LineChange[] {
  return [
    [0, false],
    ...pulses.flatMap(([onMs, offMs]): LineChange[] => [
      [onMs, true],
      [offMs, false]
    ])
  ]
}
function storyOf(lines: Record<string, LineChange[]>, more: Partial<LinesStory> = {}): LinesStory {
  const story = followLines(null, {
    ...data.lines,
    nowMs: 100_000,
    readMs: 100_000,
    mark: 100_000,
    fromMs: 0,
    lines: Object.entries(lines).map(([name, changes]) => ({ name, changes })),
    voltages: []
  })
  if (!story) throw new Error('No story')
  return { ...story, ...more }
}

describe('What cursors measure', () => {
  it('is the pulses that lie wholly between them: how many, the shortest, how often', () => {
    const line = pulsed([1_000, 1_500], [2_000, 2_250], [3_000, 3_500], [9_000, 9_500])
    expect(pulsesWithin(line, [], [500, 4_000])).toEqual({
      count: 3,
      shortestMs: 250,
      longestMs: 500,
      frequencyHz: 1,
      uncertain: 0
    })
    expect(pulsesWithin(line, [], [1_200, 3_200])).toMatchObject({ count: 1, shortestMs: 250, frequencyHz: null })
    expect(pulsesWithin(line, [], [4_000, 9_200])).toMatchObject({ count: 0, shortestMs: null })
    expect(pulsesWithin([], [], [0, 9_000]).count).toBe(0)
  })

  it('never measures a pulse that begins or ends where nothing was read', () => {
    const line = pulsed([1_000, 1_500], [3_000, 5_000], [6_000, 6_500])
    expect(pulsesWithin(line, [[2_200, 3_000]], [0, 9_000])).toMatchObject({
      count: 2,
      uncertain: 1,
      frequencyHz: null
    })
    expect(pulsesWithin(line, [[4_000, 5_000]], [0, 9_000])).toMatchObject({ count: 2, uncertain: 1 })
    expect(
      pulsesWithin(
        [
          [0, false],
          [1_000, null],
          [2_000, true],
          [2_500, false]
        ],
        [],
        [0, 9_000]
      )
    ).toMatchObject({ count: 0, uncertain: 1 })
  })

  it('finds exactly the pulses that were made, wherever the cursors stand', () => {
    const widths = fc.array(fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 5_000 })), {
      maxLength: 40
    })
    fc.assert(
      fc.property(widths, fc.nat(200_000), fc.nat(200_000), (made, one, other) => {
        const span = [Math.min(one, other), Math.max(one, other)] as const
        let atMs = 0
        const pulses = made.map(([restMs, onMs]): [number, number] => [(atMs += restMs), (atMs += onMs)])
        const within = pulses.filter(([onMs, offMs]) => onMs >= span[0] && offMs <= span[1])
        const seen = pulsesWithin(pulsed(...pulses), [], span)
        expect(seen.count).toBe(within.length)
        expect(seen.shortestMs).toBe(
          within.length > 0 ? Math.min(...within.map(([onMs, offMs]) => offMs - onMs)) : null
        )
        expect(changesWithin(pulsed(...pulses), span).length).toBe(
          pulses.flat().filter((ms) => ms > span[0] && ms <= span[1]).length
        )
      })
    )
  })

  it('knows the moments between two readings that are too far apart', () => {
    expect([isInGap([[5, 9]], 5), isInGap([[5, 9]], 7), isInGap([[5, 9]], 9)]).toEqual([false, true, false])
  })

  it('adds up the time without readings, as far as it is shown', () => {
    expect(
      gapMsWithin(
        [
          [0, 1_000],
          [5_000, 7_000],
          [9_500, 20_000]
        ],
        [500, 10_000]
      )
    ).toBe(500 + 2_000 + 500)
  })

  it('names the nearest change, and goes from one to the next and to the ends of gaps', () => {
    const lines = new Map([
      ['IGN', pulsed([1_000, 4_000])],
      ['IN2', pulsed([3_900, 4_000])]
    ])
    expect(nearestEvent(lines, 3_850, 500)).toEqual({ line: 'IN2', on: true, atMs: 3_900 })
    expect(nearestEvent(lines, 4_100, 500)).toEqual({ line: 'IGN', on: false, atMs: 4_000 })
    expect(nearestEvent(lines, 2_500, 500)).toBeNull()
    expect(edgesOf(lines.values(), [[2_000, 2_500]], [-Infinity, 10_000])).toEqual([1_000, 2_000, 2_500, 3_900, 4_000])
  })

  it('takes for a loose contact what no hand can do', () => {
    const fast = pulsed(...Array.from({ length: 5 }, (_, n): [number, number] => [1_000 + n * 500, 1_250 + n * 500]))
    expect(isChatter(fast.slice(1))).toBe(true)
    expect(isChatter(pulsed([1_000, 2_000], [3_000, 4_000], [5_000, 6_000]).slice(1))).toBe(false)
  })

  it('keeps the least and the most of a voltage, in a measurement and in each pixel', () => {
    const points: VoltagePoint[] = [
      [0, 12_600, 12_600],
      [100, 9_900, 9_900],
      [200, 12_600, 12_600],
      [1_000, null, null],
      [2_000, 14_000, 14_200]
    ]
    expect(voltageWithin(points, [0, 3_000])).toEqual({ leastMv: 9_900, mostMv: 14_200 })
    expect(voltageWithin(points, [1_000, 1_500])).toBeNull()
    expect(columnsOf(points, [0, 3_000], 500)).toEqual([
      [0, 9_900, 12_600],
      [1_000, null, null],
      [2_000, 14_000, 14_200]
    ])
    expect(voltScale(9_900, 14_200)).toEqual({
      fromMv: 8_000,
      toMv: 16_000,
      ticksMv: [8_000, 10_000, 12_000, 14_000, 16_000]
    })
    expect(voltScale(0, 100).fromMv).toBe(0)
  })
})

describe('What the lanes show', () => {
  const nowMs = 100_000

  it('runs with the time, and stands when it is frozen, zoomed into or moved', () => {
    const live = { rangeMs: 30_000, endMs: null }
    expect(spanOf(live, nowMs)).toEqual([70_000, 100_000])
    expect(zoomView(live, { factor: 0.5, atMs: 80_000, nowMs })).toEqual({ rangeMs: 15_000, endMs: null })
    expect(spanOf(zoomView({ rangeMs: 10_000, endMs: 60_000 }, { factor: 0.5, atMs: 55_000, nowMs }), nowMs)).toEqual([
      52_500, 57_500
    ])
    expect(frameView([20_000, 24_000])).toEqual({ rangeMs: 4_000, endMs: 24_000 })
    expect(panView(live, -0.5, nowMs).endMs).toBe(85_000)
    expect(panView({ rangeMs: 30_000, endMs: 95_000 }, 0.5, nowMs).endMs).toBe(nowMs)
    expect(revealTime(live, 90_000, nowMs)).toBe(live)
    expect(spanOf(revealTime(live, 20_000, nowMs), nowMs)).toEqual([5_000, 35_000])
  })

  it('has captions beside their lines, also at the right end', () => {
    for (const [atPx, textPx] of [
      [10, 80],
      [300, 80],
      [396, 80],
      [399, 20]
    ] as const) {
      const left = captionLeft(atPx, textPx, 400)
      expect(left > atPx || left + textPx < atPx, `${atPx}`).toBe(true)
      expect(left + textPx).toBeLessThanOrEqual(400)
    }
  })

  it('has marks of time that are not closer than they can be read', () => {
    expect(ticksOf([70_000, 100_000], { most: 4, isLive: true })).toEqual([70_000, 80_000, 90_000, 100_000])
    expect(ticksOf([61_234, 121_234], { most: 6, isLive: false })).toEqual(
      [70_000, 80_000, 90_000, 100_000, 110_000, 120_000].map((ms) => ms)
    )
    expect(ticksOf([0, 86_400_000], { most: 6, isLive: false }).length).toBeLessThanOrEqual(7)
  })

  it('is every line and the voltages at once in a window of 1280 by 800, with lanes that can be read', () => {
    const groups = laneGroups(storyOf({}), [0, nowMs], new Map())
    const layout = placeLanes(groups, { heightPx: 540, hasVoltages: true })
    expect(layout.lanes.map(({ line }) => line)).toEqual([
      'PWR',
      'IGN',
      'TIG',
      'MOT',
      ...[1, 2, 3, 4, 5, 6, 7].map((n) => `IN${n}`),
      ...[1, 2, 3, 4].map((n) => `OUT${n}`),
      ...[1, 2, 3, 4].map((n) => `SO${n}`)
    ])
    expect(layout.heightPx + 22).toBeLessThanOrEqual(540)
    expect(Math.min(...layout.lanes.map(({ heightPx }) => heightPx))).toBeGreaterThanOrEqual(17)
    for (const [index, lane] of layout.lanes.entries())
      expect(lane.topPx).toBeGreaterThanOrEqual((layout.lanes[index - 1]?.topPx ?? -lane.heightPx) + lane.heightPx)
  })

  it('is amber where a contact is loose, and red where an output is or was shorted', () => {
    const chatter = pulsed(
      ...Array.from({ length: 8 }, (_, n): [number, number] => [50_000 + n * 400, 50_200 + n * 400])
    )
    const story = storyOf({
      IN5: chatter,
      SO4: pulsed([60_000, 61_000]),
      SO1: [[0, false]],
      IN1: pulsed([1_000, 2_000])
    })
    expect(['IN5', 'SO4', 'SO1', 'IN1'].map((line) => toneOf(line, story, [40_000, nowMs]))).toEqual([
      'warn',
      'fail',
      'live',
      'live'
    ])
    expect(toneOf('IN5', story, [90_000, nowMs])).toBe('live')
  })

  it('names events by what the line is, and by what is wired to it where that is known', () => {
    const wiring = new Map([['IN2', 'Driver’s door']])
    expect(eventWords({ line: 'IGN', on: true }, wiring)).toBe('ignition on')
    expect(eventWords({ line: 'IN2', on: false }, wiring)).toBe('IN2 Driver’s door off')
    expect(eventWords({ line: 'SO4', on: true }, wiring)).toBe('short on output 4')
    expect(eventWords({ line: 'OUT3', on: true }, wiring)).toBe('OUT3 on')
  })

  it('says how often is read as it was measured, and what can be missed', () => {
    expect(paceWords({ everyMs: 251, longestMs: 250 })).toBe(
      '4 readings per second; pulses shorter than 0.25 s may be missed'
    )
    expect(paceWords({ everyMs: 2_010, longestMs: 2_400 })).toBe(
      'One reading every 2 s; pulses shorter than 2.4 s may be missed'
    )
  })

  it('tells of an output how long it is on, and of a short how long ago it was', () => {
    const story = storyOf({
      OUT1: pulsed([88_000, 120_000]).slice(0, 2),
      OUT2: [[0, true]],
      SO4: pulsed([30_000, 31_000]),
      SO3: [[0, true]]
    })
    const [first, second, third, fourth] = seenOutputs(
      { ...story, readMs: 99_800 },
      new Map([['OUT1', 'Starter relay']])
    )
    expect(first).toMatchObject({ on: true, onForS: 12, about: 'Starter relay', isShort: false, readAgoS: 0.2 })
    expect(second).toMatchObject({ on: true, onForS: null })
    expect(third).toMatchObject({ isShort: true, shortAgoS: null })
    expect(fourth).toMatchObject({ isShort: false, shortAgoS: 69 })
  })
})

describe('Cursors', () => {
  it('go to the middle by their letter, move by steps, and jump from change to change and to gaps', () => {
    const story = storyOf({ IGN: pulsed([40_000, 60_000]) }, { gaps: [[70_000, 72_000]] })
    const lanes = useLanesView(() => story, 80_000)
    lanes.take(0)
    expect(lanes.cursors.value).toEqual([60_000, null])
    lanes.jump(-1)
    lanes.take(1)
    lanes.jump(1)
    expect(lanes.cursors.value).toEqual([40_000, 70_000])
    lanes.step(500)
    lanes.jump(1)
    expect(lanes.cursors.value).toEqual([40_000, 72_000])
    lanes.point(41_000)
    expect(lanes.cursors.value).toEqual([41_000, 72_000])
    lanes.clear()
    expect(lanes.cursors.value).toEqual([null, null])
  })

  it('are followed to what is not shown', () => {
    const lanes = useLanesView(() => storyOf({ IGN: pulsed([5_000, 6_000]) }), 10_000)
    lanes.jump(-1)
    expect(lanes.cursors.value[0]).toBe(6_000)
    expect(lanes.span.value).toEqual([1_000, 11_000])
    lanes.goLive()
    expect(lanes.span.value).toEqual([90_000, 100_000])
  })
})

describe('The lanes as CSV', () => {
  it('have how each line was at the beginning, each change, gaps and voltages, in the order of time', () => {
    const story = storyOf(
      {
        IGN: pulsed([2_000, 4_000]),
        IN1: [
          [0, false],
          [3_000, null]
        ]
      },
      {
        gaps: [[4_500, 6_000]],
        voltages: new Map([
          [
            'AN1',
            [
              [1_000, 12_600, 12_600],
              [5_000, 9_900, 12_500]
            ] as VoltagePoint[]
          ]
        ])
      }
    )
    expect(lanesCsv(story, [1_000, 5_500]).trimEnd().split('\r\n')).toEqual([
      'at,line,state,least_mv,most_mv,until',
      '1970-01-01T00:00:01.000Z,IGN,off,,,',
      '1970-01-01T00:00:01.000Z,IN1,off,,,',
      '1970-01-01T00:00:01.000Z,AN1,,12600,12600,',
      '1970-01-01T00:00:02.000Z,IGN,on,,,',
      '1970-01-01T00:00:03.000Z,IN1,unreadable,,,',
      '1970-01-01T00:00:04.000Z,IGN,off,,,',
      '1970-01-01T00:00:04.500Z,,no reading,,,1970-01-01T00:00:05.500Z',
      '1970-01-01T00:00:05.000Z,AN1,,9900,12500,'
    ])
  })

  it('a name of a line stays one cell and is no formula', () => {
    const story = storyOf({ '=1+1, "IN1"': [[0, true]] })
    expect(lanesCsv(story, [0, 5_500]).split('\r\n')[1]).toBe(`1970-01-01T00:00:00.000Z,"'=1+1, ""IN1""",on,,,`)
  })
})
