import type { Association } from '../../../preload/contract/gateway/vehicles/vehicles.ts'

/** Moments in epoch ms; `untilMs` is exclusive. */
export interface Stretch {
  fromMs: number
  untilMs: number
}
export interface Span extends Stretch {
  /** IMEI, or id of the asset. */
  id: string
  text: string
  isPresent: boolean
}
export type LaneKind = 'device' | 'driver' | 'trailer' | 'other'
export interface Lane {
  kind: LaneKind
  /** Spans of one row never overlap; a second row shows what the gateway reports at the same time. */
  rows: Span[][]
}
export interface AssetName {
  id: number
  name: string
  type: string | null
}

export const dayMs = 86_400_000
const order: readonly LaneKind[] = ['device', 'trailer', 'driver', 'other']

/** What belonged to the vehicle within a time, by kind. An entry without a start began before the known history. */
export function lanesOf(
  history: readonly Association[],
  assets: ReadonlyMap<number, AssetName>,
  within: Stretch
): Lane[] {
  const byKind = new Map<LaneKind, Span[]>()
  for (const entry of history) {
    const asset = entry.kind === 'asset' ? assets.get(Number(entry.id)) : undefined
    const kind = entry.kind === 'device' ? 'device' : kindOf(asset?.type)
    const span = cut(
      {
        ...stretchOf(entry),
        id: entry.id,
        text: asset?.name ?? entry.name ?? entry.id,
        isPresent: entry.until === null
      },
      within
    )
    if (span) byKind.set(kind, [...(byKind.get(kind) ?? []), span])
  }
  return order.flatMap((kind) => {
    const spans = byKind.get(kind)
    return spans ? [{ kind, rows: inRows(spans) }] : []
  })
}

function kindOf(type: string | null | undefined): LaneKind {
  const plain = type?.toLowerCase()
  return plain === 'driver' || plain === 'trailer' ? plain : 'other'
}

function stretchOf({ from, until }: Association): Stretch {
  return {
    fromMs: from === null ? -Infinity : Date.parse(from),
    untilMs: until === null ? Infinity : Date.parse(until)
  }
}

/** The part inside the range; undefined when there is none. */
function cut<S extends Stretch>(span: S, within: Stretch): S | undefined {
  const fromMs = Math.max(span.fromMs, within.fromMs)
  const untilMs = Math.min(span.untilMs, within.untilMs)
  return fromMs < untilMs ? { ...span, fromMs, untilMs } : undefined
}

function inRows(spans: readonly Span[]): Span[][] {
  const rows: Span[][] = []
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs || a.untilMs - b.untilMs)) {
    const row = rows.find((one) => (one.at(-1)?.untilMs ?? -Infinity) <= span.fromMs)
    if (row) row.push(span)
    else rows.push([span])
  }
  return rows
}

/** The times without a device, between the first known one and now. */
export function timesWithoutDevice(history: readonly Association[], within: Stretch): Stretch[] {
  const spans = history
    .filter(({ kind }) => kind === 'device')
    .map(stretchOf)
    .filter(({ fromMs, untilMs }) => fromMs < untilMs)
    .sort((a, b) => a.fromMs - b.fromMs)
  const gaps: Stretch[] = []
  let reachedMs = spans[0]?.untilMs ?? Infinity
  for (const span of spans) {
    if (span.fromMs > reachedMs) gaps.push({ fromMs: reachedMs, untilMs: span.fromMs })
    reachedMs = Math.max(reachedMs, span.untilMs)
  }
  if (reachedMs < Infinity) gaps.push({ fromMs: reachedMs, untilMs: Infinity })
  return gaps.map((gap) => cut(gap, within)).filter((gap) => gap !== undefined)
}

/**
 * Whole days (UTC) without a report, two or more in a row, while a device was in the vehicle. Before the first report
 * nothing is known.
 */
export function silentTimes(
  days: readonly { day: string; reports: number }[],
  without: readonly Stretch[],
  untilMs: number
): Stretch[] {
  const reported = days.filter(({ reports }) => reports > 0).map(({ day }) => Date.parse(day))
  const sorted = [...new Set(reported)].sort((a, b) => a - b)
  const pauses = sorted.map((ms, index) => ({
    fromMs: ms + dayMs,
    untilMs: sorted[index + 1] ?? Math.floor(untilMs / dayMs) * dayMs
  }))
  return pauses
    .flatMap((pause) => subtract(pause, without))
    .filter(({ fromMs, untilMs: end }) => end - fromMs >= 2 * dayMs)
}

function subtract(stretch: Stretch, others: readonly Stretch[]): Stretch[] {
  return others.reduce<Stretch[]>(
    (left, other) => {
      return left.flatMap((part) => {
        if (other.untilMs <= part.fromMs || other.fromMs >= part.untilMs) return [part]
        const before = { fromMs: part.fromMs, untilMs: other.fromMs }
        const after = { fromMs: other.untilMs, untilMs: part.untilMs }
        return [before, after].filter(({ fromMs, untilMs }) => fromMs < untilMs)
      })
    },
    [stretch]
  )
}

export type RangeChoice = 'months3' | 'months21' | 'all'

/** The shown range, up to now. `all` starts at the earliest known moment. */
export function rangeOf(choice: RangeChoice, firstMs: number | null, nowMs: number): Stretch {
  if (choice !== 'all') return { fromMs: monthsBefore(nowMs, choice === 'months3' ? 3 : 21), untilMs: nowMs }
  return { fromMs: Math.min(firstMs ?? Infinity, monthsBefore(nowMs, 1)), untilMs: nowMs }
}

function monthsBefore(ms: number, months: number): number {
  const date = new Date(ms)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, date.getUTCDate())
}

/** The beginnings of months (UTC) that mark the axis: at most `most`. */
export function ticksOf({ fromMs, untilMs }: Stretch, most: number): number[] {
  const months = (untilMs - fromMs) / (30.44 * dayMs)
  const step = [1, 2, 3, 6, 12, 24, 60].find((each) => months / each < most) ?? 120
  const first = new Date(fromMs)
  const ticks: number[] = []
  for (let month = first.getUTCFullYear() * 12 + first.getUTCMonth(); ; month++) {
    const ms = Date.UTC(Math.floor(month / 12), month % 12, 1)
    if (ms > untilMs) return ticks
    if (month % step === 0 && ms >= fromMs) ticks.push(ms)
  }
}

/** The position of a moment, in percent of the width. */
export function percentAt(ms: number, { fromMs, untilMs }: Stretch): number {
  return Math.round(Math.min(100, Math.max(0, ((ms - fromMs) / (untilMs - fromMs)) * 100)) * 1000) / 1000
}
