import type Database from 'better-sqlite3'
import { hasPieces, takePiecesOut } from '../../jobs/attachmentPieces.ts'

/** Moves the bytes of pictures out of the file: each becomes a separate file before its pieces are dropped. */
export function attachmentFiles(sql: Database.Database, tell: (done: number, total: number) => void): void {
  if (hasPieces(sql)) takePiecesOut(sql, tell)
}
