import type { TeamFork } from '../../../preload/contract/team/team.ts'

export type ForkEntry = TeamFork['log']['entries'][number]

/** What both versions did at the same point of the job; undefined: this version did nothing there. */
export interface EntryPair {
  log: ForkEntry | undefined
  other: ForkEntry | undefined
}

/**
 * Both versions row by row. The first entries stand beside each other, because there the versions part; after them,
 * entries of the same kind and step do, as many as possible in the order of both.
 */
export function alignEntries(log: readonly ForkEntry[], other: readonly ForkEntry[]): EntryPair[] {
  const [firstLog, ...restLog] = log
  const [firstOther, ...restOther] = other
  const pairs: EntryPair[] = firstLog || firstOther ? [{ log: firstLog, other: firstOther }] : []
  const common = commonLengths(restLog, restOther)
  let [a, b] = [0, 0]
  while (a < restLog.length || b < restOther.length) {
    const [one, two] = [restLog[a], restOther[b]]
    if (one && two && isAlike(one, two)) {
      pairs.push({ log: one, other: two })
      a++
      b++
    } else if (one && (!two || (common[a + 1]?.[b] ?? 0) >= (common[a]?.[b + 1] ?? 0))) {
      pairs.push({ log: one, other: undefined })
      a++
    } else {
      pairs.push({ log: undefined, other: two })
      b++
    }
  }
  return pairs
}

/** How many pairs are possible from these places on. */
function commonLengths(log: readonly ForkEntry[], other: readonly ForkEntry[]): number[][] {
  const lengths = Array.from({ length: log.length + 1 }, () => Array.from({ length: other.length + 1 }, () => 0))
  for (let a = log.length - 1; a >= 0; a--) {
    for (let b = other.length - 1; b >= 0; b--) {
      const [one, two, row] = [log[a], other[b], lengths[a]]
      if (!one || !two || !row) continue
      row[b] = isAlike(one, two)
        ? 1 + (lengths[a + 1]?.[b + 1] ?? 0)
        : Math.max(lengths[a + 1]?.[b] ?? 0, row[b + 1] ?? 0)
    }
  }
  return lengths
}

function isAlike(one: ForkEntry, other: ForkEntry): boolean {
  return one.type === other.type && one.stepId === other.stepId
}
