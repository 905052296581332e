import type { CallOutput } from '../../../../preload/contract/index.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'

/** A data loss. It is permanent, so it is never forgotten. */
export type LossRecord = CallOutput<'losses.list'>['losses'][number]

export function createLossStore(data: DataFile) {
  const rows = data.prepare<[], Omit<LossRecord, 'message'> & { message: string }>(
    'select key, found_at as foundAt, message, read_at as readAt, read_by as readBy from loss order by key desc'
  )
  const read = data.prepare('update loss set read_at = ?, read_by = ? where key = ? and read_at is null')
  /** Newest first. */
  const all = (): LossRecord[] => rows.all().map((row) => ({ ...row, message: readJson<Message>(row.message) }))
  return {
    all,
    /** Oldest first. */
    unread: (): Message[] =>
      all()
        .flatMap(({ message, readAt }) => (readAt === null ? [message] : []))
        .reverse(),
    acknowledge: (key: number, by: string): void => void data.write(() => read.run(new Date().toISOString(), by, key))
  }
}
