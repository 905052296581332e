import type { CallOutput } from '../../preload/contract/index.ts'
import { call } from '../bridge.ts'
import { saveBlob } from '../saveFile.ts'

export type HandoverOffer = CallOutput<'transfers.give'>
export type TakeOverContents = CallOutput<'transfers.take'>

/** Bytes that become 700,000 characters of base64, in whole groups of three. */
export const pieceBytes = 480_000
const charactersAtOnce = 32_768

/** Hands jobs over, or creates the file again for jobs already handed over, and saves the file for the person. */
export async function giveFile(jobIds: string[], to: string): Promise<HandoverOffer> {
  const given = await call('transfers.give', { jobIds, to })
  saveBlob(given.fileName, new Blob(await readPieces((from) => call('transfers.part', { id: given.id, from })), { type: 'application/octet-stream' }))
  await call('transfers.end', { id: given.id })
  return given
}

/**
 * Sends a file from another laptop to the core, piece by piece; the answer says what the file contains and the name for importing
 * it.
 */
export async function readFile(file: Blob, told: (percent: number) => void): Promise<{ upload: string; holds: TakeOverContents }> {
  const upload = crypto.randomUUID()
  // An empty file is sent as one zero byte, so that the core refuses it with the same message.
  const whole = file.size > 0 ? file : new Blob([new Uint8Array(1)])
  for (let from = 0; ; from += pieceBytes) {
    const piece = new Uint8Array(await whole.slice(from, from + pieceBytes).arrayBuffer())
    const answer = await call('transfers.add', { upload, totalBytes: whole.size, from, base64: toBase64(piece) })
    if (answer.outcome === 'whole') return { upload, holds: answer.holds }
    told(Math.floor((100 * from) / whole.size))
  }
}

/** All pieces of a file from the core. The browser stores them outside the page. */
export async function readPieces(read: (from: number) => Promise<{ base64: string; next: number | null }>): Promise<Blob[]> {
  const pieces: Blob[] = []
  for (let from: number | null = 0; from !== null; ) {
    const part: { base64: string; next: number | null } = await read(from)
    pieces.push(new Blob([fromBase64(part.base64)]))
    from = part.next
  }
  return pieces
}

/** The text of a piece on its way to the core. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += charactersAtOnce) text += String.fromCharCode(...bytes.subarray(at, at + charactersAtOnce))
  return btoa(text)
}

/** The bytes of a piece from the core. */
export function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
