import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { vehicleRef } from '../jobs/jobs.ts'
import { messageSchema } from '../messageSchema.ts'

/**
 * goingOn, on: under the eyes of its interlock. goingOff: being switched off. watched: it reads off, but an "on" whose
 * answer was lost may still take effect; then it is switched off. mayBeOn: nobody can say; it is switched off as soon as
 * its device answers.
 */
export const ledgerState = z.enum(['goingOn', 'on', 'goingOff', 'watched', 'mayBeOn'])

/** An output that may be on: it stays here until it is proved off, or a person saw at the relay that it is. */
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
  /** What stands in the way of the proof; null while nothing does. */
  trouble: messageSchema.nullable(),
  /** It can be asked to go off now. */
  isReachable: z.boolean()
})
export type LedgerEntry = z.infer<typeof ledgerEntry>

export const outputsCalls = defineCalls({
  /** Every output that may be on, oldest first. */
  'outputs.ledger': { input: nothing, output: z.object({ outputs: z.array(ledgerEntry) }) },
  /** Tries again at once; gives what may be on after that. */
  'outputs.switchOff': { input: z.strictObject({ id: z.number().int() }), output: z.object({ outputs: z.array(ledgerEntry) }) },
  /** All of them, in parallel. */
  'outputs.allOff': { input: nothing, output: z.object({ outputs: z.array(ledgerEntry) }) },
  /** A person looked at the relay itself: it is off, or its fuse is out. */
  'outputs.confirmOff': {
    input: z.strictObject({ id: z.number().int(), reason: z.string().trim().min(3).max(500) }),
    output: z.object({ outputs: z.array(ledgerEntry) })
  }
})
