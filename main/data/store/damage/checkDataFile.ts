import path from 'node:path'
import type Database from 'better-sqlite3'
import type { Json } from '../../../../preload/contract/define.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { operationState } from '../../../../preload/contract/gateway/operations.ts'
import { holdsWhole, type WrittenFile } from '../jobs/attachmentFiles.ts'
import { onData, readJson } from '../file/errors.ts'
import { attachmentsFolderName } from '../file/fileNames.ts'
import { pagesOf } from '../file/pages.ts'
import { findOrphans, type Orphans } from './orphans.ts'
import { jobRowColumns, sealRow, type JobRow } from '../jobs/jobRow.ts'
import { entryOf, journalColumns, type JournalRow } from '../jobs/journalRow.ts'
import { hashEntry, sha256Hex, startHash } from '../jobs/seal.ts'
import { holdsSnapshot } from '../jobs/snapshots.ts'
import { isOpen } from '../work/holdBack.ts'
import type { Progress } from '../file/progress.ts'

export interface DataCheck {
  ok: boolean
  /** At most a few findings of each kind; the last one then has the number of the others. */
  findings: Message[]
  jobs: number
  /** Picture files without a reference, as a crash leaves them; only after a complete check that found some. */
  orphans?: Orphans
}

export interface CheckRequest {
  /** The number of newest jobs to read, and nothing else; if omitted, everything. */
  newest?: number
}

/** Listed findings of one kind: the first contain the remedy, and no screen shows a hundred thousand. */
const namedOfAKind = 10
const readAtOnce = 200

/**
 * Checks the file: SQLite's own integrity check, broken references, the hash chain of every job, the pictures, the list
 * and the waiting work. It reads piece by piece, so that a log of years needs no more memory than one of a day.
 */
export function checkData(sql: Database.Database, request: CheckRequest, progress: Progress): DataCheck {
  const findings = collectFindings()
  const isFull = request.newest === undefined
  attempt(findings, () => {
    for (const { message: text } of onData(() =>
      sql.prepare<[], { message: string }>('select message from loss').all()
    ))
      findings.add(readJson<Message>(text))
  })
  if (isFull) attempt(findings, () => checkFile(sql, findings, 'integrity_check'))
  let jobs = 0
  attempt(findings, () => (jobs = checkJobs(sql, findings, request.newest, progress)), message('store.rowUnreadable'))
  if (isFull) attempt(findings, () => checkAttachments(sql, findings), message('store.attachmentsUnreadable'))
  if (isFull) attempt(findings, () => checkSnapshots(sql, findings), message('store.rowUnreadable'))
  if (isFull) attempt(findings, () => checkCounts(sql, findings), message('store.rowUnreadable'))
  attempt(findings, () => checkOperations(sql, findings), message('store.operationsUnreadable'))
  const orphans = isFull ? lookForOrphans(sql, findings) : undefined
  return {
    ok: findings.isEmpty(),
    findings: findings.list(),
    jobs,
    ...(orphans && orphans.files > 0 ? { orphans } : {})
  }
}

/** The number of newest jobs that are read in a copy: earlier copies contain the rest. */
const newestInCopy = 100

/** Problems of a new copy; the losses it records are not problems of the copy. */
export function verifyCopy(sql: Database.Database): Message[] {
  const findings = collectFindings()
  attempt(findings, () => checkFile(sql, findings, 'quick_check'))
  attempt(findings, () => void checkJobs(sql, findings, newestInCopy, () => undefined), message('store.rowUnreadable'))
  attempt(findings, () => checkOperations(sql, findings), message('store.operationsUnreadable'))
  return findings.list()
}

function lookForOrphans(sql: Database.Database, findings: Findings): Orphans | undefined {
  let orphans: Orphans | undefined
  attempt(
    findings,
    () => (orphans = onData(() => findOrphans(sql, Date.now()))),
    message('store.attachmentsUnreadable')
  )
  return orphans
}

type Findings = ReturnType<typeof collectFindings>

function collectFindings() {
  const byKind = new Map<string, Message[]>()
  const more = new Map<string, number>()
  return {
    add(found: Message) {
      const known = byKind.get(found.id) ?? []
      byKind.set(found.id, known)
      if (known.length < namedOfAKind) known.push(found)
      else more.set(found.id, (more.get(found.id) ?? 0) + 1)
    },
    isEmpty: () => byKind.size === 0,
    list: () =>
      [...byKind].flatMap(([id, known]) => {
        const n = more.get(id)
        return n === undefined ? known : [...known, message('store.moreFindings', { n })]
      })
  }
}

/** Unreadable data is a finding, and the check continues. */
function attempt(findings: Findings, look: () => void, unreadable?: Message): void {
  try {
    look()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'DATA_UNUSABLE') throw error
    findings.add(unreadable ?? error.sentence)
  }
}

function checkFile(sql: Database.Database, findings: Findings, check: 'integrity_check' | 'quick_check'): void {
  onData(() => {
    for (const row of sql.pragma(`${check}(20)`) as Record<string, string>[]) {
      const why = row[check] ?? ''
      // Pages of a rebuilt index stay unused until the file is compacted.
      if (why !== 'ok' && !/^(Page \d+: never used|\*\*\* in database main \*\*\*)$/.test(why))
        findings.add(message('store.fileDamaged', { why: why.slice(0, 300) }))
    }
    for (const { table } of sql
      .prepare<[], { table: string }>('select "table" from pragma_foreign_key_check limit 20')
      .all()) {
      findings.add(message('store.rowPointsNowhere', { table }))
    }
  })
}

