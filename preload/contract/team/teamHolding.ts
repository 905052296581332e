import { z } from 'zod'
import { count, defineCalls, isoTime, jobId, nothing } from '../define.ts'
import { messageSchema, storedMessage } from '../base/messageSchema.ts'
import { taken } from '../job/transfers.ts'

const offerId = z.string().regex(/^[0-9A-Za-z-]{1,40}$/)

export const teamOffer = z.object({
  id: z.string(),
  from: z.string(),
  /** Empty: the first that takes it. */
  to: z.string(),
  at: isoTime,
  /** leaving: locked here, and uploaded when the server can be reached. withdrawing: returns when it can be reached. */
  state: z.enum(['leaving', 'open', 'taken', 'withdrawing', 'withdrawn']),
  direction: z.enum(['mine', 'toMe', 'toAnybody']),
  /** Who took it; empty while nobody did. */
  takenBy: z.string(),
  /** What prevents it from leaving or arriving; null when nothing is known. */
  why: messageSchema.nullable(),
  jobs: z.array(
    z.object({ id: z.string(), vehicle: z.string(), customer: z.string(), imei: z.string(), template: storedMessage })
  ),
  /** The number of open gateway operations that go along; null when unknown. */
  operations: z.number().nullable()
})
export type TeamOffer = z.infer<typeof teamOffer>

export const lostJob = z.object({ jobId: z.string(), by: z.string(), at: isoTime, reason: z.string() })
export type LostJob = z.infer<typeof lostJob>

export const pulled = z.object({ arrived: z.array(taken), lost: z.array(lostJob), offers: z.array(teamOffer) })
export type Pulled = z.infer<typeof pulled>

/** A take-over, followed by the event `team.taking`. Downloaded parts are kept, even after a failure. */
export const teamTaking = z.object({
  id: z.string(),
  state: z.enum(['underWay', 'taken', 'failed']),
  pictures: z.object({ done: count, total: count, doneBytes: count, totalBytes: count }),
  why: messageSchema.nullable(),
  taken: taken.nullable()
})
export type TeamTaking = z.infer<typeof teamTaking>

export const teamHoldingCalls = defineCalls({
  /** Offers to and from this laptop; without the server those that are known here, and why. */
  'team.offers': {
    input: nothing,
    output: z.object({
      offers: z.array(teamOffer),
      lost: z.array(lostJob),
      /** The running take-overs, and the results of the last ones. */ takings: z.array(teamTaking),
      why: messageSchema.nullable()
    })
  },
  /** Hands jobs over through the team log; repeating it for the same jobs returns the same offer. */
  'team.handOver': {
    input: z.strictObject({ jobIds: z.array(jobId).min(1).max(100), to: z.string().trim().max(200) }),
    output: teamOffer
  },
  /**
   * Starts taking over an offer; fails with the reason if it cannot start. Repeating it while it runs has no effect.
   */
  'team.takeOffer': { input: z.strictObject({ id: offerId }), output: teamTaking },
  /** Withdraws an offer that nobody took. `isBack` is false while the server must be asked and cannot be reached. */
  'team.withdrawOffer': {
    input: z.strictObject({ id: offerId }),
    output: z.object({ isBack: z.boolean(), offer: teamOffer })
  },
  /** Starts taking over a job whose holder is lost; fails with the reason if it cannot start. */
  'team.takeOver': { input: z.strictObject({ jobId, reason: z.string().trim().min(3).max(500) }), output: teamTaking },
  /** Imports what is addressed to this laptop, and learns which of its jobs were taken over. */
  'team.pull': { input: nothing, output: pulled },
  'team.laptops': {
    input: nothing,
    output: z.object({
      laptops: z.array(
        z.object({ name: z.string(), isMe: z.boolean(), mayWrite: z.boolean(), pushedAt: isoTime.nullable() })
      )
    })
  }
})
