import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { job, jobKind, jobState, jobSummary } from '../jobs/jobs.ts'
import { messageSchema } from '../messageSchema.ts'
import { operationState } from '../gateway/operations.ts'

/** How this laptop stands in the team log: a copy of its work for others, which no step of a job ever waits for. */
export const teamStatus = z.object({
  /** Null while it has joined none. */
  joined: z.object({ team: z.string(), name: z.string(), mayWrite: z.boolean(), at: isoTime }).nullable(),
  server: z.object({ host: z.string(), port: z.number(), database: z.string(), isEncrypted: z.boolean() }).nullable(),
  /** When everything that waited had been acknowledged last. */
  pushedAt: isoTime.nullable(),
  /** Jobs with entries that are not acknowledged. */
  waiting: z.number(),
  /** Jobs of which another log stands at the server. */
  forks: z.number(),
  /** Jobs that go no further by themselves, and why. */
  stopped: z.array(z.object({ jobId: z.string(), /** What it is called in lists. */ name: z.string(), why: messageSchema })),
  /** Handovers that leave, or come back, as soon as the server is reached. */
  leaving: z.number(),
  /** Jobs that wait for what another laptop pushes first; tried again by themselves. */
  held: z.array(z.object({ jobId: z.string(), why: messageSchema }))
})
export type TeamStatus = z.infer<typeof teamStatus>

/** The same with what goes on by itself while the window is open. */
export const teamWork = teamStatus.extend({
  isPushing: z.boolean(),
  /** Why the last attempt ended without everything being there; null after one that did. */
  problem: messageSchema.nullable(),
  /** When it is tried again by itself; null while nothing waits or it runs. */
  nextAt: isoTime.nullable()
})
export type TeamWork = z.infer<typeof teamWork>

/**
 * Where a job of the team stands. inWork: not begun or under way; waiting: installed, and waits for the gateway; ended: done,
 * failed or cancelled. Across them, needHelp: in work, with a step that failed or cannot be read; skipped: with a skipped step.
 */
export const teamGroup = z.enum(['inWork', 'waiting', 'ended', 'needHelp', 'skipped'])
export type TeamGroup = z.infer<typeof teamGroup>

/** A job of the team, as its holder summed it up with its last push. `updatedAt` is when that arrived, `changedAt` when the job itself changed last. */
export const teamJob = jobSummary.extend({
  /** Whose it is now; empty while nobody holds it. */
  holder: z.string(),
  isMine: z.boolean(),
  changedAt: isoTime,
  needsHelp: z.boolean(),
  /** When it was done, failed or was cancelled; null while it is open. */
  endedAt: isoTime.nullable(),
  entries: z.number(),
  /** Entries of another log of it that are kept beside. */
  forks: z.number(),
  /** Shown from what is kept here, which is so old; null when the team log itself told it. */
  keptAt: isoTime.nullable()
})
export type TeamJob = z.infer<typeof teamJob>

export const teamForkEntry = z.object({ seq: z.number(), at: isoTime, type: z.string(), stepId: z.string().nullable(), what: messageSchema.nullable() })

const forkSide = z.object({
  /** Who pushed it, and when. */
  by: z.string(),
  pushedAt: isoTime,
  /** The first of them; `more` follow. */
  entries: z.array(teamForkEntry),
  more: z.number()
})
/** Two logs of one job that part at an entry: that of the team, and another that was refused and is kept beside. */
export const teamFork = z.object({
  seq: z.number(),
  /** Of the other log; absent in copies that earlier versions kept, as is what follows. */
  lastHash: z.string().optional(),
  log: forkSide,
  other: forkSide,
  /** Who set the other log aside and went on with the team's, when and why. */
  settled: z.array(z.object({ by: z.string(), at: isoTime, reason: z.string() })).optional(),
  /** The laptop whose log it is has done so: nobody goes on with it. */
  isSettled: z.boolean().optional()
})
export type TeamFork = z.infer<typeof teamFork>

/** Gateway work of a job of the team, as its holder told it with the last push. */
export const teamWorkLine = z.object({ id: z.string(), kind: z.string(), title: messageSchema, state: operationState, reason: messageSchema, updatedAt: z.string() })
export type TeamWorkLine = z.infer<typeof teamWorkLine>

export const teamCalls = defineCalls({
  'team.status': { input: nothing, output: teamWork },
  /** The text of the file of an invitation. */
  'team.join': { input: z.strictObject({ text: z.string().min(1).max(200_000) }), output: teamWork },
  /** Forgets the membership; what was pushed stays at the server. */
  'team.leave': { input: nothing, output: z.object({ toldServer: z.boolean() }) },
  /** One page of the team's jobs, newest made first. */
  'team.jobs': {
    input: z.strictObject({
      search: z.string().max(200).default(''),
      state: jobState.optional(),
      kind: jobKind.optional(),
      imei: z.string().max(40).optional(),
      group: teamGroup.optional(),
      /** By their names as lists show them. */
      technician: z.string().max(200).optional(),
      customer: z.string().max(200).optional(),
      holder: z.string().max(200).optional(),
      /** Of a vehicle of the gateway, and its plate. */
      vehicleId: z.number().int().optional(),
      plate: z.string().max(100).optional(),
      /** Made at this time or later, and before `until`. */
      since: isoTime.optional(),
      until: isoTime.optional(),
      /** What ended before this time is left out, or at `endedUntil` and later; what is open is there however old. */
      endedSince: isoTime.optional(),
      endedUntil: isoTime.optional(),
      /** These alone: rows of which news came. */
      ids: z.array(z.string().min(1).max(40)).min(1).max(100).optional(),
      after: z.string().max(40).optional(),
      limit: z.number().int().min(1).max(200).default(50)
    }),
    /** `keptAt`: the team log is not reached, for `why`; these are the ones that are kept here, the newest of them so old. */
    output: z.object({ jobs: z.array(teamJob), isSimilar: z.boolean(), next: z.string().nullable(), keptAt: isoTime.nullable(), why: messageSchema.nullable() })
  },
  /** A job of the team, whole and only to be read; its log was held against its hashes. From what is kept here while the team log is away. */
  'team.job': {
    input: z.strictObject({ id: z.string().min(1).max(40) }),
    output: z.object({
      job,
      holder: z.string(),
      isMine: z.boolean(),
      keptAt: isoTime.nullable(),
      forks: z.array(teamFork),
      /** What of its seals does not fit; absent where they were not looked at. */
      sealFaults: z.array(messageSchema).optional(),
      /** Its gateway work that had not ended then; null where nobody told. Absent in copies that earlier versions kept. */
      work: z.array(teamWorkLine).nullable().optional()
    })
  },
  /** A picture of a job of the team; one that was looked at before is kept here. */
  'team.picture': { input: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }), output: z.object({ mediaType: z.string(), base64: z.string() }) },
  /** A report of a job of the team, made from what the team log has of it; its log was held against its hashes. */
  'team.report': {
    input: z.strictObject({ id: z.string().min(1).max(40), format: z.enum(['pdf', 'html']), language: z.enum(['en', 'es']).optional() }),
    output: z.object({ fileName: z.string(), mediaType: z.string(), base64: z.string() })
  },
  /** Pushes what waits now. */
  'team.push': { input: nothing, output: teamWork }
})
