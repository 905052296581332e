import { silences } from '../../../preload/gateway/events/silences.ts'

/** What the analysis needs from events, in the order in which they happened. */
export interface SeenEvents {
  n: number
  /** When it happened, or arrived if the device knew no time; NaN: neither. */
  atMs(index: number): number
  arrivedMs(index: number): number
  /** NaN when unknown. */
  delayS(index: number): number
  /** The device itself marks it as buffered. */
  isBacklog(index: number): boolean
  /** What makes two events equal; null: unknown. */
  sameness(index: number): string | null
  /** The gateway itself marks it as a copy. */
  isDuplicate(index: number): boolean
}

export interface Limits {
  /** A longer time without an event is a silence; null: derived from how the vehicle reports. */
  silentFromS: number | null
  /** An event with a longer delay was buffered. */
  lateFromS: number
}

/** Both included, epoch ms. */
export interface Span {
  fromMs: number
  toMs: number
}

/** A time without any event. `open`: it may have started before, or continue after, the requested period. */
export interface SilentTime {
  fromMs: number
  toMs: number
  open: 'start' | 'end' | null
}

/**
 * Consecutive events that arrived alike: buffered and delivered together (kept), or late by the same time over a long
 * period (clock).
 */
export interface Stretch {
  kind: 'live' | 'kept' | 'clock'
  /** Indexes in the order of happening, both included. */
  first: number
  last: number
  fromMs: number
  toMs: number
  arrivedFromMs: number
  arrivedToMs: number
  longestS: number
}

export interface Analysis {
  silentFromS: number
  gaps: SilentTime[]
  stretches: Stretch[]
  /** By index: the event is a copy of an earlier one. */
  twice: Uint8Array
  kept: number
  /** Events that arrived before they happened: the device's clock is ahead. */
  ahead: number
}

export const usualLimits: Limits = { silentFromS: null, lateFromS: 60 }
const leastSilenceS = 600
const aheadFromS = 5
/** Deliveries further apart are separate. */
const burstMs = 600_000
const steadyWithinS = 5
const steadyFrom = 20

/** The findings in events: silences, buffered runs, copies. */
export function analyseEvents(events: SeenEvents, span: Span, limits: Limits): Analysis {
  const silentFromS = limits.silentFromS ?? usualSilenceS(events)
  const twice = findTwice(events)
  const stretches = findStretches(events, twice, limits.lateFromS)
  let kept = 0
  for (const { kind, first, last } of stretches) if (kind === 'kept') kept += last - first + 1
  let ahead = 0
  for (let index = 0; index < events.n; index++) if (events.delayS(index) <= -aheadFromS) ahead += 1
  return { silentFromS, gaps: findGaps(events, span, silentFromS * 1000), stretches, twice, kept, ahead }
}

/** Three times the usual interval of this vehicle, and at least ten minutes. */
function usualSilenceS(events: SeenEvents): number {
  const between = new Float64Array(Math.max(0, events.n - 1))
  let n = 0
  for (let index = 1; index < events.n; index++) {
    const ms = events.atMs(index) - events.atMs(index - 1)
    if (ms > 0) between[n++] = ms
  }
  const sorted = between.subarray(0, n).sort()
  const usualS = n === 0 ? 0 : ((sorted[Math.floor((n - 1) * 0.9)] as number) / 1000) * 3
  return silences.find((one) => one >= Math.max(leastSilenceS, usualS)) ?? 86_400
}

function findGaps(events: SeenEvents, { fromMs, toMs }: Span, silentMs: number): SilentTime[] {
  const gaps: SilentTime[] = []
  let beforeMs = fromMs
  let isFirst = true
  for (let index = 0; index < events.n; index++) {
    const at = events.atMs(index)
    if (Number.isNaN(at) || at < fromMs) continue
    if (at > toMs) break
    if (at - beforeMs > silentMs) gaps.push({ fromMs: beforeMs, toMs: at, open: isFirst ? 'start' : null })
    beforeMs = at
    isFirst = false
  }
  // Without any event there is no silence, but nothing at all.
  if (!isFirst && toMs - beforeMs > silentMs) gaps.push({ fromMs: beforeMs, toMs, open: 'end' })
  return gaps
}

