import { z } from 'zod'
import { storedMessage } from '../messageSchema.ts'

/** Who said which number, where the chain of identity broke. Null: not asked, or not to be read. */
export const saidNumber = z.object({
  who: z.enum(['label', 'hostName', 'modem', 'gateway']),
  says: z.string().nullable(),
  isSame: z.boolean()
})
export type SaidNumber = z.infer<typeof saidNumber>

/** A break in the chain of identity: the number that was wanted, the one that came instead, and who says what. */
export const otherNumber = z.object({ wanted: z.string(), seen: z.string(), said: z.array(saidNumber) })
export type OtherNumber = z.infer<typeof otherNumber>

/** What one input has proved: operated often enough, steadily, and seen by whom. */
export const inputProof = z.object({
  line: z.string(),
  /** What the order calls it, and its wire; absent where the order does not say. */
  name: storedMessage.optional(),
  wire: storedMessage.optional(),
  /** How it is operated in this vehicle, where the order says so. */
  instruction: storedMessage.optional(),
  /** Times that it left its rest and came back. */
  cycles: z.number(),
  wantedCycles: z.number(),
  /** How it is now; null when it cannot be read. */
  isOn: z.boolean().nullable(),
  /** It changes faster than a hand can: a loose contact. */
  isChattering: z.boolean(),
  /** How often it changed in which time, where it chatters. */
  chatter: z.object({ changes: z.number(), forMs: z.number() }).nullable().optional(),
  /** Named in the order; one that is not may still move. */
  isOrdered: z.boolean(),
  /** Why it is left out, where the person said so. */
  notWired: z.string().nullable().optional(),
  /** What the gateway says; null before it was asked. */
  gateway: z.enum(['agrees', 'differs', 'notExposed', 'notShown', 'away']).nullable(),
  /** Between the device's change and the gateway's hearing of it; absent where the gateway does not agree. */
  gatewayAfterMs: z.number().optional()
})
export type InputProof = z.infer<typeof inputProof>

/** One thing that was wanted, and what each witness says of it. */
export const seenRow = z.object({
  label: storedMessage,
  /** As ordered, or as the checklist wants it; null where nothing was ordered and what is there is only told. */
  wanted: storedMessage.nullable(),
  /** Null: this witness says nothing about it. */
  device: storedMessage.nullable(),
  gateway: storedMessage.nullable(),
  verdict: z.enum(['waiting', 'agrees', 'differs', 'missing', 'notOrdered', 'notExposed', 'unreadable']),
  note: storedMessage.optional()
})
export type SeenRow = z.infer<typeof seenRow>

/** Where the test of an output is. */
export const outputTest = z.object({ out: z.string(), phase: z.enum(['hold', 'countdown', 'on', 'effect', 'off']), countdownMs: z.number() })
export type OutputTest = z.infer<typeof outputTest>

/** A plug seen from the wires: its pins row by row, with the line of each. Data of a checklist, drawn where it has them. */
export const plug = z.strictObject({
  columns: z.number().int().min(1).max(20),
  pins: z.array(z.strictObject({ pin: z.string().min(1).max(4), line: z.string().max(6) })).min(1)
})
export type Plug = z.infer<typeof plug>
