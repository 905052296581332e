import type { Message } from '../../../../preload/contract/messages.ts'
import { say } from '../../../base/say.ts'

export interface Piece {
  text: string
  isCode: boolean
}

/** Message values that are identifiers, not times: an APN, a SIM number, an address. */
function codesOf({ values }: Message): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' && value.length > 3 && /^\S*[.\d@-]\S*$/.test(value) && !/(At|On)$/.test(name)
      ? [value]
      : []
  )
}

/** A sentence in pieces, with identifiers separate: people compare them character by character. */
export function piecesOf(message: Message): Piece[] {
  let pieces: Piece[] = [{ text: say(message), isCode: false }]
  for (const code of codesOf(message)) {
    pieces = pieces.flatMap((piece) => {
      const at = piece.isCode ? -1 : piece.text.indexOf(code)
      if (at < 0) return [piece]
      return [
        { text: piece.text.slice(0, at), isCode: false },
        { text: code, isCode: true },
        { text: piece.text.slice(at + code.length), isCode: false }
      ].filter(({ text }) => text !== '')
    })
  }
  return pieces
}
