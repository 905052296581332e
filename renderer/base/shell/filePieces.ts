/** Bytes that become 700,000 characters of base64, in whole groups of three. */
const pieceBytes = 480_000
const charactersAtOnce = 32_768

interface FilePiece {
  totalBytes: number
  from: number
  base64: string
}

/**
 * Sends a file to the core, piece by piece, and returns its answer to the last one. An empty file is sent as one zero
 * byte, so that the core refuses it with the same message.
 */
export async function sendPieces<Answer>(
  file: Blob,
  send: (piece: FilePiece) => Promise<Answer>,
  onPercent?: (percent: number) => void
): Promise<Answer> {
  const whole = file.size > 0 ? file : new Blob([new Uint8Array(1)])
  for (let from = 0; ; from += pieceBytes) {
    const end = Math.min(whole.size, from + pieceBytes)
    const answer = await send({
      totalBytes: whole.size,
      from,
      base64: toBase64(new Uint8Array(await whole.slice(from, end).arrayBuffer()))
    })
    if (end === whole.size) return answer
    onPercent?.(Math.floor((100 * end) / whole.size))
  }
}

/** All pieces of a file from the core. The browser stores them outside the page. */
export async function readPieces(
  read: (from: number) => Promise<{ base64: string; next: number | null }>
): Promise<Blob[]> {
  const pieces: Blob[] = []
  for (let from: number | null = 0; from !== null;) {
    const part: { base64: string; next: number | null } = await read(from)
    pieces.push(new Blob([fromBase64(part.base64)]))
    from = part.next
  }
  return pieces
}

/** The text of a piece on its way to the core. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += charactersAtOnce)
    text += String.fromCharCode(...bytes.subarray(at, at + charactersAtOnce))
  return btoa(text)
}

/** The bytes of a piece from the core. */
export function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
