import { z } from 'zod'
import { trackPoint } from '../device/track.ts'

/**
 * A drive as both witnesses saw it, thinned out for drawing: the device second by second, the gateway by its events. A
 * point that is marked comes after a hole in what was read: nothing joins it to the one before.
 */
export const drive = z.object({ device: z.array(trackPoint), gateway: z.array(trackPoint) })
export type Drive = z.infer<typeof drive>
