import { createPublicKey, hash, randomBytes, verify } from 'node:crypto'

/*
 * What the chain and the seals of a log need of cryptography. In the page beside a report
 * main/job/reports/pageScript/hashing.ts stands in its place (vite.sealPage.config.ts): everything above it is one
 * program in both.
 */

/** SHA-256 of a text (UTF-8) or of bytes, as 64 lower-case hex digits. */
export function sha256Hex(content: string | Uint8Array): string {
  return hash('sha256', content)
}

/** ECDSA with SHA-256 by a key in its SPKI form, over the UTF-8 form of a text; the signature is r and s. */
export function isSignedWith(key: Uint8Array, text: string, signature: Uint8Array): boolean {
  try {
    return verify(
      'sha256',
      Buffer.from(text, 'utf8'),
      { key: createPublicKey({ key: Buffer.from(key), format: 'der', type: 'spki' }), dsaEncoding: 'ieee-p1363' },
      signature
    )
  } catch {
    // A point that is not on the curve.
    return false
  }
}

export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex')
}
