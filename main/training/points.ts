import type { ExerciseResult } from '../../preload/contract/app/exercises.ts'

const perWrongGuess = 20
const perNeedlessStep = 5
/** No need to hurry: only time beyond this costs points. */
const freeMinutes = 15
const perMinute = 2
const leastWhenFound = 10

/** 100 for a cause found with the first answer, in good time and without unnecessary steps; 0 for a cause that was not found. */
export function pointsOf({ isFound, tookS, wrongGuesses, needlessSteps }: Pick<ExerciseResult, 'isFound' | 'tookS' | 'wrongGuesses' | 'needlessSteps'>): number {
  if (!isFound) return 0
  const late = Math.max(0, Math.ceil(tookS / 60) - freeMinutes)
  return Math.max(leastWhenFound, 100 - perWrongGuess * wrongGuesses - perNeedlessStep * needlessSteps - perMinute * late)
}

interface Entry {
  type: string
  stepId: string | null
  at: string
  data: unknown
}

/** The number of times that a passed step of a job was started again since then. */
export function countNeedless(journal: readonly Entry[], since: string): number {
  const last = new Map<string, unknown>()
  let needless = 0
  for (const { type, stepId, at, data } of journal) {
    if (stepId === null) continue
    if (type === 'stepStarted' && at >= since && last.get(stepId) === 'pass') needless += 1
    if (type === 'stepEnded') last.set(stepId, (data as { state?: unknown }).state)
  }
  return needless
}
