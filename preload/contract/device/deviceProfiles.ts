import { z } from 'zod'
import { defineCalls, deviceKey, isoTime, nothing } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { ecuConfiguration, ecuEntry, linkOver } from './workspace.ts'

/** The size limit of a file with a device profile; a full engine-bus list needs half of it. */
export const mostProfileBytes = 400_000
/** The device accepts at most this many entries of an engine-bus list in one run. */
const mostParameters = 500

const profileId = z.string().min(1).max(40)
/** Text for people, on one line. */
const line = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^\P{Cc}*$/u)
export const profileName = line(80).min(1)

/**
 * A setting that the device API can write. `apn`, `wifiOn` and `hotspotOn` can also be read; the engine-bus settings
 * cannot: they are what Fitter sent to the device, and when.
 */
export const profileSetting = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('apn'), value: line(120).min(1) }),
  z.strictObject({ kind: z.literal('hotspotOn'), value: z.boolean() }),
  z.strictObject({ kind: z.literal('wifiOn'), value: z.boolean() }),
  z.strictObject({ kind: z.literal('busConfiguration'), value: ecuConfiguration, sentAt: z.iso.datetime() }),
  z.strictObject({
    kind: z.literal('busParameter'),
    value: ecuEntry.extend({ PARAM_NAME: line(120).min(1) }),
    sentAt: z.iso.datetime()
  })
])
export type ProfileSetting = z.infer<typeof profileSetting>

/** `apn`, `hotspotOn`, `wifiOn`, `busConfiguration`, or `busParameter:NAME`. */
const settingId = z.string().min(1).max(140)

/** The id of a setting within its profile. */
export function idOfSetting(setting: ProfileSetting): string {
  return setting.kind === 'busParameter' ? `busParameter:${setting.value.PARAM_NAME}` : setting.kind
}

export const profileSettings = z
  .array(profileSetting)
  .min(1)
  .max(mostParameters + 4)
  .refine((settings) => new Set(settings.map(idOfSetting)).size === settings.length)

/** The device that a profile was saved from, without its IMEI. */
export const profileOrigin = z.strictObject({
  model: line(60).nullable(),
  /** The last six digits of the IMEI; empty while the device was not identified. */
  digits: z.string().regex(/^\d{0,6}$/),
  /** The name of the vehicle; it never leaves this computer. */
  vehicle: line(120).nullable(),
  osVersion: line(60).nullable()
})
export type ProfileOrigin = z.infer<typeof profileOrigin>

export const deviceProfile = z.strictObject({
  id: profileId,
  name: profileName,
  savedAt: z.iso.datetime(),
  savedBy: line(120),
  from: profileOrigin,
  settings: profileSettings
})
export type DeviceProfile = z.infer<typeof deviceProfile>

/** A file with a profile. It contains neither a vehicle nor an id: every import is a profile of its own. */
export const profileFile = z.strictObject({
  format: z.literal('fitter-device-profile'),
  version: z.literal(1),
  name: profileName,
  savedAt: z.iso.datetime(),
  savedBy: line(120),
  from: profileOrigin.omit({ vehicle: true }),
  settings: profileSettings
})
export type ProfileFile = z.infer<typeof profileFile>

/** A profile in a list. `byCompany`: offered by the company's policy; nobody can rename or remove it. */
export const listedProfile = deviceProfile
  .omit({ settings: true })
  .extend({ settings: z.number(), byCompany: z.boolean().optional() })
export type ListedProfile = z.infer<typeof listedProfile>

/** The settings of a device, as read for a new profile. */
export const profileDraft = z.object({
  /** Names this reading when it is saved. */
  id: z.string(),
  readAt: isoTime,
  from: profileOrigin,
  settings: z.array(z.object({ id: settingId, setting: profileSetting })),
  /** Settings that could not be read, and why. */
  unread: z.array(z.object({ kind: z.enum(['apn', 'hotspotOn', 'wifiOn']), why: messageSchema }))
})
export type ProfileDraft = z.infer<typeof profileDraft>

/** The effect of a setting on the connection of this computer, and how to restore it. */
export const linkCut = z.object({ detail: messageSchema, wayBack: messageSchema })

/**
 * changes: the device shows another value. same: it shows this value. cannotRead: it is sent and cannot be confirmed.
 * sentBefore: the same, and Fitter sent exactly this to this device before. leftOut: it is not sent, and why.
 */
export const previewRow = z.object({
  id: settingId,
  setting: profileSetting,
  /** What the device shows; null when it shows nothing. */
  now: z.union([z.string(), z.boolean()]).nullable(),
  state: z.enum(['changes', 'same', 'cannotRead', 'sentBefore', 'leftOut']),
  why: messageSchema.nullable(),
  sentBeforeAt: isoTime.nullable(),
  cut: linkCut.nullable()
})
export type PreviewRow = z.infer<typeof previewRow>

export const profilePreview = z.object({
  profile: listedProfile,
  device: z.object({
    key: z.string(),
    imei: z.string().nullable(),
    model: z.string().nullable(),
    osVersion: z.string().nullable()
  }),
  readAt: isoTime,
  /** Null when one of the two is unknown. */
  isSameModel: z.boolean().nullable(),
  isSameSystem: z.boolean().nullable(),
  rows: z.array(previewRow),
  link: z.object({ over: linkOver, detail: messageSchema }),
  /** The open job on this device: a profile can wait for its end. */
  openJob: z.object({ id: z.string(), technician: z.string() }).nullable(),
  /** Why nothing can be applied now. */
  refusal: messageSchema.nullable()
})
export type ProfilePreview = z.infer<typeof profilePreview>

