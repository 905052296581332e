import type { ExerciseResult } from '../../preload/contract/app/exercises.ts'

const perWrongGuess = 20
const perNeedlessStep = 5
/** Nobody has to hurry: only what takes longer costs. */
const freeMinutes = 15
const perMinute = 2
const leastWhenFound = 10

/** 100 for a cause that was found at the first guess, in good time and without a needless step; 0 for one that was not found. */
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

/** How often a step of a job was begun again since then although it had passed. */
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
