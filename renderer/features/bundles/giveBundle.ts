import { call } from '../../bridge.ts'
import { pieceBytes, toBase64 } from '../../shell/filePieces.ts'

/** Gives a support bundle to the core, piece by piece; with the last piece every window shows it. */
export async function giveBundle(upload: string, file: Blob, told: (percent: number) => void): Promise<void> {
  // An empty file has no piece, but is refused by the same words.
  const whole = file.size > 0 ? file : new Blob([new Uint8Array(1)])
  for (let from = 0; from < whole.size; from += pieceBytes) {
    const piece = new Uint8Array(await whole.slice(from, from + pieceBytes).arrayBuffer())
    await call('cab.add', { upload, totalBytes: whole.size, from, base64: toBase64(piece) })
    told(Math.floor((100 * Math.min(whole.size, from + pieceBytes)) / whole.size))
  }
}

/** Back to the workplace. */
export async function leaveBundle(): Promise<void> {
  await call('cab.leave', {})
}
