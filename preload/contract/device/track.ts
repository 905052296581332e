import { z } from 'zod'
import { defineCalls, deviceKey } from '../define.ts'

/** A position of a device: epoch milliseconds, WGS-84 degrees, km/h; `true` when there is a gap before it. */
export const trackPoint = z.tuple([z.number(), z.number(), z.number(), z.number().nullable(), z.boolean()])
export type TrackPoint = z.infer<typeof trackPoint>

export const trackCalls = defineCalls({
  /**
   * The track of a device since Fitter began to read it; with `sinceMs` (the `nowMs` of the answer before) only the new
   * part.
   */
  'workspace.track': {
    input: z.strictObject({ key: deviceKey, sinceMs: z.number().min(0).default(0) }),
    output: z.object({ nowMs: z.number(), drivenM: z.number(), points: z.array(trackPoint) })
  }
})
