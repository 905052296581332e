import type Database from 'better-sqlite3'
import { message } from '../../../../../preload/contract/messages.ts'
import { endedStates, holdBack, isOpen } from '../../work/holdBack.ts'
import type { TakenOver } from './takeOver.ts'

/** The state of gateway work and of outputs with lost records. */
export interface MendedWork {
  /** Only its existence is known: a person must decide. */
  unreadable: number
  /** Waiting work that may have been sent: it is not sent before someone (or the gateway) has checked. */
  heldBack: number
  /** Work that left only a gap in the numbers. */
  gone: number
  /** Outputs that may be on, of which only the name is left. */
  outputsNamed: number
  /** It is unknown which outputs may be on. */
  areOutputsUnknown: boolean
}

/** Work with a lost record is never sent again blindly, and never disappears silently. */
export function mendWork(
  sql: Database.Database,
  { incomplete, named }: TakenOver,
  { at, isEndLost }: { at: string; isEndLost: boolean }
): MendedWork {
  const isUncertain = isEndLost || ['operation', 'operation_need', 'attempt'].some((table) => incomplete.has(table))
  const unreadable = new Set([...nameLostOperations(), ...nameLostAttempts()])
  const reason = JSON.stringify(message('damage.recordDamaged'))
  const hold = sql.prepare(
    `update operation set state = 'needsAttention', reason = ?, updated_at = ? where id = ? and ${isOpen}`
  )
  for (const id of unreadable) hold.run(reason, at, id)
  const heldBack = isUncertain ? holdBack(sql, at) : 0
  const outputsNamed = nameLostOutputs()
  return {
    unreadable: unreadable.size,
    heldBack,
    gone: countGaps(),
    outputsNamed,
    areOutputsUnknown: incomplete.has('output_ledger')
  }

  function text(columns: ReadonlyMap<string, unknown>, name: string): string {
    const value = columns.get(name)
    return typeof value === 'string' ? value : ''
  }

  /** An index contains its id, its key and its job; its request is lost. */
  function nameLostOperations(): string[] {
    const known = sql.prepare<[bigint], { id: string }>('select id from operation where sequence = ?')
    const insert = sql.prepare(
      `insert or ignore into operation (sequence, id, kind, key, state, job_id, title, payload, reason, evidence, created_at, updated_at)
       values (@sequence, @id, @kind, @key, @state, @jobId, @title, 'null', @reason, '[]', @at, @at)`
    )
    const kindOf = sql.prepare<[string], { what: string }>(
      'select what from attempt where operation_id = ? order by number desc limit 1'
    )
    const lost: string[] = []
    for (const [sequence, columns] of named.get('operation') ?? []) {
      const id = text(columns, 'id')
      if (id === '' || known.get(sequence)) continue
      const state = text(columns, 'state')
      const key = text(columns, 'key')
      insert.run({
        sequence,
        id,
        key,
        kind: kindOf.get(id)?.what ?? 'lost',
        state: endedStates.includes(state) ? state : 'needsAttention',
        jobId: text(columns, 'job_id') || null,
        title: JSON.stringify(message('damage.recordLost', { key })),
        reason: JSON.stringify(message('damage.recordDamaged')),
        at
      })
      lost.push(id)
    }
    return lost
  }

  /** It was sent, but the result is lost: it may have arrived. */
  function nameLostAttempts(): string[] {
    const known = sql.prepare<[bigint], { id: number }>('select id from attempt where id = ?')
    const insert = sql.prepare(
      `insert or ignore into attempt (id, target, operation_id, number, what, input, sent_by, started_at, detail, answer)
       select @id, 'gateway', o.id, @number, o.kind, 'null', '', o.updated_at, '', 'null' from operation o where o.id = @operation`
    )
    const lost: string[] = []
    for (const [id, columns] of named.get('attempt') ?? []) {
      const operation = text(columns, 'operation_id')
      const number = columns.get('number')
      if (operation === '' || typeof number !== 'number' || known.get(id)) continue
      insert.run({ id, number, operation })
      lost.push(operation)
    }
    return lost
  }

  function nameLostOutputs(): number {
    const known = sql.prepare<[bigint], { id: number }>('select id from output_ledger where id = ?')
    const insert = sql.prepare(
      "insert or ignore into output_ledger (id, imei, output, path, address, since, switched_by) values (@id, @imei, @output, @path, '', @at, '')"
    )
    let n = 0
    for (const [id, columns] of named.get('output_ledger') ?? []) {
      const [imei, output, path] = ['imei', 'output', 'path'].map((name) => text(columns, name))
      if (!imei || known.get(id)) continue
      n += insert.run({ id, imei, output, path, at }).changes
    }
    return n
  }

  /** Numbers of work are consecutive and never removed. */
  function countGaps(): number {
    const { n = 0 } =
      sql.prepare<[], { n: number }>('select coalesce(max(sequence), 0) - count(*) as n from operation').get() ?? {}
    return n
  }
}
