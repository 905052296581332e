/*
 * main/data/store/jobs/hashing.ts in a browser. Its WebCrypto answers later, and the chain of a log needs each hash at
 * once: SHA-256 is written out here. Signatures are verified between two rounds of the same check: the first one asks,
 * the second one has answers.
 */

const roundWords = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
]
const firstState = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19]

const encoder = new TextEncoder()

/** SHA-256 of a text (UTF-8) or of bytes, as 64 lower-case hex digits. */
export function sha256Hex(content: string | Uint8Array): string {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x20000000))
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0)
  const state = Int32Array.from(firstState)
  const words = new Int32Array(64)
  for (let from = 0; from < padded.length; from += 64) mixBlock(state, words, view, from)
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

function mixBlock(state: Int32Array, words: Int32Array, view: DataView, from: number): void {
  for (let index = 0; index < 16; index++) words[index] = view.getInt32(from + index * 4)
  for (let index = 16; index < 64; index++) {
    const early = words[index - 15]!
    const late = words[index - 2]!
    words[index] =
      (turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)) +
      words[index - 7]! +
      (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)) +
      words[index - 16]!
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let index = 0; index < 64; index++) {
    const first =
      (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + roundWords[index]! + words[index]!) | 0
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = state[index]! + word
}

interface AskedSignature {
  key: Uint8Array<ArrayBuffer>
  text: string
  signature: Uint8Array<ArrayBuffer>
}

const asked = new Map<string, AskedSignature>()
const answers = new Map<string, boolean>()

/**
 * False until `answerSignatures` has looked.
 * @public used by main/data/store/jobs/signature.ts in the page
 */
export function isSignedWith(key: Uint8Array<ArrayBuffer>, text: string, signature: Uint8Array<ArrayBuffer>): boolean {
  const name = `${key.join()} ${signature.join()} ${sha256Hex(text)}`
  if (!answers.has(name)) asked.set(name, { key, text, signature })
  return answers.get(name) ?? false
}

/** Verifies the signatures that were asked for; false when there were none. */
export async function answerSignatures(): Promise<boolean> {
  const open = [...asked]
  asked.clear()
  for (const [name, { key, text, signature }] of open) answers.set(name, await verifySignature(key, text, signature))
  return open.length > 0
}

async function verifySignature(
  key: Uint8Array<ArrayBuffer>,
  text: string,
  signature: Uint8Array<ArrayBuffer>
): Promise<boolean> {
  try {
    const read = await crypto.subtle.importKey('spki', key, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['verify'])
    return await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, read, signature, encoder.encode(text))
  } catch {
    // A point that is not on the curve.
    return false
  }
}

/** @public used by main/data/store/jobs/sealedFields.ts in the page */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join(
    ''
  )
}
