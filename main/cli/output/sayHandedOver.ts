import type { JobSummary } from '../../../preload/contract/jobs/jobs.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'

/** Says that a job is worked on elsewhere, and by whom. */
export function sayHandedOver({ to }: NonNullable<JobSummary['handedOver']>): Message {
  return message('terminal.isElsewhere', { named: to === '' ? 'no' : 'yes', to })
}
