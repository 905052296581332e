import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'

/** What is copied from the gateway, in the order in which it is needed: which vehicles there are, and which of them report. */
export const copyKinds = [
  'vehicles',
  'devices',
  'assets',
  'groups',
  'labels',
  'triggerFields',
  'fences',
  'sims'
] as const
export const copyKind = z.enum(copyKinds)
export type CopyKind = z.infer<typeof copyKind>

export const kindCopy = z.object({
  kind: copyKind,
  count: z.number(),
  /** When the last complete pass ended; null before the first. */
  copiedAt: isoTime.nullable(),
  /** False: some records are missing. */
  complete: z.boolean(),
  /** A pass in progress: the number of records so far; null when there is none. */
  open: z.object({ done: z.number(), total: z.number().nullable() }).nullable(),
  /** Why the gateway refuses these to this user; null when it does not. */
  refused: messageSchema.nullable()
})
export type KindCopy = z.infer<typeof kindCopy>

const whose = z.object({ url: z.string(), user: z.string() })

/** The local copy for offline work. It belongs to one site and one user, because each user sees different data. */
export const gatewayCopies = z.object({
  /** Null while no user is known at the configured gateway. */
  site: whose.nullable(),
  kinds: z.array(kindCopy),
  running: z
    .object({ kind: copyKind, done: z.number(), total: z.number().nullable(), leftMs: z.number().nullable() })
    .nullable(),
  /** Why the last pass stopped early; the next one continues there. */
  problem: messageSchema.nullable(),
  /** Of other accounts, which are visible only while their account is chosen. */
  others: z.array(whose.extend({ count: z.number() }))
})
export type GatewayCopies = z.infer<typeof gatewayCopies>

export const copiesCalls = defineCalls({
  'copies.status': { input: nothing, output: gatewayCopies },
  /**
   * Starts a pass through all pages in the background, from where an earlier one stopped; events report the progress.
   */
  'copies.refresh': { input: nothing, output: gatewayCopies },
  'copies.stop': { input: nothing, output: gatewayCopies }
})
