import { computed } from 'vue'
import type { Step } from '../../../preload/contract/job/jobs.ts'
import type { HeardStep } from '../../base/shell/jobs.store.ts'
import { ageWhileLost } from './stageTexts.ts'
import { timeLeft } from './timeLeft.ts'

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
  const left = computed(() => (isRunning.value ? timeLeft(props.live, props.now) : null))
  /** How long an output stays on for the answer, until when, and which part of its time that is. */
  const onLeft = computed(() => {
    const { output, meters } = props.live ?? {}
    if (output?.phase !== 'effect' || left.value === null || isOld.value) return null
    const wholeMs = Date.parse(output.offAt ?? '') - Date.parse(output.onSince ?? '')
    const share =
      wholeMs > 0
        ? Math.max(0, Math.min(1, (left.value.atMs - props.now) / wholeMs))
        : (meters?.find(({ label }) => label.id === 'meters.timeLeft')?.progress ?? 1)
    return { ...left.value, share }
  })
  return { isRunning, isWaiting, isOld, age, left, onLeft }
}
