/** A lasting change: the day from which on a value is another one, and its medians before and after. */
export interface Change {
  index: number
  before: number
  after: number
}

/** Fewer days prove nothing. */
const fewestDays = 4

/**
 * The day that divides a series best: the difference of the medians before and after is at least `least`, and larger
 * than the days of each part differ among themselves. Null: it did not change, or there are too few days.
 */
export function changeOf(values: readonly (number | null)[], least: number): Change | null {
  let best: (Change & { score: number }) | null = null
  for (let index = 1; index < values.length; index++) {
    if (values[index] === null) continue
    const [before, after] = [known(values.slice(0, index)), known(values.slice(index))]
    if (before.length < fewestDays || after.length < fewestDays) continue
    const [from, to] = [median(before), median(after)]
    const spread = deviation(before, from) * before.length + deviation(after, to) * after.length
    const noise = spread / (before.length + after.length)
    const score = Math.abs(to - from) - 3 * noise
    if (Math.abs(to - from) >= least && score > 0 && (best === null || score > best.score))
      best = { index, before: from, after: to, score }
  }
  return best && { index: best.index, before: best.before, after: best.after }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length / 2
  return sorted.length % 2 === 1 ? (sorted[Math.floor(half)] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2
}

export function known(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null)
}

function deviation(values: readonly number[], middle: number): number {
  return values.reduce((sum, value) => sum + Math.abs(value - middle), 0) / values.length
}
