import fs from 'node:fs'
import Database from 'better-sqlite3'
import type { JobState, JobSummary } from '../../../../../preload/contract/job/jobs.ts'
import { plainMessage, type Message } from '../../../../../preload/contract/messages.ts'
import { findDamage, goesOnFrom } from '../jobLogCheck.ts'
import { pagesOf } from '../../file/pages.ts'
import { insertJobRow, rowOf } from '../../jobs/jobRow.ts'
import { insertEntryRow, journalColumns, type JournalRow } from '../../jobs/journalRow.ts'
import { startHash } from '../../jobs/seal.ts'
import type { Value } from './cells.ts'

export interface MendedJobs {
  jobs: number
  damaged: number
  /** Rows of the list that were recomputed from logs. */
  linesMade: number
  /** Jobs with missing parts that came from a backup. */
  fromBackup: number
  /** Jobs of which only the name is left. */
  gone: number
}

type Named = ReadonlyMap<bigint, ReadonlyMap<string, Value>>
interface Parts {
  at: string
  /** Rows of the list that only an index contains. */
  named: Named | undefined
  /** Complete copies, newest first. */
  backups: readonly string[]
  tell(done: number, total: number): void
}

/** Repairs the jobs of a salvaged file: each log has its row in the list, and each incomplete log is recorded. */
export function mendJobs(sql: Database.Database, { at, named, backups, tell }: Parts): MendedJobs {
  const result: MendedJobs = { jobs: 0, damaged: 0, linesMade: 0, fromBackup: 0, gone: 0 }
  const read = sql.prepare<[string], JournalRow>(`select ${journalColumns} from journal where job_id = ? order by seq`)
  const hasLine = sql.prepare<[string], { n: number }>('select 1 as n from job where id = ?')
  const mark = sql.prepare(
    'insert into damaged_job (job_id, found_at, entry, readable, message) values (?, ?, ?, ?, ?) on conflict (job_id) do update set entry = excluded.entry, readable = excluded.readable, message = excluded.message'
  )
  const copies = backups.flatMap(openCopy)
  try {
    makeLines()
    // The start of each page is searched again, because rows are added during the walk.
    const page = sql.prepare<[number], { key: number; id: string; last_hash: string }>(
      'select key, id, last_hash from job where key > ? order by key limit 500'
    )
    const total = sql.prepare<[], { n: number }>('select count(*) as n from job').get()?.n ?? 0
    for (const lines of pagesOf<{ key: number; id: string; last_hash: string }>(500, (last) =>
      page.all(last?.key ?? 0)
    )) {
      for (const { id, last_hash } of lines) checkOne(id, last_hash)
      result.jobs += lines.length
      tell(result.jobs, total)
    }
  } finally {
    for (const copy of copies) copy.close()
  }
  return result

  function checkOne(id: string, lastHash: string): void {
    let damage = findDamage(id, read.iterate(id), lastHash)
    if (damage && takeFromCopies(id)) {
      damage = findDamage(id, read.iterate(id), lastHash)
      if (!damage) result.fromBackup += 1
    }
    if (!damage) return
    result.damaged += 1
    mark.run(id, at, damage.entry, damage.readable, JSON.stringify(damage.message))
  }

  /** Entry by entry: the one that continues the one before, from any source. */
  function takeFromCopies(id: string): boolean {
    const kept = copies.map(
      (copy) =>
        new Map(
          copy
            .prepare<[string], JournalRow>(`select ${journalColumns} from journal where job_id = ?`)
            .all(id)
            .map((row) => [row.seq, row])
        )
    )
    if (kept.every((entries) => entries.size === 0)) return false
    const own = new Map(read.all(id).map((row) => [row.seq, row]))
    const last = Math.max(0, ...own.keys(), ...kept.flatMap((entries) => [...entries.keys()]))
    let previous = startHash(id)
    let isChanged = false
    for (let seq = 1; seq <= last; seq++) {
      const fitting = [own, ...kept].map((entries) => entries.get(seq)).find((row) => row && goesOnFrom(previous, row))
      if (!fitting) break
      if (fitting !== own.get(seq)) {
        sql.prepare('delete from journal where job_id = ? and seq = ?').run(id, seq)
        sql.prepare(insertEntryRow).run(id, seq, fitting.at, fitting.type, fitting.stepId, fitting.data, fitting.hash)
        isChanged = true
      }
      previous = fitting.hash
    }
    return isChanged
  }

  function makeLines(): void {
    const known = new Map(
      [...(named ?? [])].flatMap(([, columns]) =>
        typeof columns.get('id') === 'string' ? [[String(columns.get('id')), columns] as const] : []
      )
    )
    const insert = sql.prepare<[object]>(insertJobRow)
    const withoutLine = sql
      .prepare<[], { job_id: string }>('select distinct job_id from journal where job_id not in (select id from job)')
      .all()
      .map(({ job_id }) => job_id)
    for (const id of withoutLine) {
      const rows = read.all(id)
      const [first] = rows
      // A name that no index contains and no log begins with is a damaged one.
      if (!first || (!known.has(id) && !goesOnFrom(startHash(id), first))) {
        sql.prepare('delete from journal where job_id = ?').run(id)
        continue
      }
      insert.run({ ...rowOf(summaryFrom(id, rows, known.get(id))), lastHash: rows.at(-1)?.hash ?? '' })
      result.linesMade += 1
    }
    for (const [id, columns] of known) {
      if (hasLine.get(id)) continue
      insert.run({ ...rowOf(summaryFrom(id, [], columns)), lastHash: '' })
      result.gone += 1
    }
  }
}

