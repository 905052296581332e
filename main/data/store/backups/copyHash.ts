import { createHash, randomBytes } from 'node:crypto'
import fs from 'node:fs'

/* A backup contains its own SHA-256: of all its bytes, with zeros in place of the hash itself. The chain protects a log;
   this protects everything else in the file. */

const pieceBytes = 1 << 20
const zeros = Buffer.alloc(64, '0')

/** The placeholder in a copy until its hash is known; nothing else in the file equals it. */
export function placeForHash(): string {
  return randomBytes(32).toString('hex')
}

/** Writes the hash of a whole, unopened file over the placeholder `place`. */
export function putHash(file: string, place: string): void {
  const handle = fs.openSync(file, 'r+')
  try {
    const at = placesOf(handle, place)
    if (at.length === 0) throw new Error('The place for the hash of a copy is not in it')
    const sha256 = Buffer.from(hashWithout(handle, at))
    for (const position of at) fs.writeSync(handle, sha256, 0, sha256.length, position)
  } finally {
    fs.closeSync(handle)
  }
}

/** Whether a file still has its original bytes. */
export function hasHash(file: string, sha256: string): boolean {
  const handle = fs.openSync(file, 'r')
  try {
    const at = placesOf(handle, sha256)
    return at.length > 0 && hashWithout(handle, at) === sha256
  } finally {
    fs.closeSync(handle)
  }
}

function placesOf(handle: number, text: string): number[] {
  const found = new Set<number>()
  eachPiece(handle, text.length - 1, (piece, from) => {
    for (let at = piece.indexOf(text, 0, 'latin1'); at >= 0; at = piece.indexOf(text, at + 1, 'latin1'))
      found.add(from + at)
  })
  return [...found]
}

function hashWithout(handle: number, places: readonly number[]): string {
  const hash = createHash('sha256')
  eachPiece(handle, 0, (piece, from) => {
    for (const at of places) {
      const [start, end] = [Math.max(at, from), Math.min(at + zeros.length, from + piece.length)]
      if (start < end) zeros.copy(piece, start - from, start - at, end - at)
    }
    hash.update(piece)
  })
  return hash.digest('hex')
}

/** Piece by piece; each begins `overlap` bytes before the end of the one before. */
function eachPiece(handle: number, overlap: number, take: (piece: Buffer, from: number) => void): void {
  const buffer = Buffer.alloc(pieceBytes)
  for (let from = 0; ; from += pieceBytes - overlap) {
    const bytes = fs.readSync(handle, buffer, 0, pieceBytes, from)
    if (bytes === 0) return
    take(buffer.subarray(0, bytes), from)
    if (bytes < pieceBytes) return
  }
}
