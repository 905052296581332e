import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'

export const offlineMap = z.object({
  name: z.string(),
  savedAt: isoTime,
  sizeBytes: z.number(),
  maxZoom: z.number(),
  /** The attribution in the file; empty when it has none. */
  attribution: z.string(),
  /** Why it cannot be drawn; null while it can be read. */
  problem: messageSchema.nullable()
})
export type OfflineMap = z.infer<typeof offlineMap>

export const onlineMap = z.object({
  isOn: z.boolean(),
  /** Address of a tile with {z}, {x} and {y}; empty when none was entered. */
  template: z.string(),
  attribution: z.string()
})
export type OnlineMap = z.infer<typeof onlineMap>

export const mapState = z.object({
  offline: offlineMap.nullable(),
  online: onlineMap,
  /** dialog: the system asks for the file. path: a person types its path. */
  chosenBy: z.enum(['dialog', 'path'])
})
export type MapState = z.infer<typeof mapState>

export const mapsCalls = defineCalls({
  'maps.state': { input: nothing, output: mapState },
  /** Opens the system's dialog in the desktop window; the page never sees a path. */
  'maps.pickFile': { input: nothing, output: mapState },
  /** A typed path, for front ends without a dialog. It must be a PMTiles file on this computer. */
  'maps.chooseFile': { input: z.strictObject({ path: z.string().trim().min(1).max(1_000) }), output: mapState },
  /** The file itself is not removed. */
  'maps.forgetFile': { input: nothing, output: mapState },
  'maps.setOnline': {
    input: z.strictObject({
      isOn: z.boolean(),
      template: z.string().trim().max(400),
      attribution: z.string().trim().max(200)
    }),
    output: mapState
  }
})
