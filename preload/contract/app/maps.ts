import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { messageSchema } from '../messageSchema.ts'

/** The map file that a person chose, as it is on the disk now. */
export const offlineMap = z.object({
  name: z.string(),
  /** When the file was last written. */
  savedAt: isoTime,
  sizeBytes: z.number(),
  /** The closest zoom that is in it. */
  maxZoom: z.number(),
  /** Whose data it is, as the file says; empty where it does not. */
  attribution: z.string(),
  /** Why it is not drawn; null while it can be read. */
  problem: messageSchema.nullable()
})
export type OfflineMap = z.infer<typeof offlineMap>

export const onlineMap = z.object({
  isOn: z.boolean(),
  /** Address of a picture with {z}, {x} and {y}; empty when none was typed. */
  template: z.string(),
  /** Whose map it is: stands on the map. */
  attribution: z.string()
})
export type OnlineMap = z.infer<typeof onlineMap>

export const mapState = z.object({
  offline: offlineMap.nullable(),
  online: onlineMap,
  /** dialog: the system asks for the file. path: a person types where it is. */
  chosenBy: z.enum(['dialog', 'path'])
})
export type MapState = z.infer<typeof mapState>

export const mapsCalls = defineCalls({
  'maps.state': { input: nothing, output: mapState },
  /** Opens the system's dialog, in the desktop window; the page never hears of a path. */
  'maps.pickFile': { input: nothing, output: mapState },
  /** A path that a person typed, where there is no such dialog. It has to be a PMTiles file of this computer. */
  'maps.chooseFile': { input: z.strictObject({ path: z.string().trim().min(1).max(1_000) }), output: mapState },
  /** The file itself stays where it is. */
  'maps.forgetFile': { input: nothing, output: mapState },
  'maps.setOnline': { input: z.strictObject({ isOn: z.boolean(), template: z.string().trim().max(400), attribution: z.string().trim().max(200) }), output: mapState }
})
