import { z } from 'zod'
import { languageForm } from '../messages.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { defineCalls, nothing } from '../define.ts'
import { eventView } from '../gateway/vehicles/eventLog.ts'
import { signInScheme } from '../gateway/gateway.ts'
import { activityKind, logLevel, logTopic } from './activity.ts'
import { proxyChoice } from './internet.ts'

export const settings = z.object({
  technician: z.string(),
  /** What the person mostly does: decides the first screen. */
  role: z.enum(['technician', 'support']).default('technician'),
  theme: z.enum(['system', 'light', 'dark', 'sunlight']),
  language: z.string().regex(languageForm),
  /** `gateway`: those of the gateway account, `gatewayUnits`. */
  units: z.enum(['gateway', 'metric', 'imperial']),
  /** The units of the account in use, as the gateway reported them last; null: not read yet. */
  gatewayUnits: z.enum(['metric', 'imperial']).nullable().default(null),
  /** IANA name; null: the time zone of this computer. */
  timeZone: z.string().min(1).nullable().default(null),
  /** The row height of long lists: normal, or tall for gloves. */
  deskRows: z.enum(['dense', 'roomy']).default('dense'),
  /** Base address of the gateway, ends in `/api`; empty when none is set. */
  gatewayUrl: z.string(),
  /** The account in use; empty: the last one. */
  gatewayUser: z.string().default(''),
  /** Accounts that were used to sign in, without passwords. */
  gatewaySites: z.array(z.object({ url: z.string(), user: z.string(), scheme: signInScheme })).default([]),
  /** The connection to the gateway; devices are always contacted directly. */
  gatewayProxy: proxyChoice.default({ kind: 'system' }),
  /** The network card to use; empty: any card that works. */
  gatewayCard: z.string().default(''),
  gatewayAuthorities: z.array(z.string()).default([]),
  /** The most calls to the gateway in a minute; null: as many as the gateway allows. A company may allow fewer. */
  gatewayCalls: z.number().int().min(5).max(1_000).nullable().default(null),
  /** Models to try when looking up an IMEI, besides the known ones. */
  deviceModels: z.array(z.string()),
  /** Id of the check profile (see resources/profiles). */
  profile: z.string(),
  /** Shortcuts that the person changed, by id (see preload/app/keys/keyTable.ts); empty: no key. */
  keys: z.record(z.string(), z.string()).default({}),
  /** False: shortcuts of a single character are off. */
  letterKeys: z.boolean().default(true),
  sounds: z.boolean().default(false),
  /** The tolerances between device and gateway that a person changed (`diagnosis.setTolerance`). */
  tolerances: z.record(z.string(), z.number()).default({}),
  eventViews: z.array(eventView).default([]),
  /**
   * open: the first run appears. skipped: left before language and time zone were confirmed. left: left later. done:
   * nothing to say.
   */
  firstRun: z.enum(['open', 'skipped', 'left', 'done']).default('open'),
  /** The level of a topic of the log that the person changed. */
  logLevels: z.partialRecord(logTopic, logLevel).default({}),
  /** The last entry of the activity list that was read. */
  activityReadUpTo: z.number().default(0),
  /** Which kinds of news the system notifies of, where the person changed it. */
  notifications: z.partialRecord(activityKind, z.boolean()).default({})
})
export type Settings = z.infer<typeof settings>

/** Whether times can be shown in that zone. A gateway also allows older names, such as `US/Eastern`. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

export const settingsChange = z.strictObject({
  technician: z.string().max(120).optional(),
  role: z.enum(['technician', 'support']).optional(),
  theme: settings.shape.theme.optional(),
  language: settings.shape.language.optional(),
  units: settings.shape.units.optional(),
  timeZone: z.string().max(60).refine(isTimeZone).nullable().optional(),
  deskRows: z.enum(['dense', 'roomy']).optional(),
  gatewayUrl: z.string().max(400).optional(),
  gatewayCalls: z.number().int().min(5).max(1_000).nullable().optional(),
  deviceModels: z
    .array(z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/i))
    .max(50)
    .optional(),
  profile: z.string().max(60).optional(),
  /** All changed shortcuts: those left out return to their default key. */
  keys: z.record(z.string().max(60), z.string().max(20)).optional(),
  letterKeys: z.boolean().optional(),
  sounds: z.boolean().optional(),
  eventViews: z.array(eventView).max(30).optional(),
  firstRun: z.enum(['open', 'skipped', 'left', 'done']).optional(),
  logLevels: settings.shape.logLevels.unwrap().optional(),
  notifications: settings.shape.notifications.unwrap().optional()
})

export const settingsCalls = defineCalls({
  'settings.get': { input: nothing, output: settings },
  'settings.change': { input: settingsChange, output: settings },
  'settings.profiles': {
    input: nothing,
    /** `inUse`: the profile that checks use now; in training it can differ from the chosen one. */
    output: z.object({
      inUse: z.string(),
      profiles: z.array(z.object({ id: z.string(), name: messageSchema, version: z.number() }))
    })
  }
})
