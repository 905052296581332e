import type Database from 'better-sqlite3'
import { hasPieces, takePiecesOut } from '../../jobs/attachmentPieces.ts'

/** The bytes of pictures leave the file: each becomes a file of its own beside it, before its pieces are dropped. */
export function attachmentFiles(sql: Database.Database, tell: (done: number, total: number) => void): void {
  if (hasPieces(sql)) takePiecesOut(sql, tell)
}
