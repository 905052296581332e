import { z } from 'zod'
import { defineCalls, isoTime } from '../define.ts'
import { messageSchema } from '../messageSchema.ts'

/**
 * How news of the team come. off: nobody looks. listening: the server tells them. looking: it is asked every few seconds, as
 * something between does not let it tell. away: it is not reached, for `why`.
 */
export const teamLive = z.object({
  state: z.enum(['off', 'listening', 'looking', 'away']),
  /** Since when it is so. */
  since: isoTime,
  /** When the last news came. */
  newsAt: isoTime.nullable(),
  why: messageSchema.nullable()
})
export type TeamLive = z.infer<typeof teamLive>

/** These jobs of the team changed; null: look again at all that is shown. */
export const teamNews = z.object({ jobIds: z.array(z.string()).nullable() })
export type TeamNews = z.infer<typeof teamNews>

const count = z.number().int().nonnegative()

/** How the work of the team stands: everything that is open, and what ended since the beginning of the day. */
export const teamCounts = z.object({
  all: count,
  needHelp: count,
  inWork: count,
  waiting: count,
  skipped: count,
  /** Ended since the beginning of the day, however. */
  ended: count,
  /** Prepared for somebody and not begun. */
  assigned: count,
  /** Whose work it is, the most jobs first; `technicianCount` is how many there are, also where fewer are listed. */
  technicians: z.array(z.object({ technician: z.string(), jobs: count })),
  technicianCount: count,
  /** Of the jobs that ended this month, those in which every step was right at once; null while none ended. */
  firstTimeRightPercent: z.number().nullable(),
  /** Those with the most jobs first; `late` were prepared for an earlier time and are not begun. */
  customers: z.array(z.object({ customer: z.string(), done: count, of: count, late: count }))
})
export type TeamCounts = z.infer<typeof teamCounts>

export const teamNewsCalls = defineCalls({
  /**
   * A window looks at the team, or no longer. It says so again every 20 s while it looks: what it did not say for a minute has
   * ended. `viewer` tells windows apart.
   */
  'team.watch': { input: z.strictObject({ viewer: z.string().min(1).max(40), isOn: z.boolean() }), output: teamLive },
  /** `since` and `monthSince`: the beginnings of the day and of the month where the person is. */
  'team.counts': { input: z.strictObject({ since: isoTime, monthSince: isoTime, technician: z.string().max(200).optional() }), output: teamCounts }
})
