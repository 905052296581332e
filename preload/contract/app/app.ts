import { z } from 'zod'
import { defineCalls, nothing } from '../define.ts'
import { shownBundle } from '../diagnosis/openedBundle.ts'
import { messageSchema } from '../messageSchema.ts'

/** Something that the person should know as long as it holds, with what to do about it. */
export const notice = z.object({
  id: z.string(),
  level: z.enum(['info', 'warn']),
  text: messageSchema,
  remedy: messageSchema.optional(),
  /** Something that is missing: it stays until a person has said that they read it (`losses.acknowledge`). */
  loss: z.number().optional()
})
export type Notice = z.infer<typeof notice>

/** The real workplace, or the embedded simulator with a log of its own. */
export const workplace = z.enum(['real', 'training'])
export type Workplace = z.infer<typeof workplace>

export const finding = z.object({
  name: messageSchema,
  ok: z.boolean(),
  /** It was left alone (in training); `ok` says nothing then. */
  notTested: z.literal(true).optional(),
  detail: messageSchema,
  remedy: messageSchema.nullable(),
  /** What it is about, for showing findings together. */
  group: z.enum(['network', 'devices', 'computer', 'gateway']).optional()
})
/** One line of the self-test: what was looked at, whether it works, what was seen, and what to do (null when fine). */
export type Finding = z.infer<typeof finding>

/** Pages outside the app that it may open; the addresses stay in main. */
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
      frontEnd: z.enum(['desktop', 'browser', 'terminal']),
      workplace,
      dataFolder: z.string(),
      /** Why everything can only be looked at; null when it can be changed. */
      readOnly: messageSchema.nullable(),
      /** The support bundle that is shown in the place of the workplace; null while none is. */
      bundle: shownBundle.nullable(),
      notices: z.array(notice)
    })
  },
  /** How far the data folder is opened: everything else answers once it is. */
  'app.opening': { input: nothing, output: opening },
  /** Opens it once more, after something was done about what kept it closed. */
  'app.openAgain': { input: nothing, output: opening },
  /** Ends the present workplace and opens the other one; the UI starts again from its first screen. */
  'app.enter': { input: z.strictObject({ workplace }), output: nothing },
  'app.selfTest': { input: nothing, output: z.object({ findings: z.array(finding) }) },
  'app.openPage': { input: z.strictObject({ page: outsidePage }), output: nothing }
})
