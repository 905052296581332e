import type { LineTrace } from '../../../preload/contract/jobs.ts'

type Line = LineTrace['lines'][number]
type Change = Line['changes'][number]

const width = 240
const highY = 3
const lowY = 15
const mostLines = 6

/**
 * The lines that are worth a lane: those that the step is about, ignition, and those that ever changed. A line whose
 * first value is its only one did not change.
 */
export function shownLines(trace: LineTrace, wanted: readonly string[]): Line[] {
  const always = new Set(['IGN', 'TIG', ...wanted])
  const lines = trace.lines.filter((line) => always.has(line.name) || line.changes.length > 1)
  if (lines.length <= mostLines) return lines
  const kept = new Set(
    [...lines]
      .sort((a, b) => Number(always.has(b.name)) - Number(always.has(a.name)) || lastChange(b) - lastChange(a))
      .slice(0, Math.max(mostLines, always.size))
      .map((line) => line.name)
  )
  return lines.filter((line) => kept.has(line.name))
}

function lastChange(line: Line): number {
  return line.changes.at(-1)?.atMs ?? 0
}

/** SVG paths of a line over the last `windowMs`: nothing is drawn before its first known value. */
export function laneSegments(changes: readonly Change[], nowMs: number, windowMs: number): string[] {
  const fromMs = nowMs - windowMs
  const x = (atMs: number) => Number((((Math.min(atMs, nowMs) - fromMs) / windowMs) * width).toFixed(1))
  const y = (on: boolean) => (on ? highY : lowY)
  const before = changes.findLast((change) => change.atMs <= fromMs)
  const within = changes.filter((change) => change.atMs > fromMs && change.atMs <= nowMs)
  const first = before ?? within[0]
  if (!first) return []
  let path = `M${String(before ? 0 : x(first.atMs))} ${String(y(first.on))}`
  for (const change of before ? within : within.slice(1)) path += `H${String(x(change.atMs))}V${String(y(change.on))}`
  return [`${path}H${String(width)}`]
}
