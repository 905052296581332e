import { z } from 'zod'
import { isoTime } from '../define.ts'
import { storedMessage } from '../base/messageSchema.ts'

/** The numbers of each witness where the chain of identity broke. Null: not asked, or unreadable. */
export const saidNumber = z.object({
  who: z.enum(['label', 'hostName', 'modem', 'gateway']),
  says: z.string().nullable(),
  isSame: z.boolean()
})
export type SaidNumber = z.infer<typeof saidNumber>

/** A break in the chain of identity: the expected number, the found one, and the witnesses. */
export const otherNumber = z.object({ wanted: z.string(), seen: z.string(), said: z.array(saidNumber) })
export type OtherNumber = z.infer<typeof otherNumber>

/** What one input has confirmed: operated often enough, steadily, and by which witness. */
export const inputProof = z.object({
  line: z.string(),
  /** Its name in the order, and its wire; absent when the order does not name them. */
  name: storedMessage.optional(),
  wire: storedMessage.optional(),
  instruction: storedMessage.optional(),
  cycles: z.number(),
  wantedCycles: z.number(),
  /** Its current value; null when unreadable. */
  isOn: z.boolean().nullable(),
  /** It changes faster than a person can switch it: a loose contact. */
  isChattering: z.boolean(),
  chatter: z.object({ changes: z.number(), forMs: z.number() }).nullable().optional(),
  /** Named in the order; an unnamed one may still move. */
  isOrdered: z.boolean(),
  notWired: z.string().nullable().optional(),
  /** The gateway's value; null before it was asked. */
  gateway: z.enum(['agrees', 'differs', 'notExposed', 'notShown', 'away']).nullable(),
  /** The delay from the device's change to the gateway; absent if the gateway does not agree. */
  gatewayAfterMs: z.number().optional()
})
export type InputProof = z.infer<typeof inputProof>

export const seenRow = z.object({
  label: storedMessage,
  /** The wanted value from the order or checklist; null when nothing was ordered and the value is only shown. */
  wanted: storedMessage.nullable(),
  /** Null: this witness has no value. */
  device: storedMessage.nullable(),
  gateway: storedMessage.nullable(),
  /** `received`: a value, and nothing to compare it with. `notOrdered`: beside what was ordered. */
  verdict: z.enum(['waiting', 'agrees', 'received', 'differs', 'missing', 'notOrdered', 'notExposed', 'unreadable']),
  note: storedMessage.optional()
})
export type SeenRow = z.infer<typeof seenRow>

export const outputTest = z.object({
  out: z.string(),
  phase: z.enum(['hold', 'countdown', 'on', 'effect', 'off']),
  countdownMs: z.number(),
  /** Since when it is on, and when it goes off by itself, on a whole second; absent while it is not on. */
  onSince: isoTime.optional(),
  offAt: isoTime.optional()
})
export type OutputTest = z.infer<typeof outputTest>

/** A plug seen from the wire side: its pins row by row, with the line of each. Data of a checklist. */
export const plug = z.strictObject({
  columns: z.number().int().min(1).max(20),
  pins: z.array(z.strictObject({ pin: z.string().min(1).max(4), line: z.string().max(6) })).min(1)
})
export type Plug = z.infer<typeof plug>
