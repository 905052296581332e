/** A kept copy, as far as the choice between them goes. */
export interface RotatedCopy {
  file: string
  madeAt: string
  /** Null for one that cannot be read. */
  mark: { jobs: number; newestAt: string; findings: number } | null
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
export const keptGenerations = 3

/** Whether it is time for another: the newest is older than a day, or a clock that was wrong dated it into the future. */
export function isDue(copies: readonly RotatedCopy[], nowMs: number): boolean {
  const ages = copies.filter(({ mark }) => mark !== null).map(({ madeAt }) => nowMs - Date.parse(madeAt))
  return !ages.some((ageMs) => ageMs < dayMs && ageMs > -hourMs)
}

/**
 * Which copies may go after `made` was written. Kept are the newest, one of up to a week and one of one to five weeks:
 * damage is often seen late (a job that is looked up a fortnight on), and three copies of the last three days would all
 * have it by then, while yesterday's work is worth more than any of them.
 *
 * A copy in which something was found takes the place of another such copy and of no good one. One that holds more than
 * `made` (jobs, or later work) stays as well: either it was gone back to an older one since, or something was lost.
 */
export function surplusCopies(copies: readonly RotatedCopy[], made: RotatedCopy, nowMs: number): RotatedCopy[] {
  const others = copies.filter(({ file }) => file !== made.file)
  const isGood = ({ mark }: RotatedCopy): boolean => mark !== null && mark.findings === 0
  if (!isGood(made)) return others.filter(({ mark }) => mark !== null && mark.findings > 0)
  const rotated = others.filter((one) => isGood(one) && !isAhead(one, made)).toSorted((a, b) => b.madeAt.localeCompare(a.madeAt))
  const gone: RotatedCopy[] = others.filter((one) => one.mark !== null && !isGood(one) && one.madeAt < made.madeAt)
  while (rotated.length >= keptGenerations) {
    const [previous, week, month] = rotated
    if (!previous || !week || !month) break
    const ageMs = (one: RotatedCopy): number => nowMs - Date.parse(one.madeAt)
    // The one of a week has to grow old enough to become the one of a month; until then yesterday's makes room.
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
