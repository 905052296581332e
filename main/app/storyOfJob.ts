import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import type { Jobs } from '../job/jobs/jobs.ts'
import type { StoryParts } from '../gateway/waitingWork/stories/stories.ts'

/** The waiting gateway steps of a job, for the story of its vehicle. An unreadable job is listed with its reason. */
export function storyOfJob(jobs: Pick<Jobs, 'show'>, id: string): ReturnType<StoryParts['jobs']['story']> {
  try {
    const job = jobs.show(id)
    return {
      id,
      name: job.template.name,
      state: job.state,
      steps: job.steps
        .filter(({ state }) => state === 'deferred')
        .map((step) => ({ id: step.id, title: step.title, waitsFor: step.summary ?? step.title })),
      damage: null,
      vehicleText: job.vehicleText,
      vehicle: job.vehicle ? { name: job.vehicle.name, plate: job.vehicle.plate ?? null } : null
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return {
      id,
      name: message('waiting.damagedJob'),
      state: 'installedAwaitingGateway',
      steps: [],
      damage: error.sentence,
      vehicleText: '',
      vehicle: null
    }
  }
}
