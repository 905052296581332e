import type { Job } from '../../../preload/contract/job/jobs.ts'
import { useSettings } from '../../base/shell/settings.store.ts'
import { playSound, type Sound } from '../../base/shell/sounds.ts'
import { useJobChanges, type StepChange } from './jobChanges.ts'
import type { LiveOfSteps } from '../../base/shell/jobStage.ts'

const order: readonly Sound[] = ['fail', 'turn', 'pass']

function mostImportant(changes: readonly StepChange[]): Sound | undefined {
  return order.find((sound) => changes.some(({ kind }) => kind === sound))
}

/** Plays what happens in the job on the screen, where sounds are switched on. */
export function useSounds(job: () => Job | null, live: () => LiveOfSteps): void {
  const settings = useSettings()
  useJobChanges(job, live, (changes) => {
    const sound = mostImportant(changes)
    if (sound && settings.settings.sounds) playSound(sound)
  })
}
