import { computed, onScopeDispose, ref, watch, type ComputedRef } from 'vue'
import type { Job, Step } from '../../../preload/contract/job/jobs.ts'
import { useJobs } from '../../base/shell/jobs.store.ts'
import { chooseNext, chooseStage, isClosed, type LiveOfSteps, type Standings } from '../../base/shell/jobStage.ts'

/** A good result is on the stage for so long at most. */
const resultMs = 2_000

/** The step on the stage: the person's choice, a question, or a failure that the person has not left yet. */
export function useStage(
  job: ComputedRef<Job | null>,
  live: () => LiveOfSteps = () => useJobs().live,
  standings: () => Standings | undefined = () => useJobs().standings
) {
  const stageId = ref<string | null>(null)
  const isPinned = ref(false)
  const isRead = ref(false)
  let reading: ReturnType<typeof setTimeout> | undefined
  onScopeDispose(() => clearTimeout(reading))
  const step = computed(() => job.value?.steps.find((one) => one.id === stageId.value) ?? null)
  const isOver = computed(() => job.value !== null && isClosed(job.value.state))
  const next = computed(() =>
    job.value && !isOver.value
      ? chooseNext({ steps: job.value.steps, live: live(), onStage: stageId.value, standings: standings() })
      : null
  )

  function choose(stepId: string | null): void {
    stageId.value = stepId
    isPinned.value = stepId !== null
  }

  /** The previous or next step in the list. */
  function chooseBeside(by: 1 | -1): void {
    const steps = job.value?.steps ?? []
    const at = steps.findIndex((one) => one.id === stageId.value)
    const beside = at === -1 ? steps[0] : steps[at + by]
    if (beside) choose(beside.id)
  }

  watch(
    [job, live, isPinned, isRead],
    () => {
      // A closed job shows its result until the person opens a step.
      if (!job.value || isOver.value) return
      stageId.value = chooseStage({
        steps: job.value.steps,
        live: live(),
        onStage: stageId.value,
        isPinned: isPinned.value,
        isRead: isRead.value
      })
    },
    { immediate: true }
  )
  watch(isOver, (over) => {
    if (over) choose(null)
  })
  watch(
    () => [step.value?.id, step.value?.state] as const,
    ([stepId, state], [idBefore, stateBefore]) => {
      clearTimeout(reading)
      isRead.value = false
      // A step that ended leaves the stage: the next question may appear automatically.
      if (stepId !== idBefore || stateBefore !== 'running' || state === 'running') return
      // The core starts steps that need nobody; they appear on the stage when they have a question.
      isPinned.value = false
      reading = setTimeout(() => (isRead.value = true), resultMs)
    }
  )

  return { stageId, isPinned, step: step as ComputedRef<Step | null>, next, isOver, choose, chooseBeside }
}
