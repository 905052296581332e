/** A person cannot switch this often in this time: four times on and off would be eight. */
const chatterChanges = 9
const chatterWithinMs = 5_000

/**
 * The burst in which a line changed faster than a person can switch, by the times of its changes (ms): how often, and
 * in what time. Null: it did not.
 */
export function chatterOf(timesMs: readonly number[]): { changes: number; forMs: number } | null {
  const beginMs = timesMs.find((atMs, index) => {
    const lastMs = timesMs[index + chatterChanges - 1]
    return lastMs !== undefined && lastMs - atMs <= chatterWithinMs
  })
  if (beginMs === undefined) return null
  const burst = timesMs.filter((atMs) => atMs >= beginMs && atMs - beginMs <= chatterWithinMs)
  return { changes: burst.length, forMs: Math.round((burst.at(-1) ?? beginMs) - beginMs) }
}
