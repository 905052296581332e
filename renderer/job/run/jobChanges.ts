import { watch } from 'vue'
import type { Job, StepState } from '../../../preload/contract/job/jobs.ts'
import type { Sound } from '../../base/shell/sounds.ts'
import { needsPerson, type LiveOfSteps } from '../../base/shell/jobStage.ts'

const ends: Partial<Record<StepState, Sound>> = { pass: 'pass', warn: 'pass', fail: 'fail', unreadable: 'fail' }

/** What one step did at a moment: its state, and whether it needs the person. */
type Moment = ReadonlyMap<string, { state: StepState; asks: boolean }>

/** A step that passed, failed, or began to need the person. */
export interface StepChange {
  stepId: string
  kind: Sound
}

function momentOf({ steps }: Pick<Job, 'steps'>, live: LiveOfSteps): Moment {
  return new Map(steps.map(({ id, state }) => [id, { state, asks: state === 'running' && needsPerson(live.get(id)) }]))
}

/** What a person wants to be told of two moments of the same job. */
function changesBetween(before: Moment, after: Moment): StepChange[] {
  return [...after].flatMap(([stepId, { state, asks }]) => {
    const was = before.get(stepId)
    if (!was) return []
    const ended = was.state === 'running' && state !== 'running' ? ends[state] : undefined
    const kind = ended ?? (asks && !was.asks ? ('turn' as const) : undefined)
    return kind ? [{ stepId, kind }] : []
  })
}

/** Calls back with what happens in the job on the screen; what happened before the screen was opened is not told. */
export function useJobChanges(
  job: () => Job | null,
  live: () => LiveOfSteps,
  tell: (changes: readonly StepChange[]) => void
): void {
  let before: { id: string; moment: Moment } | undefined
  watch(
    () => [job(), live()] as const,
    ([now, heard]) => {
      const last = before
      before = now ? { id: now.id, moment: momentOf(now, heard) } : undefined
      if (!before || last?.id !== before.id) return
      const changes = changesBetween(last.moment, before.moment)
      if (changes.length > 0) tell(changes)
    },
    { immediate: true }
  )
}
