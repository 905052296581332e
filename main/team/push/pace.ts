export interface CallSize {
  jobs: number
  entries: number
  bytes: number
}

const most: CallSize = { jobs: 400, entries: 2_000, bytes: 4_000_000 }
/** Jobs with more than this are sent alone. */
const leastShare = 1 / 400
const least: CallSize = { jobs: 1, entries: 50, bytes: 100_000 }
/** Queries run between two calls, so no call may take long. */
const quickMs = 300
const slowMs = 700
/** A slow network is no reason for smaller calls: then each job would wait for it separately. */
const slowShare = 1 / 8

/** The size of a call: small at first, larger while the server is fast, smaller after slow calls or timeouts. */
export function createPace() {
  let share = 1 / 16
  return {
    size: (): CallSize => ({ jobs: sized('jobs'), entries: sized('entries'), bytes: sized('bytes') }),
    took(ms: number): void {
      if (ms < quickMs) share = Math.min(1, share * 2)
      else if (ms > slowMs && share > slowShare) share = Math.max(slowShare, share / 2)
    },
    /** Whether a smaller call is possible after a slow one. */
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
