import { z } from 'zod'
import { updateChannel } from '../../../preload/contract/app/updates.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { Message } from '../../../preload/contract/messages.ts'

/** Where a build gets its updates, and whose signature it accepts (`resources/updateSource.json`). */
export const updateSource = z.strictObject({
  /** The folder of the feed; empty: this build has none. */
  feed: z.string(),
  keys: z.array(z.strictObject({ name: z.string().min(1), publicKey: z.string().min(1) }))
})
export type UpdateSource = z.infer<typeof updateSource>

export const feedProduct = 'Fitter'
/** Everything before this line is signed, with `signedPrefix` before it, so that no other text with this key fits. */
export const signatureMark = '# signature: '
export const signedPrefix = 'fitter update feed 1\n'

/** A name, never a path: letters, digits and single marks, so neither a folder, an address nor a drive fits. */
export const packageName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/)
  .max(120)
const news = z
  .array(z.object({ name: z.string().max(80), text: z.string().max(200) }))
  .max(12)
  .default([])

export const feedForm = z.object({
  product: z.string(),
  version: z.string(),
  channel: updateChannel,
  releaseDate: z.iso.datetime(),
  signedAt: z.iso.datetime(),
  stagingPercentage: z.int().min(0).max(100).default(100),
  files: z
    .array(z.object({ url: z.string(), sha512: z.base64().length(88), size: z.int().min(1) }))
    .min(1)
    .max(40),
  news: z.object({ en: news, es: news }).default({ en: [], es: [] })
})
/** The contents of a feed file. */
export type FeedContent = z.infer<typeof feedForm>
export type FeedFile = FeedContent['files'][number]
/** A feed whose signature was verified. */
export interface Feed extends FeedContent {
  signedBy: string
}

export function refuse(why: Message): AppError {
  return new AppError('REFUSED', why)
}
