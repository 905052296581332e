import type { Condition } from '../../../../preload/contract/job/steps/condition.ts'
import type { LoggedJob } from '../record/journal.ts'
import { stepKinds } from '../stepKinds.ts'

type PlannedStep = LoggedJob['steps'][number]

/**
 * For each step of a job the steps that have to end before it starts (`preload/job/goingOn.ts`). Nothing starts before
 * the identity; a step that only watches waits for nothing else but an answer that it depends on.
 */
export function stepsBefore({ kind, steps, templateSteps }: Pick<LoggedJob, 'kind' | 'steps' | 'templateSteps'>): {
  [stepId: string]: string[]
} {
  const idsOf = (some: readonly PlannedStep[]) => some.map(({ id }) => id)
  return Object.fromEntries(
    steps.map((step, at) => {
      if (step.kind === 'identity') return [step.id, []]
      if (step.kind === 'signOff') return [step.id, idsOf(steps.filter((other) => other !== step))]
      const answers = answersIn(templateSteps.get(step.id)?.when)
      const isAlone = stepKinds[step.kind].alone === true || (kind === 'removal' && !stepKinds[step.kind].watches)
      const first = steps.filter(
        (other, place) =>
          other.kind === 'identity' || (place < at && (answers.includes(other.id) || isAlone || isFirst(other, step)))
      )
      return [step.id, idsOf(first)]
    })
  )
}

/** An earlier step that needs the person or the device for itself, or that this one would disturb. */
function isFirst(other: PlannedStep, { kind }: PlannedStep): boolean {
  const { watches, disturbs = [] } = stepKinds[kind]
  if (watches) return false
  const { watches: onlyWatches, act, anyTime } = stepKinds[other.kind]
  return (!anyTime && (!onlyWatches || act !== null)) || disturbs.includes(other.kind)
}

/** The steps whose answers decide whether a step is wanted. */
function answersIn(condition: Condition | undefined): string[] {
  if (condition === undefined || 'noOrder' in condition || 'ordered' in condition) return []
  if ('answered' in condition) return [condition.answered.step]
  if ('not' in condition) return answersIn(condition.not)
  return ('all' in condition ? condition.all : condition.any).flatMap(answersIn)
}
