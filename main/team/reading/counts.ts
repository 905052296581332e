import type { ClientBase } from 'pg'
import { z } from 'zod'
import type { TeamCounts } from '../../../preload/contract/team/teamNews.ts'

export interface TeamCountsRequest {
  /** The start of the day, and of the month, in the person's time zone. */
  since: string
  monthSince: string
  technician?: string | undefined
}

const count = z.number().int().nonnegative().catch(0)
const told = z.object({
  all: count,
  needHelp: count,
  inWork: count,
  waiting: count,
  skipped: count,
  ended: count,
  assigned: count,
  technicianCount: count,
  technicians: z.array(z.object({ technician: z.string(), jobs: count })),
  customers: z.array(z.object({ customer: z.string(), done: count, of: count, late: count })),
  firstTimeRight: count,
  firstTimeOf: count
})

/** Counts of the team's work, computed by the server. */
export async function readCounts(client: ClientBase, request: TeamCountsRequest): Promise<TeamCounts> {
  const { rows } = await client.query<{ counts: unknown }>('select fitter.counts($1) as counts', [
    JSON.stringify(request)
  ])
  const { firstTimeRight, firstTimeOf, ...counts } = told.parse(rows[0]?.counts)
  return {
    ...counts,
    firstTimeRightPercent: firstTimeOf === 0 ? null : Math.round((firstTimeRight / firstTimeOf) * 100)
  }
}
