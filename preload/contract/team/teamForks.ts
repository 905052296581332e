import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { messageSchema } from '../messageSchema.ts'
import { operationState } from '../gateway/operations.ts'
import { teamFork, teamForkEntry } from './team.ts'

const jobId = z.string().min(1).max(40)

/** A job whose log went on in two ways: that of the team, and another that is kept beside. */
export const listedFork = teamFork.extend({
  jobId: z.string(),
  /** As lists call it: its vehicle, else its device. */
  name: z.string(),
  /** Who has the job; empty while nobody does. */
  holder: z.string(),
  /** stopped: the other log is the one of this laptop. setAside: it was, until a person went on here with the team's. */
  here: z.enum(['stopped', 'setAside']).nullable()
})
export type ListedFork = z.infer<typeof listedFork>

/** What became of a fork that was settled on this laptop. */
export const settledFork = z.object({
  jobId: z.string(),
  /** The first entry in which the two logs differ, and how many of the one here were set aside from there on. */
  seq: z.number(),
  entries: z.number(),
  at: isoTime,
  reason: z.string(),
  /** Who has the job; empty while nobody does. */
  holder: z.string(),
  /** Its gateway work that has not ended here. None of it is sent by itself. */
  operations: z.array(z.object({ id: z.string(), kind: z.string(), title: messageSchema, state: operationState }))
})
export type SettledFork = z.infer<typeof settledFork>

/** A log of this laptop that was set aside, from where it parts from the team's. */
export const asideLog = z.object({
  number: z.number(),
  seq: z.number(),
  at: isoTime,
  reason: z.string(),
  /** Who had the job then; empty for nobody. */
  holder: z.string(),
  /** The first of them; `more` follow. */
  entries: z.array(teamForkEntry),
  more: z.number(),
  /** What of the whole log does not fit its hashes and seals. */
  sealFaults: z.array(messageSchema)
})
export type AsideLog = z.infer<typeof asideLog>

export const teamForkCalls = defineCalls({
  /** Forks of the team's jobs, those last pushed first. */
  'team.forks': { input: nothing, output: z.object({ forks: z.array(listedFork) }) },
  /** What was set aside here of a job, oldest first. Nobody else is asked. */
  'team.asides': { input: z.strictObject({ jobId }), output: z.object({ asides: z.array(asideLog) }) },
  /** Goes on with the team's log of a job; the one here is set aside and kept. */
  'team.settle': { input: z.strictObject({ jobId, reason: z.string().trim().min(3).max(500) }), output: settledFork }
})
