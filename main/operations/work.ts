import { message } from '../../preload/contract/messages.ts'
import type { OperationKind } from './kind.ts'
import type { EngineParts } from './parts.ts'
import type { StoredRow } from './rows.ts'

/** A kind and what it is to send. */
export interface Work {
  kind: OperationKind
  payload: unknown
}

/** The work of a row; where it cannot be read any more, only a person can help. */
export function workOf({ kinds, moves }: EngineParts, row: StoredRow): Work | undefined {
  const kind = kinds.get(row.kind)
  if (!kind) {
    moves.move(row.id, 'needsAttention', message('operations.unknownKind', { kind: row.kind }))
    return undefined
  }
  const payload = kind.payload.safeParse(row.payload)
  if (payload.success) return { kind, payload: payload.data }
  moves.move(row.id, 'needsAttention', message('operations.unreadablePayload'))
  return undefined
}
