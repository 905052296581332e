import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'

/** Stable versions only, or versions that are still being tried as well. */
export const updateChannel = z.enum(['stable', 'beta'])
export type UpdateChannel = z.infer<typeof updateChannel>

/** Something that an update would interrupt. `id`: the job or the device it is about; empty otherwise. */
export const updateReason = z.object({
  kind: z.enum(['output', 'job', 'waiting', 'handOver', 'profileRun', 'training']),
  id: z.string(),
  title: messageSchema,
  detail: messageSchema.nullable()
})
export type UpdateReason = z.infer<typeof updateReason>

const news = z.object({ name: z.string(), text: z.string() })

/** A new version whose signature was verified. */
export const updateOffer = z.object({
  version: z.string(),
  releasedAt: isoTime,
  /** The name of the key that signed it. */
  signedBy: z.string(),
  sizeBytes: z.number(),
  news: z.object({ en: z.array(news), es: z.array(news) })
})

/** What the company's policy says about updates. */
export const updatePolicy = z.object({
  isOff: z.boolean(),
  version: z.string().nullable(),
  channel: updateChannel.nullable(),
  feed: z.string().nullable(),
  file: z.string(),
  lines: z.object({ from: z.number(), to: z.number() }),
  contact: z.object({ name: z.string(), mail: z.string(), phone: z.string() })
})

export const updatesState = z.object({
  installed: z.string(),
  channel: updateChannel,
  /** Why this Fitter does not update itself; null when it does. */
  notByItself: messageSchema.nullable(),
  /** installing: it is installed when Fitter quits. */
  phase: z.enum(['idle', 'checking', 'current', 'available', 'downloading', 'ready', 'installing']),
  offer: updateOffer.nullable(),
  /** The latest version of the feed, also when this computer may not have it yet. */
  latest: z.string().nullable(),
  receivedBytes: z.number(),
  /** When the feed was last read. */
  checkedAt: isoTime.nullable(),
  /** Why the last check or download failed. */
  problem: messageSchema.nullable(),
  /** What an update would interrupt; nothing is installed until this is empty. */
  reasons: z.array(updateReason),
  /** Null when the company decides nothing about updates. */
  policy: updatePolicy.nullable(),
  /** The package of the version before, for going back. */
  previous: z.object({ version: z.string(), file: z.string() }).nullable()
})
export type UpdatesState = z.infer<typeof updatesState>

export const updatesCalls = defineCalls({
  'updates.get': { input: nothing, output: updatesState },
  /** Reads the feed. */
  'updates.check': { input: nothing, output: updatesState },
  /** Starts to download what is offered; `updates.changed` reports the progress. */
  'updates.download': { input: nothing, output: updatesState },
  /** Installs it when Fitter quits. CONFLICT while something would be interrupted. */
  'updates.install': { input: nothing, output: updatesState },
  /** Not now: nothing is installed, and the notice returns with the next start. */
  'updates.later': { input: nothing, output: updatesState }
})
