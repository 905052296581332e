import { z } from 'zod'
import { messageSchema } from '../base/messageSchema.ts'
import { defineCalls, deviceKey, json, nothing } from '../define.ts'

export const deviceArea = z.enum([
  'gps',
  'eth',
  'wifi',
  'hotspot',
  'modem',
  'io',
  'accelerometer',
  'system',
  'updates',
  'apps'
])
export type DeviceArea = z.infer<typeof deviceArea>

export const areaReading = z.object({
  value: json.nullable(),
  readAt: z.string(),
  problems: z.array(messageSchema)
})
export type AreaReading = z.infer<typeof areaReading>

export const signInResults = [
  z.object({ kind: z.literal('signedIn'), name: z.string().nullable(), kept: z.boolean() }),
  z.object({ kind: z.literal('wrongPassword'), detail: messageSchema }),
  z.object({ kind: z.literal('impostor'), detail: messageSchema })
] as const

export const deviceCalls = defineCalls({
  /** Whether the keychain contains a password for every device that the person selects. */
  'device.kept': { input: nothing, output: z.object({ hasShared: z.boolean() }) },
  /** Removes it from the keychain; passwords of single devices stay. */
  'device.forgetShared': { input: nothing, output: z.object({ hasShared: z.boolean() }) },
  'device.signIn': {
    input: z.strictObject({
      key: deviceKey,
      user: z.string().max(200),
      password: z.string().max(200),
      shared: z.boolean()
    }),
    output: z.discriminatedUnion('kind', signInResults)
  },
  /** A person selects the device: its stored password may be sent to the address in the list. */
  'device.signInKept': {
    input: z.strictObject({ key: deviceKey }),
    output: z.discriminatedUnion('kind', [...signInResults, z.object({ kind: z.literal('nothingKept') })])
  },
  'device.signOut': { input: z.strictObject({ key: deviceKey }), output: nothing },
  'device.read': {
    input: z.strictObject({ key: deviceKey, areas: z.array(deviceArea).min(1) }),
    output: z.object({ areas: z.partialRecord(deviceArea, areaReading) })
  }
})