function findTwice(events: SeenEvents): Uint8Array {
  const twice = new Uint8Array(events.n)
  // The same event has the same time: its copies are adjacent.
  let seen = new Map<string, number>()
  let atMs = NaN
  for (let index = 0; index < events.n; index++) {
    if (events.isDuplicate(index)) twice[index] = 1
    const at = events.atMs(index)
    if (at !== atMs) seen = new Map()
    atMs = at
    const sameness = events.sameness(index)
    if (sameness === null || Number.isNaN(at)) continue
    const other = seen.get(sameness)
    if (other === undefined) seen.set(sameness, index)
    else if (events.isDuplicate(other)) seen.set(sameness, index)
    else if (!events.isDuplicate(index)) {
      // The one that arrived first is the event; the other one is its copy.
      const isLater = !(events.arrivedMs(index) < events.arrivedMs(other))
      twice[isLater ? index : other] = 1
      if (!isLater) seen.set(sameness, index)
    }
  }
  return twice
}

function findStretches(events: SeenEvents, twice: Uint8Array, lateFromS: number): Stretch[] {
  const stretches: Stretch[] = []
  let open: Stretch | undefined
  for (let index = 0; index < events.n; index++) {
    const delayS = events.delayS(index)
    const own = events.isBacklog(index) || delayS >= lateFromS ? 'kept' : 'live'
    // A copy that arrives again interrupts nothing.
    const kind = twice[index] === 1 && open ? open.kind : own
    const arrivedMs = events.arrivedMs(index)
    const isApart =
      kind === 'kept' &&
      open !== undefined &&
      twice[index] !== 1 &&
      Math.abs(arrivedMs - open.arrivedToMs) > burstMs &&
      Math.abs(arrivedMs - open.arrivedFromMs) > burstMs &&
      !isSteadyWith(open, delayS)
    if (!open || open.kind !== kind || isApart) {
      const at = events.atMs(index)
      open = {
        kind,
        first: index,
        last: index,
        fromMs: at,
        toMs: at,
        arrivedFromMs: arrivedMs,
        arrivedToMs: arrivedMs,
        longestS: Number.isNaN(delayS) ? 0 : delayS
      }
      stretches.push(open)
      continue
    }
    open.last = index
    open.toMs = events.atMs(index)
    if (twice[index] === 1) continue
    open.arrivedFromMs = least(open.arrivedFromMs, arrivedMs)
    open.arrivedToMs = most(open.arrivedToMs, arrivedMs)
    if (delayS > open.longestS) open.longestS = delayS
  }
  for (const one of stretches) if (one.kind === 'kept' && isSteady(events, one, twice)) one.kind = 'clock'
  return stretches
}

const isSteadyWith = ({ longestS }: Stretch, delayS: number): boolean => Math.abs(longestS - delayS) <= steadyWithinS

/**
 * Buffered events arrive together, the oldest with the longest delay. These arrived one by one, each with the same
 * delay.
 */
function isSteady(
  events: SeenEvents,
  { first, last, arrivedFromMs, arrivedToMs }: Stretch,
  twice: Uint8Array
): boolean {
  if (last - first + 1 < steadyFrom || !(arrivedToMs - arrivedFromMs > burstMs)) return false
  let least = Infinity
  let most = -Infinity
  for (let index = first; index <= last; index++) {
    if (twice[index] === 1) continue
    if (events.isBacklog(index)) return false
    least = Math.min(least, events.delayS(index))
    most = Math.max(most, events.delayS(index))
  }
  return most - least <= steadyWithinS
}

function least(one: number, other: number): number {
  return Number.isNaN(one) || other < one ? other : one
}

function most(one: number, other: number): number {
  return Number.isNaN(one) || other > one ? other : one
}

export function stretchAt(stretches: readonly Stretch[], index: number): Stretch | undefined {
  let low = 0
  let high = stretches.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((stretches[middle] as Stretch).first <= index) low = middle
    else high = middle - 1
  }
  return stretches[low]
}
