import type { JobStanding } from '../../../preload/contract/jobs/jobLog.ts'
import type { JobState } from '../../../preload/contract/jobs/jobs.ts'

/** Which jobs of the log are meant. */
export interface JobFilter {
  state?: JobState | undefined
  /** Only those that still want something. */
  isOpen?: true | undefined
  /** Words, each of which the job has: a part of a plate, of a name, of an IMEI. Accents and case do not matter. */
  search?: string | undefined
  /** Made at this time or later; ISO 8601 UTC. */
  from?: string | undefined
  /** Made before this time. */
  to?: string | undefined
  /** One of these each; all when it is left out. */
  standings?: JobStanding[] | undefined
  customers?: string[] | undefined
  technicians?: string[] | undefined
  /** Ids of checklists. */
  templates?: string[] | undefined
}

export const factNames = ['standings', 'customers', 'technicians', 'templates'] as const

export const factColumns: Record<(typeof factNames)[number], string> = { standings: 'standing', customers: 'customer', technicians: 'technician', templates: 'template_id' }
