import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js'
import type { UpdateChannel } from '../../../preload/contract/app/updates.ts'
import { message } from '../../../preload/contract/messages.ts'
import {
  feedForm,
  feedProduct,
  packageName,
  refuse,
  signatureMark,
  signedPrefix,
  type Feed,
  type FeedContent,
  type UpdateSource
} from './feedForm.ts'
import { parseVersion } from './versions.ts'

/** A feed without releases for so long is signed again; an older one is a copy. */
const oldestMs = 400 * 24 * 3_600_000
/** A clock may be wrong by this much; a date further in the future would outlive every true feed. */
const aheadMs = 24 * 3_600_000
const largestPackageBytes = 800_000_000
/** Far more than any feed has: a text of a few lines can describe millions. */
const mostValues = 500

export interface FeedRules {
  keys: UpdateSource['keys']
  channel: UpdateChannel
  /** The date of the latest feed of this channel that was accepted here. */
  lastSignedAt: string | undefined
  now: Date
}

/**
 * The feed in these bytes. Its signature is checked before anything of it is read. AppError REFUSED says what is wrong
 * with it.
 */
export function readFeed(bytes: Buffer, rules: FeedRules): Feed {
  const { text, signedBy } = checkSignature(bytes, rules.keys)
  const content = feedForm.safeParse(parseYaml(text))
  if (!content.success)
    throw refuse(message('updates.refused.form', { field: content.error.issues[0]?.path.join('.') ?? '' }))
  const feed = { ...content.data, signedBy }
  if (feed.product !== feedProduct)
    throw refuse(message('updates.refused.product', { product: feed.product.slice(0, 60) }))
  const version = parseVersion(feed.version)
  if (version === undefined) throw refuse(message('updates.refused.version', { version: feed.version.slice(0, 60) }))
  if (feed.channel !== rules.channel || (rules.channel === 'stable' && version.prerelease.length > 0))
    throw refuse(message('updates.refused.channel', { version: feed.version }))
  checkDate(feed, rules)
  for (const { url, size } of feed.files) {
    if (!packageName.safeParse(url).success)
      throw refuse(message('updates.refused.fileName', { name: url.slice(0, 80) }))
    if (size > largestPackageBytes) throw refuse(message('updates.refused.huge', { sizeBytes: size }))
  }
  return feed
}

function checkSignature(bytes: Buffer, keys: UpdateSource['keys']): { text: string; signedBy: string } {
  const at = bytes.lastIndexOf(`\n${signatureMark}`) + 1
  if (at === 0) throw refuse(message('updates.refused.unsigned'))
  const signed = Buffer.concat([Buffer.from(signedPrefix), bytes.subarray(0, at)])
  const signature = Buffer.from(
    bytes
      .subarray(at + signatureMark.length)
      .toString('latin1')
      .trim(),
    'base64'
  )
  const key = keys.find(({ publicKey }) => verify(null, signed, readPublicKey(publicKey), signature))
  if (key === undefined) throw refuse(message('updates.refused.signature'))
  return { text: bytes.subarray(0, at).toString('utf8'), signedBy: key.name }
}

export function readPublicKey(base64: string): KeyObject {
  return createPublicKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'spki' })
}

/** A key that is written twice is an error of the parser itself. */
function parseYaml(text: string): unknown {
  let value: unknown
  try {
    value = parseUpdateInfo(text, 'feed', new URL('https://feed.invalid/'))
  } catch {
    throw refuse(message('updates.refused.yaml'))
  }
  assertSmall(value)
  return value
}

/** A part that appears twice is an alias; aliases of aliases describe more than any memory holds. */
function assertSmall(root: unknown): void {
  const seen = new Set<unknown>()
  const left = [root]
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (seen.has(value) || seen.size > mostValues) throw refuse(message('updates.refused.aliases'))
    seen.add(value)
    left.push(...Object.values(value))
  }
}

function checkDate({ signedAt }: FeedContent, { lastSignedAt, now }: FeedRules): void {
  const signedMs = Date.parse(signedAt)
  if (signedMs > now.getTime() + aheadMs) throw refuse(message('updates.refused.ahead', { signedAt }))
  if (signedMs < now.getTime() - oldestMs) throw refuse(message('updates.refused.old', { signedAt }))
  if (lastSignedAt !== undefined && signedMs < Date.parse(lastSignedAt))
    throw refuse(message('updates.refused.replayed', { signedAt, lastSignedAt }))
}
