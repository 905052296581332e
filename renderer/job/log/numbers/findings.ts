import type { WorkNumbers } from '../../../../preload/contract/job/numbers.ts'

/** Fewer jobs than this say nothing about a month, or about a technician. */
export const fewestJobs = 5
const mostNamed = 4

/**
 * The kinds of steps that together take two thirds of the time, and their share of it; none when it takes more than a
 * few.
 */
export function longestSteps(
  steps: WorkNumbers['steps']
): { steps: WorkNumbers['steps']; sharePercent: number } | null {
  const timeOf = ({ runs, averageMs }: WorkNumbers['steps'][number]): number => runs * averageMs
  const totalMs = steps.reduce((sum, step) => sum + timeOf(step), 0)
  if (totalMs === 0) return null
  const longest: WorkNumbers['steps'] = []
  let ms = 0
  for (const step of steps.toSorted((one, other) => timeOf(other) - timeOf(one))) {
    if (ms >= (2 / 3) * totalMs) break
    longest.push(step)
    ms += timeOf(step)
  }
  return longest.length <= mostNamed && longest.length < steps.length
    ? { steps: longest, sharePercent: Math.round((100 * ms) / totalMs) }
    : null
}

/** How many causes explain the largest part of the failures, at most three. */
export function mainCauses({
  causes,
  failedSteps
}: Pick<WorkNumbers, 'causes' | 'failedSteps'>): { n: number; sharePercent: number } | null {
  if (failedSteps === 0 || causes.length === 0) return null
  const most = causes.slice(0, 3)
  return {
    n: most.length,
    sharePercent: Math.round((100 * most.reduce((sum, { steps }) => sum + steps, 0)) / failedSteps)
  }
}

const rate = ({ jobs, firstTimeJobs }: { jobs: number; firstTimeJobs: number }): number => (100 * firstTimeJobs) / jobs

/** From the first to the last month with enough jobs; null without two of them. */
export function passTrend(
  months: WorkNumbers['months']
): { kind: 'rose' | 'fell' | 'stayed'; fromPercent: number; toPercent: number } | null {
  const [first, ...later] = months.filter(({ jobs }) => jobs >= fewestJobs)
  const last = later.at(-1)
  if (!first || !last) return null
  const [fromPercent, toPercent] = [Math.round(rate(first)), Math.round(rate(last))]
  const change = toPercent - fromPercent
  return { kind: change > 0 ? 'rose' : change < 0 ? 'fell' : 'stayed', fromPercent, toPercent }
}

/**
 * The groups with the highest and the lowest first-pass rate, among those with enough jobs; null when they do not
 * differ.
 */
export function farthestGroups<Group extends { jobs: number; firstTimeJobs: number }>(
  groups: readonly Group[]
): { best: Group; last: Group } | null {
  const sorted = groups.filter(({ jobs }) => jobs >= fewestJobs).toSorted((one, other) => rate(other) - rate(one))
  const [best] = sorted
  const last = sorted.at(-1)
  return best && last && Math.round(rate(best)) > Math.round(rate(last)) ? { best, last } : null
}
