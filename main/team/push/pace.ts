/** What goes in one call at most. */
export interface CallSize {
  jobs: number
  entries: number
  bytes: number
}

const most: CallSize = { jobs: 400, entries: 2_000, bytes: 4_000_000 }
/** Of which one job goes by itself. */
const leastShare = 1 / 400
const least: CallSize = { jobs: 1, entries: 50, bytes: 100_000 }
/** What is at hand comes between two calls: no one of them takes long. */
const quickMs = 300
const slowMs = 700
/** A way that is slow is no reason for fewer: then each job by itself would wait for it. */
const slowShare = 1 / 8

/** How much goes in one call: little at first, more while the server is quick about it, less when it is not or its time was up. */
export function createPace() {
  let share = 1 / 16
  return {
    size: (): CallSize => ({ jobs: sized('jobs'), entries: sized('entries'), bytes: sized('bytes') }),
    took(ms: number): void {
      if (ms < quickMs) share = Math.min(1, share * 2)
      else if (ms > slowMs && share > slowShare) share = Math.max(slowShare, share / 2)
    },
    /** Whether less may do, where it took too long. */
    less(): boolean {
      const isLeast = share <= leastShare
      share = Math.max(leastShare, share / 8)
      return !isLeast
    }
  }

  function sized(what: keyof CallSize): number {
    return Math.max(least[what], Math.floor(most[what] * share))
  }
}

