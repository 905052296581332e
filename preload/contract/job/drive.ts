import { z } from 'zod'
import { trackPoint } from '../device/track.ts'

/**
 * A drive by both witnesses, thinned for drawing. A marked point follows a gap and is not connected to the one before.
 */
export const drive = z.object({ device: z.array(trackPoint), gateway: z.array(trackPoint) })
export type Drive = z.infer<typeof drive>
