import type { ShortcutId } from '../../../preload/keys/table.ts'
import type { IconName } from '../../ui/Icon.vue'
import { rankOf } from './matching.ts'

/** What a line leads to: it can be looked for among its own kind alone. */
export type FindKind = 'vehicle' | 'job' | 'device' | 'screen' | 'action'

/** A line of "Find or do". */
export interface FindLine {
  id: string
  kind: FindKind
  icon: IconName
  title: string
  /** What is known about it, in words. */
  note: string
  /** Additional search words that are not shown. */
  also?: string
  /** Where it was found by other means than by its words: how well. */
  rank?: number
  of?: ShortcutId
  keys?: string
  act(): unknown
}

const kindOrder: Record<FindKind, number> = { vehicle: 0, job: 1, device: 2, screen: 3, action: 4 }

/** The lines that have all wanted words, best first, each kind in its own order. */
export function bestOf<Line extends FindLine>(lines: readonly Line[], words: readonly string[], most: number): Line[] {
  return lines
    .map((line) => ({ line, rank: rankOf(line.title, line.also ?? '', words) || (line.rank ?? 0) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank || kindOrder[a.line.kind] - kindOrder[b.line.kind])
    .slice(0, most)
    .map(({ line }) => line)
}
