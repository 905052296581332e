/** The time range of the lanes: it ends now and moves on, or it is fixed. */
export interface LanesView {
  rangeMs: number
  /** Null: now. */
  endMs: number | null
}

export type Span = readonly [fromMs: number, toMs: number]

const leastMs = 1_000
const mostMs = 24 * 3_600_000

export function spanOf({ rangeMs, endMs }: LanesView, nowMs: number): Span {
  const toMs = endMs ?? nowMs
  return [toMs - rangeMs, toMs]
}

/**
 * Zooms in (a factor under 1) or out. A fixed range keeps the moment under the pointer in place; a moving one keeps
 * now.
 */
export function zoomView(
  view: LanesView,
  { factor, atMs, nowMs }: { factor: number; atMs: number; nowMs: number }
): LanesView {
  const rangeMs = Math.min(mostMs, Math.max(leastMs, view.rangeMs * factor))
  if (view.endMs === null) return { rangeMs, endMs: null }
  const [fromMs, toMs] = spanOf(view, nowMs)
  const share = (atMs - fromMs) / (toMs - fromMs)
  return { rangeMs, endMs: Math.min(nowMs, atMs + (1 - share) * rangeMs) }
}

/** Exactly this range, fixed. */
export function frameView([fromMs, toMs]: Span): LanesView {
  const rangeMs = Math.min(mostMs, Math.max(leastMs, toMs - fromMs))
  return { rangeMs, endMs: fromMs + rangeMs }
}

/** Moves forward or back by a part of the range; never into the future. */
export function panView(view: LanesView, part: number, nowMs: number): LanesView {
  const endMs = (view.endMs ?? nowMs) + part * view.rangeMs
  return endMs >= nowMs && part > 0 ? { ...view, endMs: nowMs } : { ...view, endMs }
}

/** The same range, moved to include a moment. */
export function revealTime(view: LanesView, atMs: number, nowMs: number): LanesView {
  const [fromMs, toMs] = spanOf(view, nowMs)
  if (atMs >= fromMs && atMs <= toMs) return view
  return { ...view, endMs: Math.min(nowMs, atMs + view.rangeMs / 2) }
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600].map((s) => s * 1000)

/** The marks of the time axis: at most `most`, counted back from now, or on full minutes and hours. */
export function ticksOf(
  [fromMs, toMs]: Span,
  { most, isLive, offsetMs = 0 }: { most: number; isLive: boolean; offsetMs?: number }
): number[] {
  const step = steps.find((one) => (toMs - fromMs) / one <= most) ?? 21_600_000
  const last = isLive ? toMs : Math.floor((toMs + offsetMs) / step) * step - offsetMs
  const ticks: number[] = []
  for (let atMs = last; atMs >= fromMs - 1; atMs -= step) ticks.unshift(atMs)
  return ticks
}
