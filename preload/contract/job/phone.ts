import { z } from 'zod'
import { defineCalls, isoTime, jobId, nothing } from '../define.ts'

/** A network card of this computer with an address that only its local network can use. */
export const phoneCard = z.object({
  id: z.string(),
  name: z.string(),
  address: z.string(),
  kind: z.enum(['wifi', 'ethernet', 'other'])
})
export type PhoneCard = z.infer<typeof phoneCard>

/** Why the phone page of a job is off again. */
export const phoneEnd = z.enum(['jobEnded', 'switchedOff', 'otherJob', 'quit', 'cardGone', 'fault'])
export type PhoneEnd = z.infer<typeof phoneEnd>

export const phonePage = z.object({
  jobId: z.string(),
  cardId: z.string(),
  /** Whoever knows it sees the page. */
  url: z.string(),
  /** The address as a QR code; null when it is too long for one. */
  code: z.object({ size: z.number(), path: z.string() }).nullable(),
  startedAt: isoTime,
  /** The number of phones that show the page now. */
  phones: z.number().int().nonnegative(),
  /** Whether any phone has reached the page. */
  isReached: z.boolean()
})

export const phoneState = z.object({
  /** The most likely one first. */
  cards: z.array(phoneCard),
  /** The page that is on; null while none is. There is one at most. */
  page: phonePage.nullable(),
  /** Why the last page was switched off. */
  ended: z.object({ jobId: z.string(), why: phoneEnd }).nullable()
})
export type PhoneState = z.infer<typeof phoneState>

export const phoneCalls = defineCalls({
  'phone.state': { input: nothing, output: phoneState },
  /** Switches the page on for this job; a page of another job or card ends. */
  'phone.start': { input: z.strictObject({ jobId, cardId: z.string().min(1).max(300) }), output: phoneState },
  'phone.stop': { input: nothing, output: phoneState }
})
