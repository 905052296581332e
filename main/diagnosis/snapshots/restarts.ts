/** What a snapshot says of how long its device had been up. */
export interface UptimeAt {
  takenAt: string
  /** "Since the last reset"; the document does not name its unit. Null where it could not be read. */
  uptime: number | null
}

/** The clocks of two laptops may stand this far apart. */
const marginS = 900

/**
 * How often a device restarted between the first and the last of these, at least: each pair in a row shows one restart or
 * none. A smaller number than before is a restart whatever its unit; so is one of fewer seconds than have passed since.
 */
export function restartsSeen(snapshots: readonly UptimeAt[]): number {
  const known = snapshots.filter((one): one is { takenAt: string; uptime: number } => one.uptime !== null).sort((a, b) => Date.parse(a.takenAt) - Date.parse(b.takenAt))
  return known.slice(1).filter((one, index) => {
    const before = known[index]
    if (!before) return false
    const passedS = (Date.parse(one.takenAt) - Date.parse(before.takenAt)) / 1000
    return one.uptime < before.uptime || one.uptime + marginS < passedS
  }).length
}
