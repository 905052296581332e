import { computed } from 'vue'
import type { Step } from '../../../preload/contract/job/jobs.ts'
import type { HeardStep } from '../../base/shell/jobs.store.ts'
import { ageWhileLost } from './stageTexts.ts'

/** `lostForMs`: since when the device of a running job has not answered; null while it answers. */
interface ShownStep {
  step: Step
  live: HeardStep | null
  now: number
  lostForMs?: number | null
}

/**
 * What every view of a step shows in the same way: whether it runs, how old its readings are, and the time that is
 * left.
 */
export function useStepMoment(props: ShownStep) {
  const isRunning = computed(() => props.step.state === 'running')
  /** The device does not answer: the last readings are old. */
  const isWaiting = computed(() => isRunning.value && props.live?.isWaiting === true)
  const isOld = computed(() => isWaiting.value || (isRunning.value && typeof props.lostForMs === 'number'))
  /** Beside each value from before the device was lost. */
  const age = computed(() => (isOld.value && typeof props.lostForMs === 'number' ? ageWhileLost(props.lostForMs) : ''))
  /** Counts down between two events. */
  const leftMs = computed(() =>
    isRunning.value && props.live && props.live.leftMs !== null
      ? Math.max(0, props.live.leftMs - Math.max(0, props.now - props.live.heardAtMs))
      : null
  )
  /** How long an output stays on for the answer, and which part of its time that is. */
  const onLeft = computed(() => {
    if (props.live?.output?.phase !== 'effect' || leftMs.value === null || isOld.value) return null
    return {
      ms: leftMs.value,
      share: props.live.meters.find(({ label }) => label.id === 'meters.timeLeft')?.progress ?? 1
    }
  })
  return { isRunning, isWaiting, isOld, age, leftMs, onLeft }
}
