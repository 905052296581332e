import type { Order } from '../../../../preload/contract/job/orders.ts'
import type { Answer } from '../../../../preload/contract/job/jobs.ts'
import type { Condition } from '../../../../preload/contract/job/steps/condition.ts'

export interface ConditionFacts {
  order: Order | null
  /** The answer of a step; undefined without one. Omitted: there are no answers yet. */
  answerOf?(stepId: string): Answer | undefined
}

/** Whether a step is wanted; undefined while that depends on a missing answer. */
export function conditionHolds(condition: Condition | undefined, facts: ConditionFacts): boolean | undefined {
  if (condition === undefined) return true
  if ('ordered' in condition)
    return (facts.order?.items ?? []).some((item) => item.kind === condition.ordered || item.as === condition.ordered)
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
  // A false part decides "all", a true part decides "any"; otherwise an undecided part leaves the result undecided.
  if (parts.includes(!isAll)) return !isAll
  return parts.includes(undefined) ? undefined : isAll
}
