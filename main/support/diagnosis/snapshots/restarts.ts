export interface UptimeAt {
  takenAt: string
  /** "Since the last reset"; the document gives no unit. Null if it could not be read. */
  uptime: number | null
}

/** The possible difference between the clocks of two laptops. */
const marginS = 900

/** The least number of restarts: a smaller number than before, or fewer seconds than the time that has passed. */
export function restartsSeen(snapshots: readonly UptimeAt[]): number {
  const known = snapshots
    .filter((one): one is { takenAt: string; uptime: number } => one.uptime !== null)
    .sort((a, b) => Date.parse(a.takenAt) - Date.parse(b.takenAt))
  return known.slice(1).filter((one, index) => {
    const before = known[index]
    if (!before) return false
    const passedS = (Date.parse(one.takenAt) - Date.parse(before.takenAt)) / 1000
    return one.uptime < before.uptime || one.uptime + marginS < passedS
  }).length
}
