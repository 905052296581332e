import type { Order } from '../../../preload/contract/jobs/orders.ts'
import type { Answer } from '../../../preload/contract/jobs/jobs.ts'
import type { Condition } from '../../../preload/contract/jobs/steps/condition.ts'

export interface ConditionFacts {
  order: Order | null
  /** What a step was answered; undefined while it was not. Left out: nothing was answered yet. */
  answerOf?(stepId: string): Answer | undefined
}

/** Whether a step is wanted; undefined while that hangs on an answer that was not given yet. */
export function conditionHolds(condition: Condition | undefined, facts: ConditionFacts): boolean | undefined {
  if (condition === undefined) return true
  if ('ordered' in condition) return (facts.order?.items ?? []).some((item) => item.kind === condition.ordered || item.as === condition.ordered)
  if ('noOrder' in condition) return facts.order === null
  if ('answered' in condition) {
    const answer = facts.answerOf?.(condition.answered.step)
    return answer && [answer.answer, answer.value, answer.choose].includes(condition.answered.is)
  }
  if ('not' in condition) {
    const inner = conditionHolds(condition.not, facts)
    return inner === undefined ? undefined : !inner
  }
  const isAll = 'all' in condition
  const parts = (isAll ? condition.all : condition.any).map((part) => conditionHolds(part, facts))
  // One that does not hold decides "all", one that holds decides "any"; otherwise what is open stays open.
  if (parts.includes(!isAll)) return !isAll
  return parts.includes(undefined) ? undefined : isAll
}
