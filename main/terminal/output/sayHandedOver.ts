import type { JobSummary } from '../../../preload/contract/job/jobs.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'

export function sayHandedOver({ to }: NonNullable<JobSummary['handedOver']>): Message {
  return message('terminal.isElsewhere', { named: to === '' ? 'no' : 'yes', to })
}
