import { z } from 'zod'
import { count, defineCalls, isoTime } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'

/**
 * off: no window shows the team. listening: the server tells. looking: asked, because a pooler blocks notifications.
 */
export const teamLive = z.object({
  state: z.enum(['off', 'listening', 'looking', 'away']),
  since: isoTime,
  newsAt: isoTime.nullable(),
  why: messageSchema.nullable()
})
export type TeamLive = z.infer<typeof teamLive>

/** These jobs of the team changed; null: reload everything on screen. */
export const teamNews = z.object({ jobIds: z.array(z.string()).nullable() })
export type TeamNews = z.infer<typeof teamNews>

/** Counts of the team's work: everything open, and what ended today. */
export const teamCounts = z.object({
  all: count,
  needHelp: count,
  inWork: count,
  waiting: count,
  skipped: count,
  ended: count,
  /** Prepared and not started. */
  assigned: count,
  /** Technicians with the most jobs first; `technicianCount` is the number of all, even if fewer are listed. */
  technicians: z.array(z.object({ technician: z.string(), jobs: count })),
  technicianCount: count,
  /** The share of jobs ended this month in which every step passed at the first attempt; null when none ended. */
  firstTimeRightPercent: z.number().nullable(),
  /** Those with the most jobs first; `late`: overdue and not started. */
  customers: z.array(z.object({ customer: z.string(), done: count, of: count, late: count }))
})
export type TeamCounts = z.infer<typeof teamCounts>

export const teamNewsCalls = defineCalls({
  /** A window shows the team; it repeats this every 20 s and expires after a minute. `viewer` distinguishes windows. */
  'team.watch': { input: z.strictObject({ viewer: z.string().min(1).max(40), isOn: z.boolean() }), output: teamLive },
  /** `since` and `monthSince`: the start of the day and of the month in the person's time zone. */
  'team.counts': {
    input: z.strictObject({ since: isoTime, monthSince: isoTime, technician: z.string().max(200).optional() }),
    output: teamCounts
  }
})
