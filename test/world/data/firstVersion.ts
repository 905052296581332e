import { plainMessage } from '../../../preload/contract/messages.ts'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { start } from '../../../main/data/store/file/migrations/0001-start.ts'
import { wholeLog } from '../../../main/data/store/file/migrations/0002-whole-log.ts'
import { vehicles } from '../../../main/data/store/file/migrations/0003-vehicles.ts'
import { deviceWrites } from '../../../main/data/store/file/migrations/0004-device-writes.ts'
import { sealEntry, startHash } from '../../../main/data/store/jobs/seal.ts'
import type { Bead, JobState, JobSummary } from '../../../preload/contract/job/jobs.ts'

const released = [start, wholeLog, vehicles, deviceWrites]
const states: JobState[] = [
  'done',
  'done',
  'done',
  'done',
  'failed',
  'cancelled',
  'done',
  'running',
  'done',
  'installedAwaitingGateway'
]
const customers = [
  'Transportes Núñez',
  'Spedition Müller & Söhne',
  'Kowalski Logistics',
  'Blue River Haulage',
  'Città Trasporti',
  'Óptima Flotas'
]
const technicians = ['Ana Pérez', 'Jörg Weiß', 'Marta Kowalska', 'Tom Hill']
const names = ['Truck', 'Trailer', 'Van', 'Unit', 'Sprinter']
const checklists = ['standard-installation', 'service-visit', 'trailer', 'removal']

export interface FirstVersionOptions {
  jobs: number
  /** Entries of each job's log. */
  entries: number
  /** How many of the released schemas the file has; all four when it is left out. */
  version?: number
  /** Operations that are done, and such that wait. */
  operations?: { done: number; waiting: number }
}

/** The name and state of a made-up job; the same for the same number. */
export function madeUpJob(number: number): JobSummary {
  const pick = <T>(list: readonly T[], by: number) => list[Math.floor(by) % list.length] as T
  const at = new Date(Date.UTC(2021, 0, 4, 8) + number * 17 * 60_000).toISOString()
  const template = pick(checklists, number / 3)
  const state = pick(states, number * 7)
  return {
    id: `job-${String(number).padStart(6, '0')}`,
    kind: template === 'removal' ? 'removal' : template === 'service-visit' ? 'service' : 'installation',
    state,
    template: { id: template, version: 1, name: plainMessage(template.replace('-', ' ')) },
    device: {
      imei: String(350_000_000_000_000 + number * 7_919),
      model: pick(['ft4', 'ft2'], number),
      address: `192.168.1.${number % 250}:80`
    },
    vehicle: {
      id: number,
      name: `${pick(names, number / 7)} B-${String.fromCharCode(65 + (number % 26))}${String.fromCharCode(65 + (Math.floor(number / 26) % 26))} ${1_000 + (number % 9_000)}`
    },
    customer: pick(customers, number / 11),
    technician: pick(technicians, number / 5),
    createdAt: at,
    updatedAt: at,
    ...stepsOf(state, number)
  }
}

const stepNames = [
  'Identity',
  'External power',
  'Ignition',
  'Position',
  'Network',
  'Vehicle',
  'Link',
  'Delivered',
  'Same place',
  'Inputs',
  'Output 1',
  'Alignment',
  'Sign-off'
]

/** Every seventh of those that are done has skipped steps, one that failed has a failed one, and so on. */
function stepsOf(
  state: JobState,
  number: number
): Pick<JobSummary, 'stepsDone' | 'stepsTotal' | 'counts' | 'beads' | 'named'> {
  const beads: Bead[] = stepNames.map(() => 'pass')
  const put = (bead: Bead, index: number) => (beads[index % stepNames.length] = bead)
  if (state === 'done' && number % 7 === 0) {
    put('waived', 2)
    if (number % 2 === 0) put('waived', 10)
  }
  if (number % 5 === 0) put('warn', 4)
  if (state === 'installedAwaitingGateway') put('deferred', 7)
  if (state === 'failed') put('fail', 3)
  if (state === 'failed' || state === 'cancelled') beads.fill('waiting', state === 'failed' ? 4 : 2)
  if (state === 'running') beads.fill('waiting', 9)
  const counts = {
    waiting: 0,
    running: 0,
    pass: 0,
    sent: 0,
    warn: 0,
    fail: 0,
    unreadable: 0,
    waived: 0,
    deferred: 0,
    notApplicable: 0
  }
  for (const bead of beads) counts[bead] += 1
  const named = beads.flatMap((bead, index) =>
    bead === 'waived' || bead === 'fail' ? [{ title: plainMessage(stepNames[index] ?? ''), state: bead }] : []
  )
  return {
    stepsDone: beads.filter((bead) => bead !== 'waiting' && bead !== 'fail').length,
    stepsTotal: stepNames.length,
    counts,
    beads,
    named
  }
}

