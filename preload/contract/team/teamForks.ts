import { z } from 'zod'
import { defineCalls, isoTime, jobId, nothing } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { operationState } from '../gateway/operations.ts'
import { teamFork, teamForkEntry } from './team.ts'

/** A job with a diverging log: that of the team, and another stored beside it. */
export const listedFork = teamFork.extend({
  jobId: z.string(),
  /** Its name in lists: its vehicle, otherwise its device. */
  name: z.string(),
  /** Its holder; empty while there is none. */
  holder: z.string(),
  /**
   * stopped: the other log belongs to this laptop. setAside: it did, until a person adopted the team's version here.
   */
  here: z.enum(['stopped', 'setAside']).nullable(),
  before: teamForkEntry.nullable().optional()
})
export type ListedFork = z.infer<typeof listedFork>

export const settledFork = z.object({
  jobId: z.string(),
  /** The first entry that differs, and the number of local entries set aside from there on. */
  seq: z.number(),
  entries: z.number(),
  at: isoTime,
  reason: z.string(),
  /** Its holder; empty while there is none. */
  holder: z.string(),
  /** Its open gateway work on this laptop. None of it is sent automatically. */
  operations: z.array(z.object({ id: z.string(), kind: z.string(), title: messageSchema, state: operationState }))
})
export type SettledFork = z.infer<typeof settledFork>

/** A log of this laptop that was set aside, from the first differing entry on. */
export const asideLog = z.object({
  number: z.number(),
  seq: z.number(),
  at: isoTime,
  reason: z.string(),
  /** The holder at that time; empty for none. */
  holder: z.string(),
  /** The first ones; `more` follow. */
  entries: z.array(teamForkEntry),
  more: z.number(),
  /** What in the whole log does not match its hashes and seals. */
  sealFaults: z.array(messageSchema)
})
export type AsideLog = z.infer<typeof asideLog>

export const teamForkCalls = defineCalls({
  /** Forks of the team's jobs, those last pushed first. */
  'team.forks': { input: nothing, output: z.object({ forks: z.array(listedFork) }) },
  /** Both logs of a fork from the first entry of the job on; `more` entries of a log follow what is sent. */
  'team.forkEntries': {
    input: z.strictObject({ jobId, lastHash: z.string().max(64) }),
    output: z.object({
      before: z.array(teamForkEntry),
      log: z.array(teamForkEntry),
      other: z.array(teamForkEntry),
      more: z.number()
    })
  },
  /** The logs of a job that were set aside here, oldest first. Makes no requests. */
  'team.asides': { input: z.strictObject({ jobId }), output: z.object({ asides: z.array(asideLog) }) },
  /** Adopts the team's log of a job; the local one is set aside and kept. */
  'team.settle': { input: z.strictObject({ jobId, reason: z.string().trim().min(3).max(500) }), output: settledFork }
})
