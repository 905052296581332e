import { z } from 'zod'
import { count, defineCalls, isoTime, nothing } from '../define.ts'

/** The local copy for work without the team log. customer: its newest jobs. */
export const teamPinKind = z.enum(['customer', 'job'])
const pin = { kind: teamPinKind, value: z.string().min(1).max(200) }
export const teamPins = z.object({
  pins: z.array(
    z.object({
      kind: teamPinKind,
      value: z.string(),
      /** The number of its jobs in the copy, and the last refresh; null before the first. */
      jobs: count,
      keptAt: isoTime.nullable()
    })
  ),
  kept: z.object({ jobs: count, sizeBytes: count, mostBytes: count })
})
export type TeamPins = z.infer<typeof teamPins>

export const teamPinCalls = defineCalls({
  'team.pins': { input: nothing, output: teamPins },
  /** Pins it: it is downloaded soon, and again when it changes. */
  'team.pin': { input: z.strictObject(pin), output: teamPins },
  'team.unpin': { input: z.strictObject(pin), output: teamPins }
})
