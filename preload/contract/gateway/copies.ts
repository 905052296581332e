import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { messageSchema } from '../messageSchema.ts'

/** What is copied from the gateway, in the order in which a technician needs it. */
export const copyKinds = ['vehicles', 'assets', 'groups', 'labels', 'triggerFields', 'fences', 'devices', 'sims'] as const
export const copyKind = z.enum(copyKinds)
export type CopyKind = z.infer<typeof copyKind>

export const kindCopy = z.object({
  kind: copyKind,
  count: z.number(),
  /** When the last walk through its pages ended; null before the first. */
  copiedAt: isoTime.nullable(),
  /** False: not all were seen. */
  complete: z.boolean(),
  /** A walk that is not at its end: how many it has; null where none was begun. */
  open: z.object({ done: z.number(), total: z.number().nullable() }).nullable(),
  /** Why the gateway does not give these to this user; null where it does. */
  refused: messageSchema.nullable()
})
export type KindCopy = z.infer<typeof kindCopy>

const whose = z.object({ url: z.string(), user: z.string() })

/** What is kept of the gateway for work without it. It belongs to one site and one user: others see others. */
export const gatewayCopies = z.object({
  /** Null while nobody is known at the gateway that is set. */
  site: whose.nullable(),
  kinds: z.array(kindCopy),
  /** What is being copied now. */
  running: z.object({ kind: copyKind, done: z.number(), total: z.number().nullable(), leftMs: z.number().nullable() }).nullable(),
  /** Why the last walk stopped early; it goes on from there. */
  problem: messageSchema.nullable(),
  /** Of other accounts, which show only while their account is chosen. */
  others: z.array(whose.extend({ count: z.number() }))
})
export type GatewayCopies = z.infer<typeof gatewayCopies>

export const copiesCalls = defineCalls({
  'copies.status': { input: nothing, output: gatewayCopies },
  /** Begins to walk through all pages in the background, from where an earlier walk stopped; events tell how far it is. */
  'copies.refresh': { input: nothing, output: gatewayCopies },
  'copies.stop': { input: nothing, output: gatewayCopies }
})
