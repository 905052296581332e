import { z } from 'zod'
import { defineCalls, nothing } from '../define.ts'
import { shownBundle } from '../diagnosis/openedBundle.ts'
import { messageSchema } from '../messageSchema.ts'

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

export const finding = z.object({
  name: messageSchema,
  ok: z.boolean(),
  /** Not checked (in training mode); `ok` means nothing then. */
  notTested: z.literal(true).optional(),
  detail: messageSchema,
  remedy: messageSchema.nullable(),
  group: z.enum(['network', 'devices', 'computer', 'gateway']).optional()
})
/** One line of the self-check: what was checked, whether it works, what was found, and the remedy (null when all is well). */
export type Finding = z.infer<typeof finding>

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
  'app.selfTest': { input: nothing, output: z.object({ findings: z.array(finding) }) },
  /** Shows the file that this window saved last in its folder; `shown` is false where nothing was saved, or without a desktop. */
  'app.showDownload': { input: nothing, output: z.object({ shown: z.boolean() }) },
  /** Opens a new mail in the person's mail program; `opened` is false without a desktop. Attachments cannot be added. */
  'app.writeMail': { input: z.strictObject({ subject: z.string().max(200), text: z.string().max(2_000) }), output: z.object({ opened: z.boolean() }) },
  'app.openPage': { input: z.strictObject({ page: outsidePage }), output: nothing }
})
