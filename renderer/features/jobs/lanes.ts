import type { LineChange } from '../../../preload/contract/lines.ts'
import type { LinesStory } from '../../charts/lanes/story.ts'

const width = 240
const highY = 3
const lowY = 15
const mostLines = 6

/**
 * The lines that are worth a lane: those that the step is about, ignition, and those that ever changed. A line whose
 * first value is its only one did not change.
 */
export function shownLines(story: Pick<LinesStory, 'lines'>, wanted: readonly string[]): string[] {
  const always = new Set(['IGN', 'TIG', ...wanted])
  const lines = [...story.lines].filter(([name, changes]) => always.has(name) || changes.length > 1)
  if (lines.length <= mostLines) return lines.map(([name]) => name)
  const kept = new Set(
    [...lines]
      .sort((a, b) => Number(always.has(b[0])) - Number(always.has(a[0])) || lastChange(b[1]) - lastChange(a[1]))
      .slice(0, Math.max(mostLines, always.size))
      .map(([name]) => name)
  )
  return lines.map(([name]) => name).filter((name) => kept.has(name))
}

function lastChange(changes: readonly LineChange[]): number {
  return changes.at(-1)?.[0] ?? 0
}

/** SVG paths of a line over the last `windowMs`: nothing is drawn before its first known value. */
export function laneSegments(changes: readonly LineChange[], nowMs: number, windowMs: number): string[] {
  const fromMs = nowMs - windowMs
  const x = (atMs: number) => Number((((Math.min(atMs, nowMs) - fromMs) / windowMs) * width).toFixed(1))
  const y = (on: boolean | null) => (on ? highY : lowY)
  const before = changes.findLast(([atMs]) => atMs <= fromMs)
  const within = changes.filter(([atMs]) => atMs > fromMs && atMs <= nowMs)
  const first = before ?? within[0]
  if (!first) return []
  let path = `M${String(before ? 0 : x(first[0]))} ${String(y(first[1]))}`
  for (const [atMs, on] of before ? within : within.slice(1)) path += `H${String(x(atMs))}V${String(y(on))}`
  return [`${path}H${String(width)}`]
}
