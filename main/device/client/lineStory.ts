import { randomUUID } from 'node:crypto'
import type { IoState, Sparse } from '../../../preload/contract/device/deviceAreas.ts'
import type { LineChange, LinesMark, LinesNews } from '../../../preload/contract/device/lines.ts'
import { gapIntervals } from '../../../preload/job/linesStory.ts'
import { createVoltageTiers, fineMs, type VoltageTiers } from './voltageTiers.ts'

/** The digital lines of `GET /IO/all`, in the order of the screens. */
export const lineNames = [
  'PWR',
  'IGN',
  'TIG',
  'MOT',
  'IN1',
  'IN2',
  'IN3',
  'IN4',
  'IN5',
  'IN6',
  'IN7',
  'OUT1',
  'OUT2',
  'OUT3',
  'OUT4',
  'SO1',
  'SO2',
  'SO3',
  'SO4'
] as const
export type LineName = (typeof lineNames)[number]
const voltageNames = ['AN1', 'AN2', 'DAN', 'BAT'] as const

const dayMs = 24 * 3_600_000
/** A line that changes constantly keeps a shorter history. */
const mostChanges = 10_000
const mostGaps = 5_000
const measuredReadings = 31
const measuredEach = 8
const setBackMs = 1_000

/**
 * The lines of one device in the last 24 hours, in bounded memory: changes, gaps, and voltages as minimum and maximum.
 */
export type LineStory = ReturnType<typeof createLineStory>

export function createLineStory(expectedEveryMs = 250) {
  const lines = new Map<LineName, LineChange[]>()
  const voltages = new Map<(typeof voltageNames)[number], VoltageTiers>()
  let story = ''
  const intervals: number[] = []
  let gaps: [number, number][] = []
  let fromMs: number | null = null
  let readMs: number | null = null
  let everyMs = expectedEveryMs
  let counted = 0

  function begin(): void {
    story = randomUUID()
    for (const name of lineNames) lines.set(name, [])
    for (const name of voltageNames) voltages.set(name, createVoltageTiers())
    gaps = []
    fromMs = readMs = null
  }

  function measure(intervalMs: number): void {
    intervals.push(intervalMs)
    if (intervals.length > measuredReadings) intervals.shift()
    // Sorted only now and then, because the pace changes slowly.
    counted = (counted + 1) % measuredEach
    if (intervals.length === measuredReadings && counted > 0) return
    const sorted = [...intervals].sort((a, b) => a - b)
    everyMs = sorted[Math.floor(sorted.length / 2)] ?? expectedEveryMs
  }

  function forget(beforeMs: number): void {
    for (const changes of lines.values()) {
      while (changes.length > mostChanges || (changes[1] !== undefined && changes[1][0] <= beforeMs)) changes.shift()
    }
    if (gaps[0] && gaps[0][1] <= beforeMs) gaps = gaps.filter(([, toMs]) => toMs > beforeMs)
  }

  begin()
  return {
    /** A reading, later than all before. */
    take(givenMs: number, value: Sparse<IoState>): void {
      // The clock of this computer was set back: one axis cannot show both times.
      if (readMs !== null && givenMs < readMs - setBackMs) begin()
      const atMs = Math.max(givenMs, (readMs ?? -Infinity) + 1)
      if (readMs !== null) {
        const intervalMs = atMs - readMs
        if (intervalMs > gapIntervals * everyMs) gaps.push([readMs, atMs])
        measure(intervalMs)
      }
      readMs = atMs
      fromMs = Math.max(fromMs ?? atMs, atMs - dayMs)
      // When an older gap is forgotten, nobody knows any more that it was a gap.
      while (gaps.length > mostGaps) fromMs = gaps.shift()?.[1] ?? fromMs
      for (const [name, changes] of lines) {
        const on = typeof value[name] === 'boolean' ? value[name] : null
        if (changes.length === 0 || changes.at(-1)?.[1] !== on) changes.push([atMs, on])
      }
      forget(fromMs)
      for (const [name, tiers] of voltages) {
        const valueMv = value[name]
        tiers.add(atMs, typeof valueMv === 'number' ? valueMv : null)
        tiers.fold(atMs, fromMs)
      }
    },
    /** The new part since a mark; everything without a mark or with one that is too old. */
    news(since: LinesMark | null, nowMs: number): LinesNews {
      const isKnown =
        since !== null &&
        since.story === story &&
        readMs !== null &&
        since.mark >= readMs - fineMs / 2 &&
        since.mark <= readMs
      const afterMs = isKnown ? since.mark : -Infinity
      const told = [...lines].map(([name, changes]) => ({
        name,
        changes: changes.slice(changes.findLastIndex(([atMs]) => atMs <= afterMs) + 1)
      }))
      const near = intervals.filter((one) => one <= gapIntervals * everyMs)
      return {
        story,
        since: isKnown ? since.mark : null,
        mark: readMs ?? 0,
        nowMs,
        fromMs,
        readMs,
        lines: isKnown ? told.filter(({ changes }) => changes.length > 0) : told,
        gaps: gaps.slice(gaps.findLastIndex(([, toMs]) => toMs <= afterMs) + 1),
        voltages: [...voltages].map(([name, tiers]) => ({ name, points: tiers.after(afterMs) })),
        pace: near.length < 3 ? null : { everyMs, longestMs: Math.max(...near) }
      }
    }
  }
}
