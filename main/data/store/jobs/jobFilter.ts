import type { JobStanding } from '../../../../preload/contract/job/jobLog.ts'
import type { JobState } from '../../../../preload/contract/job/jobs.ts'

export interface JobFilter {
  state?: JobState | undefined
  /** Only unfinished jobs. */
  isOpen?: true | undefined
  /** Words that the job must contain: a part of a plate, a name or an IMEI, ignoring accents and case. */
  search?: string | undefined
  /** Created at this time or later; ISO 8601 UTC. */
  from?: string | undefined
  /** Created before this time. */
  to?: string | undefined
  /** One of these values each; omitted: all. */
  standings?: JobStanding[] | undefined
  customers?: string[] | undefined
  technicians?: string[] | undefined
  templates?: string[] | undefined
}

export const factNames = ['standings', 'customers', 'technicians', 'templates'] as const

export const factColumns: Record<(typeof factNames)[number], string> = {
  standings: 'standing',
  customers: 'customer',
  technicians: 'technician',
  templates: 'template_id'
}
