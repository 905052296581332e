import { z } from 'zod'
import { languageForm } from '../messages.ts'
import { defineCalls, isoTime, nothing, wholeFile } from '../define.ts'
import { job, jobKind, jobState, jobSummary, stepState } from '../job/jobs.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { operationState } from '../gateway/operations.ts'

/** The state of this laptop's team log: a copy of its work for others, which no step of a job waits for. */
export const teamStatus = z.object({
  /** Null when this laptop is in no team. */
  joined: z.object({ team: z.string(), name: z.string(), mayWrite: z.boolean(), at: isoTime }).nullable(),
  server: z.object({ host: z.string(), port: z.number(), database: z.string(), isEncrypted: z.boolean() }).nullable(),
  pushedAt: isoTime.nullable(),
  waiting: z.number(),
  /** Jobs with a different log on the server. */
  forks: z.number(),
  stopped: z.array(z.object({ jobId: z.string(), /** Its name in lists. */ name: z.string(), why: messageSchema })),
  /** Hand-overs that wait for the server, in either direction. */
  leaving: z.number(),
  /** Jobs that wait for the push of another laptop; retried automatically. */
  held: z.array(z.object({ jobId: z.string(), why: messageSchema }))
})
export type TeamStatus = z.infer<typeof teamStatus>

/** The same, including the automatic work while the window is open. */
export const teamWork = teamStatus.extend({
  isPushing: z.boolean(),
  /** Why the last push was incomplete; null after a complete one. */
  problem: messageSchema.nullable(),
  /** When the next automatic attempt runs; null while nothing waits or one is running. */
  nextAt: isoTime.nullable()
})
export type TeamWork = z.infer<typeof teamWork>

/**
 * inWork: not started or running; waiting: for the gateway. Across these: needHelp (failed, unreadable) and skipped.
 */
export const teamGroup = z.enum(['inWork', 'waiting', 'ended', 'needHelp', 'skipped'])
export type TeamGroup = z.infer<typeof teamGroup>

/** A job of the team by its holder's last push, which arrived at `updatedAt`; the job last changed at `changedAt`. */
export const teamJob = jobSummary.extend({
  /** Its holder; empty while there is none. */
  holder: z.string(),
  isMine: z.boolean(),
  changedAt: isoTime,
  needsHelp: z.boolean(),
  /** When it was done, failed or cancelled; null while it is open. */
  endedAt: isoTime.nullable(),
  entries: z.number(),
  forks: z.number(),
  /** The age of the local copy if it comes from there; null when it comes from the server. */
  keptAt: isoTime.nullable()
})
export type TeamJob = z.infer<typeof teamJob>

export const teamForkEntry = z.object({
  seq: z.number(),
  at: isoTime,
  type: z.string(),
  stepId: z.string().nullable(),
  what: messageSchema.nullable(),
  /** The result, when a step ended or was skipped with it; absent in copies from earlier versions. */ state:
    stepState.optional()
})

const forkSide = z.object({
  by: z.string(),
  pushedAt: isoTime,
  /** The first ones; `more` follow. */
  entries: z.array(teamForkEntry),
  more: z.number()
})
/** A diverging job: the log of the team, and another that was refused and stored beside it. */
export const teamFork = z.object({
  seq: z.number(),
  /** Of the other log; this and the following are absent in copies from earlier versions. */
  lastHash: z.string().optional(),
  log: forkSide,
  other: forkSide,
  /** Who set the other log aside and adopted the team's, when and why. */
  settled: z.array(z.object({ by: z.string(), at: isoTime, reason: z.string() })).optional(),
  /** The laptop with the other log has done so: nobody continues with it. */
  isSettled: z.boolean().optional()
})
export type TeamFork = z.infer<typeof teamFork>

export const teamWorkLine = z.object({
  id: z.string(),
  kind: z.string(),
  title: messageSchema,
  state: operationState,
  reason: messageSchema,
  updatedAt: z.string()
})
export type TeamWorkLine = z.infer<typeof teamWorkLine>

export const teamCalls = defineCalls({
  'team.status': { input: nothing, output: teamWork },
  'team.join': { input: z.strictObject({ text: z.string().min(1).max(200_000) }), output: teamWork },
  /** Deletes the membership; pushed data stays on the server. */
  'team.leave': { input: nothing, output: z.object({ toldServer: z.boolean() }) },
  /** One page of the team's jobs, newest first. */
  'team.jobs': {
    input: z.strictObject({
      search: z.string().max(200).default(''),
      state: jobState.optional(),
      kind: jobKind.optional(),
      imei: z.string().max(40).optional(),
      group: teamGroup.optional(),
      technician: z.string().max(200).optional(),
      customer: z.string().max(200).optional(),
      holder: z.string().max(200).optional(),
      vehicleId: z.number().int().optional(),
      plate: z.string().max(100).optional(),
      /** Created at this time or later, and before `until`. */
      since: isoTime.optional(),
      until: isoTime.optional(),
      /** Omits jobs that ended before this time, or at `endedUntil` and later; open jobs are always included. */
      endedSince: isoTime.optional(),
      endedUntil: isoTime.optional(),
      /** Only these: rows that changed. */
      ids: z.array(z.string().min(1).max(40)).min(1).max(100).optional(),
      after: z.string().max(40).optional(),
      limit: z.number().int().min(1).max(200).default(50)
    }),
    /**
     * `keptAt`: the team log cannot be reached, because of `why`; these are from the local copy, the newest from that
     * time.
     */
    output: z.object({
      jobs: z.array(teamJob),
      isSimilar: z.boolean(),
      next: z.string().nullable(),
      keptAt: isoTime.nullable(),
      why: messageSchema.nullable()
    })
  },
  /** A complete job of the team, read-only and verified; from the local copy while the team log cannot be reached. */
  'team.job': {
    input: z.strictObject({ id: z.string().min(1).max(40) }),
    output: z.object({
      job,
      holder: z.string(),
      isMine: z.boolean(),
      keptAt: isoTime.nullable(),
      forks: z.array(teamFork),
      /** Problems with its seals; absent when they were not checked. */
      sealFaults: z.array(messageSchema).optional(),
      /** Its open gateway work at that time; null when unknown. Absent in copies from earlier versions. */
      work: z.array(teamWorkLine).nullable().optional()
    })
  },
  /** A picture of a team job; viewed pictures are in the local copy. */
  'team.picture': {
    input: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
    output: z.object({ mediaType: z.string(), base64: z.string() })
  },
  /** A report of a team job from the team log's data; its log was checked against its hashes. */
  'team.report': {
    input: z.strictObject({
      id: z.string().min(1).max(40),
      format: z.enum(['pdf', 'evidence', 'html']),
      language: z.string().regex(languageForm).optional()
    }),
    output: wholeFile
  },
  'team.push': { input: nothing, output: teamWork }
})