/**
 * confirmed: read back. sent: it cannot be read back. differs: the device accepted it and shows another value. refused:
 * the device refused it. unknown: it may have arrived. notSent: Fitter stopped before it.
 */
export const appliedRow = z.object({
  id: settingId,
  setting: profileSetting,
  /** What the device showed before. */
  before: z.union([z.string(), z.boolean()]).nullable(),
  state: z.enum(['waiting', 'sending', 'confirmed', 'sent', 'differs', 'refused', 'unknown', 'notSent']),
  detail: messageSchema.nullable()
})
export type AppliedRow = z.infer<typeof appliedRow>

/** A profile on its way to one device. lost: the device stopped answering, and nothing more was sent. */
export const profileRun = z.object({
  id: z.string(),
  key: z.string(),
  imei: z.string().nullable(),
  profile: z.object({ id: z.string(), name: z.string() }),
  startedAt: isoTime,
  state: z.enum(['snapshot', 'running', 'stopped', 'lost', 'ended']),
  /** Why it stopped early. */
  why: messageSchema.nullable(),
  rows: z.array(appliedRow)
})
export type ProfileRun = z.infer<typeof profileRun>

/** Settings of a profile that Fitter applies when the open job of a device has ended. */
export const profilePlan = z.object({
  imei: z.string(),
  jobId: z.string(),
  profile: z.object({ id: profileId, name: z.string() }),
  settings: z.array(settingId).min(1),
  plannedAt: isoTime,
  plannedBy: z.string(),
  /** The login of its APN is not empty: it is in memory only, and needed again after a restart. */
  hasLogin: z.boolean(),
  /** Why it was not applied although the job has ended; null while nothing is wrong. */
  why: messageSchema.nullable()
})
export type ProfilePlan = z.infer<typeof profilePlan>

const login = z.string().max(120)
/** Sent with the APN, because the API needs all four texts; never stored. */
export const apnLogin = z.strictObject({ user: login, pass: login, pin: z.string().max(16) })
export type ApnLogin = z.infer<typeof apnLogin>

const named = z.strictObject({ id: profileId })

export const deviceProfileCalls = defineCalls({
  /** By name. */
  'deviceProfiles.list': { input: nothing, output: z.object({ profiles: z.array(listedProfile) }) },
  'deviceProfiles.show': { input: named, output: z.object({ profile: deviceProfile }) },
  /** Reads the settings of a device for a new profile. */
  'deviceProfiles.read': { input: z.strictObject({ key: deviceKey }), output: profileDraft },
  /** Saves chosen settings of a reading. Throws CONFLICT when the name is used. */
  'deviceProfiles.save': {
    input: z.strictObject({
      draft: z.string().max(40),
      name: profileName,
      settings: z
        .array(settingId)
        .min(1)
        .max(mostParameters + 4)
    }),
    output: z.object({ profile: listedProfile })
  },
  'deviceProfiles.rename': {
    input: z.strictObject({ id: profileId, name: profileName }),
    output: z.object({ profile: listedProfile })
  },
  'deviceProfiles.remove': { input: named, output: nothing },
  'deviceProfiles.export': { input: named, output: z.object({ fileName: z.string(), text: z.string() }) },
  'deviceProfiles.import': {
    input: z.strictObject({ text: z.string().max(2 * mostProfileBytes) }),
    output: z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('imported'), profile: listedProfile }),
      z.object({ outcome: z.literal('refused'), why: messageSchema })
    ])
  },
  /** Reads a device and compares it with a profile. Nothing is sent. */
  'deviceProfiles.preview': { input: z.strictObject({ key: deviceKey, id: profileId }), output: profilePreview },
  /**
   * Reads the device again and sends those of the chosen settings that still differ, one after the other. A setting
   * that can cut
   * Fitter's own connection is sent last, and the whole is returned unsent until that is confirmed. With `afterJob` the
   * settings wait until the open job of this device has ended, also over a restart; settings that can cut the
   * connection are then left out.
   */
  'deviceProfiles.apply': {
    input: z.strictObject({
      key: deviceKey,
      id: profileId,
      settings: z
        .array(settingId)
        .min(1)
        .max(mostParameters + 4),
      apnLogin: apnLogin.nullable().default(null),
      confirmCut: z.boolean().default(false),
      afterJob: z.boolean().default(false)
    }),
    output: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('cutsLink'), cuts: z.array(linkCut.extend({ id: settingId })) }),
      /** Everything chosen is on the device already. */
      z.object({ kind: z.literal('nothingToSend') }),
      z.object({ kind: z.literal('started'), run: profileRun }),
      z.object({ kind: z.literal('planned'), plan: profilePlan })
    ])
  },
  'deviceProfiles.plans': { input: nothing, output: z.object({ plans: z.array(profilePlan) }) },
  'deviceProfiles.cancelPlan': { input: z.strictObject({ imei: z.string().max(20) }), output: nothing },
  /** Of this start of Fitter, latest first. */
  'deviceProfiles.runs': { input: nothing, output: z.object({ runs: z.array(profileRun) }) },
  /** Ends after the setting that is being sent. */
  'deviceProfiles.stop': { input: z.strictObject({ id: z.string().max(40) }), output: profileRun }
})
