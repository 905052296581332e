import { createHash, timingSafeEqual } from 'node:crypto'

/** The SHA-256 of a text, in hex: what may be stored of a secret. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Compares in constant time, whatever the lengths are. */
export function hasDigest(given: string, digest: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(given), 'hex'), Buffer.from(digest, 'hex'))
}
