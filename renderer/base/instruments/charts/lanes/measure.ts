import type { LineChange, VoltagePoint } from '../../../../../preload/contract/device/lines.ts'
import { chatterOf } from '../../../../../preload/base/signals/chatter.ts'

type Span = readonly [fromMs: number, toMs: number]

/** The index of the last entry at or before a moment; -1 when all are later. */
export function placeAt(list: readonly (readonly [number, ...unknown[]])[], atMs: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle]?.[0] ?? Infinity) <= atMs) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** True when two readings are too far apart. */
export function isInGap(gaps: readonly Span[], atMs: number): boolean {
  const gap = gaps[placeAt(gaps, atMs)]
  return gap !== undefined && atMs > gap[0] && atMs < gap[1]
}

/** On to off or off to on within a time; the first reading and unreadable ones are no change. */
export function changesWithin(changes: readonly LineChange[], [fromMs, toMs]: Span): LineChange[] {
  const first = placeAt(changes, fromMs)
  return changes.slice(Math.max(0, first), placeAt(changes, toMs) + 1).filter(([atMs, on], index, near) => {
    const before = near[index - 1]?.[1]
    return atMs > fromMs && on !== null && before !== undefined && before !== null
  })
}

export interface Pulses {
  count: number
  shortestMs: number | null
  longestMs: number | null
  /** From the first rise to the last; null with fewer than two. */
  frequencyHz: number | null
  /** Pulses that begin or end in a gap or an unreadable time: not counted. */
  uncertain: number
}

/** Pulses of a line that begin and end within a time. A pulse that touches a gap is not measured. */
export function pulsesWithin(changes: readonly LineChange[], gaps: readonly Span[], [fromMs, toMs]: Span): Pulses {
  const widths: number[] = []
  const rises: number[] = []
  let uncertain = 0
  for (let index = Math.max(1, placeAt(changes, fromMs)); index < changes.length; index++) {
    const [riseMs, on] = changes[index] ?? [Infinity, null]
    const end = changes[index + 1]
    if (riseMs > toMs) break
    if (on !== true || riseMs < fromMs || !end || end[0] > toMs) continue
    const isKnown = changes[index - 1]?.[1] === false && end[1] === false && !touchesGap(gaps, [riseMs, end[0]])
    if (!isKnown) uncertain += 1
    else {
      rises.push(riseMs)
      widths.push(end[0] - riseMs)
    }
  }
  const spanMs = (rises.at(-1) ?? 0) - (rises[0] ?? 0)
  return {
    count: widths.length,
    shortestMs: widths.length > 0 ? Math.min(...widths) : null,
    longestMs: widths.length > 0 ? Math.max(...widths) : null,
    frequencyHz: rises.length > 1 && spanMs > 0 && uncertain === 0 ? ((rises.length - 1) * 1000) / spanMs : null,
    uncertain
  }
}

/** A gap ends with the reading that shows a change: the change itself may have happened anywhere in the gap. */
function touchesGap(gaps: readonly Span[], [fromMs, toMs]: Span): boolean {
  return gaps.some(([gapFromMs, gapToMs]) => gapToMs >= fromMs && gapFromMs < toMs)
}

/** It changes faster than a hand on a switch: a loose contact. */
export function isChatter(changes: readonly LineChange[]): boolean {
  return chatterOf(changes.map(([atMs]) => atMs)) !== null
}

/** The distinct times at which a line changed, or a gap begins or ends. */
export function edgesOf(lines: Iterable<readonly LineChange[]>, gaps: readonly Span[], span: Span): number[] {
  const found = new Set<number>()
  for (const changes of lines) for (const [atMs] of changesWithin(changes, span)) found.add(atMs)
  for (const [fromMs, toMs] of gaps)
    for (const atMs of [fromMs, toMs]) if (atMs > span[0] && atMs < span[1]) found.add(atMs)
  return [...found].sort((a, b) => a - b)
}

export interface LineEvent {
  line: string
  on: boolean
  atMs: number
}

/** The change nearest to a moment; of several simultaneous ones the first line in the list. */
export function nearestEvent(
  lines: ReadonlyMap<string, readonly LineChange[]>,
  atMs: number,
  withinMs: number
): LineEvent | null {
  let best: LineEvent | null = null
  for (const [line, changes] of lines) {
    for (const [changeMs, on] of changesWithin(changes, [atMs - withinMs, atMs + withinMs])) {
      if (on !== null && (!best || Math.abs(changeMs - atMs) < Math.abs(best.atMs - atMs)))
        best = { line, on, atMs: changeMs }
    }
  }
  return best
}

/** The total time without readings within a range. */
export function gapMsWithin(gaps: readonly Span[], [fromMs, toMs]: Span): number {
  return gaps.reduce((sum, gap) => sum + Math.max(0, Math.min(gap[1], toMs) - Math.max(gap[0], fromMs)), 0)
}

/** The minimum and maximum of a voltage within a range. */
export function voltageWithin(
  points: readonly VoltagePoint[],
  [fromMs, toMs]: Span
): { leastMv: number; mostMv: number } | null {
  let least = Infinity
  let most = -Infinity
  for (let index = Math.max(0, placeAt(points, fromMs)); index < points.length; index++) {
    const [atMs, leastMv, mostMv] = points[index] ?? [Infinity, null, null]
    if (atMs > toMs) break
    least = Math.min(least, leastMv ?? Infinity)
    most = Math.max(most, mostMv ?? -Infinity)
  }
  return least === Infinity ? null : { leastMv: least, mostMv: most }
}
