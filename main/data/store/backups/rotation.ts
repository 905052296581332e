export interface RotatedCopy {
  file: string
  madeAt: string
  /** Null for an unreadable one. */
  mark: { jobs: number; newestAt: string; findings: number } | null
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
export const keptGenerations = 3

/** Whether another backup is due: the newest is older than a day, or dated in the future by a wrong clock. */
export function isDue(copies: readonly RotatedCopy[], nowMs: number): boolean {
  const ages = copies.filter(({ mark }) => mark !== null).map(({ madeAt }) => nowMs - Date.parse(madeAt))
  return !ages.some((ageMs) => ageMs < dayMs && ageMs > -hourMs)
}

/**
 * The copies that can be removed after `made` was written. Kept are the newest, one of up to a week and one of one to
 * five weeks. Damage is often noticed late, and three copies of the last three days would all contain it, while
 * yesterday's work is worth more than any of them.
 * A copy with a problem replaces only another such copy, never a good one. A copy that contains more than `made` (jobs,
 * or later work) stays as well: either an older one was restored since, or data was lost.
 */
export function surplusCopies(copies: readonly RotatedCopy[], made: RotatedCopy, nowMs: number): RotatedCopy[] {
  const others = copies.filter(({ file }) => file !== made.file)
  const isGood = ({ mark }: RotatedCopy): boolean => mark !== null && mark.findings === 0
  if (!isGood(made)) return others.filter(({ mark }) => mark !== null && mark.findings > 0)
  const rotated = others
    .filter((one) => isGood(one) && !isAhead(one, made))
    .toSorted((a, b) => b.madeAt.localeCompare(a.madeAt))
  const gone: RotatedCopy[] = others.filter((one) => one.mark !== null && !isGood(one) && one.madeAt < made.madeAt)
  while (rotated.length >= keptGenerations) {
    const [previous, week, month] = rotated
    if (!previous || !week || !month) break
    const ageMs = (one: RotatedCopy): number => nowMs - Date.parse(one.madeAt)
    // The weekly copy must grow old enough to become the monthly one; until then yesterday's copy is removed.
    const goes = ageMs(week) < 7 * dayMs ? previous : ageMs(month) < 28 * dayMs ? week : month
    rotated.splice(rotated.indexOf(goes), 1)
    gone.push(goes)
  }
  return gone
}

function isAhead(one: RotatedCopy, made: RotatedCopy): boolean {
  if (!one.mark || !made.mark) return false
  return one.mark.jobs > made.mark.jobs || one.mark.newestAt > made.mark.newestAt
}
