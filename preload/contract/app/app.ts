import { z } from 'zod'
import { defineCalls, nothing } from '../define.ts'
import { shownBundle } from '../support/openedBundle.ts'
import { messageSchema } from '../base/messageSchema.ts'

/** A problem that a person should know about while it lasts, with its remedy. */
export const notice = z.object({
  id: z.string(),
  level: z.enum(['info', 'warn']),
  text: messageSchema,
  remedy: messageSchema.optional(),
  /** A data loss: the notice stays until a person confirms that they read it (`losses.acknowledge`). */
  loss: z.number().optional(),
  /** The dialog that continues. */
  opens: z.literal('update').optional()
})
export type Notice = z.infer<typeof notice>

/** The real workplace, or the built-in simulator with a log of its own. */
export const workplace = z.enum(['real', 'training'])
export type Workplace = z.infer<typeof workplace>

/** What can be checked automatically, in the order of the screen. */
export const findingParts = [
  'firewall',
  'cards',
  'mdns',
  'devices',
  'time',
  'keychain',
  'disk',
  'data',
  'outputs',
  'gateway',
  'connection',
  'teamLog',
  'updates'
] as const
export const findingPart = z.enum(findingParts)
export type FindingPart = z.infer<typeof findingPart>

/** A settings page of the operating system that a window can open. */
export const systemPage = z.enum(['time', 'firewall', 'localNetwork'])
export type SystemPage = z.infer<typeof systemPage>

export const finding = z.object({
  name: messageSchema,
  ok: z.boolean(),
  /** Not checked, or Fitter cannot tell; `ok` means nothing then. */
  notTested: z.literal(true).optional(),
  /**
   * How it does not work, if something worse than "check this": it is blocked, or waits and continues automatically.
   */
  state: z.enum(['blocked', 'waiting']).optional(),
  detail: messageSchema,
  remedy: messageSchema.nullable(),
  /**
   * What a window can do about it with one press: a page of the settings, a page of the system, or sending the team
   * log.
   */
  fix: z.union([z.enum(['gateway', 'connection', 'data', 'pushTeamLog']), systemPage]).optional(),
  group: z.enum(['network', 'devices', 'computer', 'gateway']).optional(),
  part: findingPart.optional()
})
/**
 * One line of the system check: what was checked, whether it works, what was found, and the remedy (null when all is
 * well).
 */
export type Finding = z.infer<typeof finding>

/** Where the value of a setting comes from; `line` is that of the policy file. */
export const settingOrigin = z.object({
  name: messageSchema,
  value: messageSchema,
  from: z.enum(['default', 'person', 'system', 'environment', 'company']),
  line: z.number().nullable()
})
export type SettingOrigin = z.infer<typeof settingOrigin>

/**
 * What the person chose for a setting (also while the company decides), the command line of this process, and Fitter's
 * default; null: not set.
 */
export const settingLayers = z.object({ own: z.json(), commandLine: z.json(), byDefault: z.json() })
export type SettingLayers = z.infer<typeof settingLayers>

/** External pages that the app may open; their addresses stay in main. */
export const outsidePage = z.enum(['documentation', 'licences'])
export type OutsidePage = z.infer<typeof outsidePage>

/** A data folder that is being opened, is open, or cannot be opened. */
export const opening = z.discriminatedUnion('state', [
  z.object({ state: z.literal('opening'), done: z.number(), total: z.number() }),
  z.object({ state: z.literal('open') }),
  z.object({ state: z.literal('closed'), why: messageSchema, dataFolder: z.string() })
])
export type OpeningState = z.infer<typeof opening>

export const appCalls = defineCalls({
  'app.info': {
    input: nothing,
    output: z.object({
      version: z.string(),
      /** What Fitter runs on, with its version; missing in opened support bundles. */
      runtime: z.string().optional(),
      frontEnd: z.enum(['desktop', 'browser', 'terminal']),
      workplace,
      dataFolder: z.string(),
      /** Why the data is read-only; null when it can be changed. */
      readOnly: messageSchema.nullable(),
      /** The support bundle that replaces the workplace on screen; null when none is open. */
      bundle: shownBundle.nullable(),
      notices: z.array(notice)
    })
  },
  /** The progress of opening the data folder: all other calls answer when it is open. */
  'app.opening': { input: nothing, output: opening },
  /** Tries to open the folder again, after the cause was fixed. */
  'app.openAgain': { input: nothing, output: opening },
  /** Closes the present workplace and opens the other one; the UI restarts on its first screen. */
  'app.enter': { input: z.strictObject({ workplace }), output: nothing },
  /** Checks everything, or only these parts. */
  'app.selfTest': {
    input: z.strictObject({ parts: z.array(findingPart).min(1).optional() }),
    output: z.object({ findings: z.array(finding) })
  },
  /** `settings`: those that explain how Fitter behaves, in words. `layers`: every setting by its name. */
  'app.settingOrigins': {
    input: nothing,
    output: z.object({ settings: z.array(settingOrigin), layers: z.record(z.string(), settingLayers) })
  },
  /**
   * Opens a settings page of the operating system; `opened` is false without a desktop, or where the system has none.
   */
  'app.openSystemPage': { input: z.strictObject({ page: systemPage }), output: z.object({ opened: z.boolean() }) },
  /**
   * Shows the file that this window saved last in its folder; `shown` is false where nothing was saved, or without a
   * desktop.
   */
  'app.showDownload': { input: nothing, output: z.object({ shown: z.boolean() }) },
  /**
   * Opens a new mail in the person's mail program; `opened` is false without a desktop. Attachments cannot be added.
   */
  'app.writeMail': {
    input: z.strictObject({ subject: z.string().max(200), text: z.string().max(2_000) }),
    output: z.object({ opened: z.boolean() })
  },
  'app.openPage': { input: z.strictObject({ page: outsidePage }), output: nothing }
})
