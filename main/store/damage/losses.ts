import type { CallOutput } from '../../../preload/contract/index.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import type { DataFile } from '../file/database.ts'
import { readJson } from '../file/errors.ts'

/** A data loss. It is permanent, so it is never forgotten. */
export type LossRecord = CallOutput<'losses.list'>['losses'][number]

interface Row {
  key: number
  found_at: string
  message: string
  read_at: string | null
  read_by: string | null
}

export function createLossStore(data: DataFile) {
  const rows = data.prepare<[], Row>('select * from loss order by key')
  const read = data.prepare('update loss set read_at = ?, read_by = ? where key = ? and read_at is null')
  return {
    unread: (): Message[] => rows.all().flatMap(({ message, read_at }) => (read_at === null ? [readJson<Message>(message)] : [])),
    /** Newest first. */
    all: (): LossRecord[] =>
      rows
        .all()
        .map(({ key, found_at, message, read_at, read_by }) => ({ key, foundAt: found_at, message: readJson<Message>(message), readAt: read_at, readBy: read_by }))
        .reverse(),
    acknowledge: (key: number, by: string): void => void data.write(() => read.run(new Date().toISOString(), by, key))
  }
}