function checkJobs(sql: Database.Database, findings: Findings, newest: number | undefined, progress: Progress): number {
  const count = onData(() => sql.prepare<[], { n: number }>('select count(*) as n from job').get()?.n ?? 0)
  const total = Math.min(newest ?? count, count)
  const page = sql.prepare<[number, number], JobRow & { rowHash: string; lastHash: string }>(
    `select ${jobRowColumns}, row_hash as rowHash, last_hash as lastHash from job where key < ? order by key desc limit ?`
  )
  let done = 0
  for (const rows of pagesOf<JobRow & { rowHash: string; lastHash: string }>(readAtOnce, (last) =>
    page.all(last?.key ?? Number.MAX_SAFE_INTEGER, Math.min(readAtOnce, total - done))
  )) {
    for (const { rowHash, lastHash, ...row } of rows) {
      attempt(
        findings,
        () => checkLog(sql, row.id, lastHash, findings),
        message('store.logUnreadable', { job: row.id })
      )
      if (sealRow(row) !== rowHash) findings.add(message('store.rowChanged', { job: row.id }))
    }
    done += rows.length
    progress(done, total)
  }
  return done
}

/** Entry by entry, so that a job log of any length fits in memory. */
function checkLog(sql: Database.Database, id: string, lastHash: string, findings: Findings): void {
  const read = sql.prepare<[string, number, number], JournalRow>(
    `select ${journalColumns} from journal where job_id = ? and seq > ? order by seq limit ?`
  )
  const isKept = sql.prepare<[string], { n: number }>('select 1 as n from attachment where sha256 = ?')
  let previous = startHash(id)
  for (const rows of pagesOf<JournalRow>(readAtOnce, (last) => read.all(id, last?.seq ?? -1, readAtOnce))) {
    for (const row of rows) {
      const entry = entryOf(row)
      if (hashEntry(previous, entry) !== entry.hash)
        return findings.add(message('store.logChanged', { job: id, entry: entry.seq }))
      for (const hash of entry.type === 'attached' ? hashesIn(entry.data) : []) {
        if (!onData(() => isKept.get(hash)))
          findings.add(message('store.attachmentMissing', { job: id, hash: hash.slice(0, 16) }))
      }
      previous = entry.hash
    }
  }
  if (previous !== lastHash) findings.add(message('store.logCut', { job: id }))
}

function hashesIn(data: Json): string[] {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) return []
  return [data['sha256'], data['reportSha256']].filter((hash) => typeof hash === 'string')
}

/** Piece by piece: a picture is hashed without loading all of it. */
function checkAttachments(sql: Database.Database, findings: Findings): void {
  const folder = path.join(path.dirname(sql.name), attachmentsFolderName)
  const page = sql.prepare<[string, number], WrittenFile>(
    'select sha256, size_bytes as sizeBytes from attachment where sha256 > ? order by sha256 limit ?'
  )
  for (const files of pagesOf<WrittenFile>(readAtOnce, (last) => page.all(last?.sha256 ?? '', readAtOnce))) {
    for (const file of files) {
      const changed = message('store.attachmentChanged', { hash: file.sha256.slice(0, 16) })
      // If the disk cannot read one of them, others may be readable.
      attempt(
        findings,
        () =>
          onData(() => {
            if (!holdsWhole(folder, file)) findings.add(changed)
          }),
        changed
      )
    }
  }
}

/** One after the other; including pictures that no log names. */
function checkSnapshots(sql: Database.Database, findings: Findings): void {
  type Row = Parameters<typeof holdsSnapshot>[0] & { key: number; takenAt: string }
  const page = sql.prepare<[number, number], Row>(
    'select key, taken_at as takenAt, sha256, packing, content from snapshot where key > ? order by key limit ?'
  )
  for (const rows of pagesOf<Row>(readAtOnce, (last) => page.all(last?.key ?? 0, readAtOnce))) {
    for (const row of rows) {
      if (!holdsSnapshot(row))
        findings.add(message('store.snapshotChanged', { takenAt: row.takenAt, hash: row.sha256.slice(0, 16) }))
    }
  }
}

function checkCounts(sql: Database.Database, findings: Findings): void {
  onData(() => {
    const wrong = sql
      .prepare<[], { n: number }>(
        `select count(*) as n from (select state, jobs from job_count where jobs > 0 except select state, count(*) from job group by state)`
      )
      .get()
    const wrongFacets = sql
      .prepare<[], { n: number }>(
        `select count(*) as n from (select value, jobs from job_facet where facet = 'standing' and jobs > 0 except select standing, count(*) from job group by standing)`
      )
      .get()
    if ((wrong?.n ?? 0) + (wrongFacets?.n ?? 0) > 0) findings.add(message('store.countsWrong'))
  })
}

function checkOperations(sql: Database.Database, findings: Findings): void {
  onData(() => {
    const known = JSON.stringify(operationState.options)
    const unknown = sql.prepare<[string], { id: string; state: string }>(
      'select id, state from operation where state not in (select value from json_each(?)) limit 20'
    )
    for (const { id, state } of unknown.all(known))
      findings.add(message('store.operationStateUnknown', { operation: id, state }))
    const waiting = sql.prepare<[], { id: string; payload: string; payload_hash: string | null }>(
      `select id, payload, payload_hash from operation where ${isOpen}`
    )
    for (const { id, payload, payload_hash } of waiting.iterate()) {
      if (payload_hash !== null && sha256Hex(payload) !== payload_hash)
        findings.add(message('store.operationChanged', { operation: id }))
    }
  })
}
