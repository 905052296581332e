import { z } from 'zod'
import { count, defineCalls, isoTime, nothing } from '../define.ts'
import { vehicleRef } from '../job/jobs.ts'
import { messageSchema } from '../base/messageSchema.ts'

/**
 * goingOn, on: watched. watched: off, but a late "on" would be switched off. mayBeOn: switched off when the device
 * answers.
 */
export const ledgerState = z.enum(['goingOn', 'on', 'goingOff', 'watched', 'mayBeOn'])

/** An output that may be on: listed until it is confirmed off, or a person has checked the relay. */
export const ledgerEntry = z.object({
  id: z.number(),
  imei: z.string(),
  /** `OUT1`; through the gateway its type and number, `e 1`. */
  output: z.string(),
  path: z.enum(['local', 'gateway']),
  vehicle: vehicleRef.nullable(),
  since: isoTime,
  by: z.string(),
  jobId: z.string().nullable(),
  state: ledgerState,
  /** What prevents the proof; null when nothing does. */
  trouble: messageSchema.nullable(),
  isReachable: z.boolean(),
  /**
   * Whether the word of a person who checked the relay ends it: not while Fitter has it on, something reads it on, or a
   * late "on" is possible.
   */
  mayConfirmOff: z.boolean(),
  /** Through the gateway: when Fitter switches it off automatically; missing when it does not. */
  offAt: isoTime.optional(),
  /**
   * How often "off" was tried since it must go off, and again within `everyS` at the latest; missing before the first
   * try and through the gateway.
   */
  tries: z.object({ n: count, since: isoTime, at: isoTime, everyS: z.number() }).optional(),
  /** Until when an output that is off is watched; missing when that is not known. */
  watchedUntil: isoTime.optional()
})
export type LedgerEntry = z.infer<typeof ledgerEntry>

export const outputsCalls = defineCalls({
  /** Every output that may be on, oldest first. */
  'outputs.ledger': { input: nothing, output: z.object({ outputs: z.array(ledgerEntry) }) },
  /** Tries again at once; returns the outputs that may still be on. */
  'outputs.switchOff': {
    input: z.strictObject({ id: z.number().int() }),
    output: z.object({ outputs: z.array(ledgerEntry) })
  },
  'outputs.allOff': { input: nothing, output: z.object({ outputs: z.array(ledgerEntry) }) },
  /** A person checked the relay itself: it is off, or its fuse is removed. */
  'outputs.confirmOff': {
    input: z.strictObject({ id: z.number().int(), reason: z.string().trim().min(3).max(500) }),
    output: z.object({ outputs: z.array(ledgerEntry) })
  }
})
