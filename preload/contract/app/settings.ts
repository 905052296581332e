import { z } from 'zod'
import { messageSchema } from '../messageSchema.ts'
import { defineCalls, nothing } from '../define.ts'
import { eventView } from '../vehicles/eventLog.ts'
import { signInScheme } from '../gateway/gateway.ts'
import { proxyChoice } from './internet.ts'

export const settings = z.object({
  technician: z.string(),
  theme: z.enum(['system', 'light', 'dark', 'sunlight']),
  language: z.enum(['en', 'es']),
  units: z.enum(['metric', 'imperial']),
  /** IANA name; empty: that of this computer. */
  timeZone: z.string().default(''),
  /** How high the rows of long lists are: for a desk, or for gloves. */
  deskRows: z.enum(['dense', 'roomy']).default('dense'),
  /** Base address of the gateway, ends in `/api`; empty when none is set. */
  gatewayUrl: z.string(),
  /** Who is signed in there; empty: whoever was last. */
  gatewayUser: z.string().default(''),
  /** Accounts that were signed in with, without their passwords. */
  gatewaySites: z.array(z.object({ url: z.string(), user: z.string(), scheme: signInScheme })).default([]),
  /** The way to the gateway; devices are always reached straight. */
  gatewayProxy: proxyChoice.default({ kind: 'system' }),
  /** Name of the network card that it is asked over; empty: whichever works. */
  gatewayCard: z.string().default(''),
  /** Certificates that may vouch for it beside those that this computer trusts, as PEM texts. */
  gatewayAuthorities: z.array(z.string()).default([]),
  /** Models that an IMEI is looked up with, besides those seen. */
  deviceModels: z.array(z.string()),
  /** Id of the check profile (see resources/profiles). */
  profile: z.string(),
  /** Keys that the person gave themselves, by shortcut (see preload/keys/table.ts); empty: that shortcut has none. */
  keys: z.record(z.string(), z.string()).default({}),
  /** False: no character alone is a shortcut. */
  letterKeys: z.boolean().default(true),
  /** How far device and gateway may be apart, where a person changed what the profile says (`diagnosis.setTolerance`). */
  tolerances: z.record(z.string(), z.number()).default({}),
  /** The person's named ways to look at events. */
  eventViews: z.array(eventView).default([])
})
export type Settings = z.infer<typeof settings>

function isTimeZone(name: string): boolean {
  return name === '' || name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name)
}

export const settingsChange = z.strictObject({
  technician: z.string().max(120).optional(),
  theme: settings.shape.theme.optional(),
  language: settings.shape.language.optional(),
  units: settings.shape.units.optional(),
  timeZone: z.string().refine(isTimeZone).optional(),
  deskRows: z.enum(['dense', 'roomy']).optional(),
  gatewayUrl: z.string().max(400).optional(),
  deviceModels: z.array(z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/i)).max(50).optional(),
  profile: z.string().max(60).optional(),
  /** All of them: what is left out goes back to its own key. */
  keys: z.record(z.string().max(60), z.string().max(20)).optional(),
  letterKeys: z.boolean().optional(),
  /** All of them. */
  eventViews: z.array(eventView).max(30).optional()
})

export const settingsCalls = defineCalls({
  'settings.get': { input: nothing, output: settings },
  'settings.change': { input: settingsChange, output: settings },
  'settings.profiles': {
    input: nothing,
    /** `inUse`: what checks follow now, which in training is another one than the chosen. */
    output: z.object({ inUse: z.string(), profiles: z.array(z.object({ id: z.string(), name: messageSchema, version: z.number() })) })
  }
})
