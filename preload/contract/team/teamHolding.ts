import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { messageSchema, storedMessage } from '../messageSchema.ts'
import { taken } from '../jobs/transfers.ts'

const jobId = z.string().min(1).max(40)
const offerId = z.string().regex(/^[0-9A-Za-z-]{1,40}$/)

/** Jobs that go from one laptop to another through the team log. */
export const teamOffer = z.object({
  id: z.string(),
  from: z.string(),
  /** Empty: whoever takes it. */
  to: z.string(),
  at: isoTime,
  /** leaving: they are inert here, and go as soon as the server is reached. withdrawing: they come back as soon as it is. */
  state: z.enum(['leaving', 'open', 'taken', 'withdrawing', 'withdrawn']),
  direction: z.enum(['mine', 'toMe', 'toAnybody']),
  /** Who took it; empty while nobody did. */
  takenBy: z.string(),
  /** What keeps it from leaving or arriving; null when nothing is known to. */
  why: messageSchema.nullable(),
  jobs: z.array(z.object({ id: z.string(), vehicle: z.string(), customer: z.string(), imei: z.string(), template: storedMessage })),
  /** Gateway work that goes along and has not ended; null where nobody says. */
  operations: z.number().nullable()
})
export type TeamOffer = z.infer<typeof teamOffer>

/** A job of this laptop that somebody else has taken over. */
export const lostJob = z.object({ jobId: z.string(), by: z.string(), at: isoTime, reason: z.string() })
export type LostJob = z.infer<typeof lostJob>

/** What came and went with one look at the team log. */
export const pulled = z.object({ arrived: z.array(taken), lost: z.array(lostJob), offers: z.array(teamOffer) })
export type Pulled = z.infer<typeof pulled>

const count = z.number().int().nonnegative()

/** Work that is taken over from the team log: begun by a call, followed by the event `team.taking`. What was fetched stays, also where it failed. */
export const teamTaking = z.object({
  /** Of the handover, or of the job that is taken over from a laptop that was lost. */
  id: z.string(),
  state: z.enum(['underWay', 'taken', 'failed']),
  pictures: z.object({ done: count, total: count, doneBytes: count, totalBytes: count }),
  /** Why it failed. */
  why: messageSchema.nullable(),
  /** What came, once it is here. */
  taken: taken.nullable()
})
export type TeamTaking = z.infer<typeof teamTaking>

export const teamHoldingCalls = defineCalls({
  /** What is offered to this laptop or by it; without the server what is known here, and why. */
  'team.offers': { input: nothing, output: z.object({ offers: z.array(teamOffer), lost: z.array(lostJob), /** Those under way, and how the latest ended. */ takings: z.array(teamTaking), why: messageSchema.nullable() }) },
  /** Hands jobs over through the team log; of jobs that left so already it is the same offer. */
  'team.handOver': { input: z.strictObject({ jobIds: z.array(jobId).min(1).max(100), to: z.string().trim().max(200) }), output: teamOffer },
  /** Begins to take over what is offered; fails with why it cannot begin. Again while it is under way, it is the same. */
  'team.takeOffer': { input: z.strictObject({ id: offerId }), output: teamTaking },
  /** Takes jobs back that nobody took. `isBack` is false while the server has to be asked and is away. */
  'team.withdrawOffer': { input: z.strictObject({ id: offerId }), output: z.object({ isBack: z.boolean(), offer: teamOffer }) },
  /** Begins to take over a job whose holder is lost; fails with why it cannot begin. */
  'team.takeOver': { input: z.strictObject({ jobId, reason: z.string().trim().min(3).max(500) }), output: teamTaking },
  /** Takes what is addressed to this laptop, and hears what was taken over from it. */
  'team.pull': { input: nothing, output: pulled },
  /** To whom a job may be handed over. */
  'team.laptops': { input: nothing, output: z.object({ laptops: z.array(z.object({ name: z.string(), isMe: z.boolean(), mayWrite: z.boolean(), pushedAt: isoTime.nullable() })) }) }
})
