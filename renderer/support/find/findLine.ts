import type { ShortcutId } from '../../../preload/app/keys/keyTable.ts'
import type { IconName } from '../../base/ui/Icon.vue'
import type { Shape } from '../../base/ui/status.ts'
import { rankOf } from './matching.ts'

/** The target of a line: the search can be limited to one kind. */
export type FindKind = 'vehicle' | 'job' | 'device' | 'screen' | 'action'

/** A line of "Find or do". */
export interface FindLine {
  id: string
  kind: FindKind
  icon: IconName
  title: string
  /** Known facts in words. */
  note: string
  /** How the vehicle, device or job stands; with `isOld`, from an earlier answer. */
  state?: { shape: Shape; text: string; isOld?: boolean } | undefined
  /** Additional search words that are not shown. */
  also?: string
  /** For a line found by other means than its text: the rank. */
  rank?: number
  of?: ShortcutId
  keys?: string
  act(): unknown
}

export const kindOrder: Record<FindKind, number> = { vehicle: 0, job: 1, device: 2, screen: 3, action: 4 }

/** A vehicle, job or device, in contrast to what can be opened or done everywhere. */
export function isPlace({ kind }: FindLine): boolean {
  return kind === 'vehicle' || kind === 'job' || kind === 'device'
}

/** The lines with all search words, best first, each kind in its own order. */
export function bestOf<Line extends FindLine>(lines: readonly Line[], words: readonly string[], most: number): Line[] {
  return lines
    .map((line) => ({ line, rank: rankOf(line.title, line.also ?? '', words) || (line.rank ?? 0) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank || kindOrder[a.line.kind] - kindOrder[b.line.kind])
    .slice(0, most)
    .map(({ line }) => line)
}