/** Writes a data folder as the first version did: its schema, its rows, its hash chain. */
export function makeFirstVersionData(
  folder: string,
  { jobs, entries, version = released.length, operations }: FirstVersionOptions
): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const sql = new Database(join(folder, 'fitter.db'))
  sql.pragma('journal_mode = wal')
  sql.pragma('synchronous = off')
  for (const text of released.slice(0, version)) sql.exec(text)
  sql.pragma(`user_version = ${version}`)
  const insertJob = sql.prepare(
    'insert into job (id, kind, state, template_id, imei, summary, search, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?)'
  )
  const putHash = version > 1 ? sql.prepare('update job set last_hash = ? where id = ?') : undefined
  const insertEntry = sql.prepare(
    'insert into journal (job_id, seq, at, type, step_id, data, hash) values (?, ?, ?, ?, ?, ?, ?)'
  )
  const insertOperation = sql.prepare(
    `insert into operation (id, kind, key, state, job_id, title, payload, baseline, reason, evidence, created_at, updated_at)
     values (?, 'entities.link', ?, ?, ?, 'Link', '{"primary":{"id":1,"text":"Truck"},"secondary":{"id":2,"text":"Trailer"}}', null, 'A reason.', ?, ?, ?)`
  )
  const atOnce = 1_000
  for (let first = 0; first < jobs; first += atOnce) {
    sql.transaction(() => {
      for (let number = first; number < Math.min(jobs, first + atOnce); number++) {
        const job = madeUpJob(number)
        insertJob.run(
          job.id,
          job.kind,
          job.state,
          job.template.id,
          job.device.imei,
          JSON.stringify({ ...job, template: { ...job.template, name: job.template.id.replace('-', ' ') } }),
          '',
          job.createdAt,
          job.updatedAt
        )
        let hash = startHash(job.id)
        for (let seq = 1; seq <= entries; seq++) {
          const data = {
            attempt: 1,
            witness: 'device',
            what: `seen as number ${seq}`,
            raw: { speedKmh: 0, supplyMv: 12_400 + seq },
            thresholds: null
          }
          const entry = sealEntry(hash, { seq, at: job.createdAt, type: 'evidence', stepId: 'ignition', data })
          hash = entry.hash
          insertEntry.run(job.id, seq, entry.at, entry.type, entry.stepId, JSON.stringify(entry.data), hash)
        }
        putHash?.run(hash, job.id)
      }
    })()
  }
  sql.transaction(() => {
    const evidence = JSON.stringify([
      { at: '2026-03-01T10:00:00.000Z', what: 'Linked', raw: { id: 1, text: 'x'.repeat(300) } }
    ])
    for (let number = 0; number < (operations?.done ?? 0) + (operations?.waiting ?? 0); number++) {
      const state = number < (operations?.done ?? 0) ? 'done' : 'pending'
      insertOperation.run(
        `work-${number}`,
        `vehicle:${number}`,
        state,
        null,
        evidence,
        '2026-03-01T10:00:00.000Z',
        '2026-03-01T10:00:00.000Z'
      )
    }
  })()
  sql.close()
}

/** The whole log of a closed file, as its rows stand there. */
export function journalOf(file: string): unknown[] {
  const sql = new Database(file, { readonly: true })
  const rows = sql.prepare('select * from journal order by job_id, seq').all()
  sql.close()
  return rows
}

/** What the list of the first version says. */
export function readSummaries(file: string): JobSummary[] {
  const sql = new Database(file)
  const rows = sql.prepare<[], { summary: string }>('select summary from job order by id').all()
  sql.close()
  return rows
    .map(({ summary }) => JSON.parse(summary) as JobSummary)
    .map((job) => ({ ...job, template: { ...job.template, name: plainMessage(String(job.template.name)) } }))
}