function openCopy(file: string): Database.Database[] {
  if (!fs.existsSync(file)) return []
  try {
    const sql = new Database(file, { readonly: true, timeout: 1_000 })
    sql.prepare('select 1 from journal limit 1').get()
    return [sql]
  } catch (error) {
    // An unreadable copy is of no use here.
    if (error instanceof Error && 'code' in error) return []
    throw error
  }
}

/** The row of a job from the readable part of its log; the core rewrites it from the whole log. */
function summaryFrom(
  id: string,
  rows: readonly JournalRow[],
  named: ReadonlyMap<string, Value> | undefined
): JobSummary {
  const entries = rows.map((row) => ({ type: row.type, at: row.at, data: parse(row.data) }))
  const created = entries.find(({ type }) => type === 'jobCreated')?.data ?? {}
  const template = recordOf(created['template'])
  const device = recordOf(created['device'])
  const vehicle = entries.findLast(({ type }) => type === 'vehicleChosen')?.data
  const state = entries.findLast(({ type }) => type === 'stateChanged')?.data['state'] ?? named?.get('state')
  const at = textOf(named?.get('created_at')) || (entries[0]?.at ?? new Date(0).toISOString())
  return {
    id,
    kind: (textOf(template['kind']) || 'installation') as JobSummary['kind'],
    state: (textOf(state) || 'draft') as JobState,
    template: {
      id: textOf(template['id']) || textOf(named?.get('template_id')),
      version: Number(template['version'] ?? 0),
      name: (typeof template['name'] === 'object' && template['name'] !== null
        ? template['name']
        : plainMessage(textOf(template['name']) || textOf(named?.get('template_id')))) as Message
    },
    device: {
      imei: textOf(device['imei']) || textOf(named?.get('imei')),
      model: textOf(device['model']),
      address: textOf(device['address'])
    },
    vehicle: vehicle && typeof vehicle['id'] === 'number' ? { id: vehicle['id'], name: textOf(vehicle['name']) } : null,
    customer: textOf(created['customer']) || textOf(named?.get('customer')),
    technician: textOf(created['technician']) || textOf(named?.get('technician')),
    createdAt: at,
    updatedAt: entries.at(-1)?.at ?? at,
    stepsDone: 0,
    stepsTotal: Array.isArray(template['steps']) ? template['steps'].length : 0
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
