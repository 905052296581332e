import type { ScoreParts } from '../../../preload/contract/app/exercises.ts'

/** The most that each part of a score can be. */
export const mostOf = { cause: 60, time: 20, safety: 20 } as const
const perWrongGuess = 6
const perNeedlessStep = 2
const perDanger = 10
const perHint = 10
/** A cause that was named without a single test was guessed. */
const untested = 20
/** No need to hurry: half of the time is free. */
const freeShare = 0.5
/** What is left of the time's part when it has just run out; none after twice the time. */
const atTheLimit = 17

export interface ScoreFacts {
  isFound: boolean
  tookS: number
  limitS: number
  /** Steps that came to a result. */
  tests: number
  wrongGuesses: number
  needlessSteps: number
  dangers: number
  hints: number
}

/** The parts of a score. A cause that was not found is worth nothing, however safe and fast it was. */
export function scoreOf({
  isFound,
  tookS,
  limitS,
  tests,
  wrongGuesses,
  needlessSteps,
  dangers,
  hints
}: ScoreFacts): ScoreParts {
  if (!isFound) return { cause: 0, time: 0, safety: 0, hints: 0 }
  return {
    cause: Math.max(
      0,
      mostOf.cause - perWrongGuess * wrongGuesses - perNeedlessStep * needlessSteps - (tests === 0 ? untested : 0)
    ),
    time: timePart(tookS / limitS),
    safety: Math.max(0, mostOf.safety - perDanger * dangers),
    hints: hints === 0 ? 0 : -perHint * hints
  }
}

/** The sum of the parts, never below 0. */
export function sumOf({ cause, time, safety, hints }: ScoreParts): number {
  return Math.max(0, cause + time + safety + hints)
}

function timePart(share: number): number {
  if (share <= freeShare) return mostOf.time
  if (share <= 1) return Math.round(mostOf.time - ((share - freeShare) / (1 - freeShare)) * (mostOf.time - atTheLimit))
  return Math.max(0, Math.round(atTheLimit * (2 - share)))
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
