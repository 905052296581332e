import { join } from 'node:path'
import Database from 'better-sqlite3'
import { fillFolder, type WholeJob } from '../../../main/data/store/file/fillFolder.ts'
import { sealEntry, sealOf, sha256Hex, type JournalEntry } from '../../../main/data/store/jobs/seal.ts'
import type { Bead, JobState, JobSummary } from '../../../preload/contract/job/jobs.ts'
import { plainMessage } from '../../../preload/contract/messages.ts'

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

export interface MadeUpLog {
  jobs: number
  /** Entries of each job's log. */
  entries: number
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
    received: 0,
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

/** Fills a folder with made-up jobs, whose logs are readings of one step. */
export async function makeMadeUpLog(folder: string, { jobs, entries, operations }: MadeUpLog): Promise<void> {
  await fillFolder(folder, madeUpJobs(jobs, entries))
  if (operations) putOperations(folder, operations)
}

function* madeUpJobs(jobs: number, entries: number): Iterable<WholeJob> {
  for (let number = 0; number < jobs; number++) {
    const summary = madeUpJob(number)
    const log: JournalEntry[] = []
    for (let seq = 1; seq <= entries; seq++) {
      const data = {
        attempt: 1,
        witness: 'device',
        what: `seen as number ${seq}`,
        raw: { speedKmh: 0, supplyMv: 12_400 + seq },
        thresholds: null
      }
      const before = sealOf(summary.id, log)
      log.push(sealEntry(before, { seq, at: summary.createdAt, type: 'evidence', stepId: 'ignition', data }))
    }
    yield { summary, entries: log }
  }
}

function putOperations(folder: string, { done, waiting }: NonNullable<MadeUpLog['operations']>): void {
  const sql = new Database(join(folder, 'fitter.db'))
  sql.pragma('synchronous = off')
  const payload = '{"primary":{"id":1,"text":"Truck"},"secondary":{"id":2,"text":"Trailer"}}'
  const at = '2026-03-01T10:00:00.000Z'
  const evidence = JSON.stringify([{ at, what: 'Linked', raw: { id: 1, text: 'x'.repeat(300) } }])
  const insert = sql.prepare(
    `insert into operation (id, kind, key, state, job_id, title, payload, payload_hash, baseline, reason, evidence, created_at, updated_at)
     values (?, 'entities.link', ?, ?, null, 'Link', ?, ?, null, 'A reason.', ?, ?, ?)`
  )
  sql.transaction(() => {
    for (let number = 0; number < done + waiting; number++) {
      const state = number < done ? 'done' : 'pending'
      insert.run(`work-${number}`, `vehicle:${number}`, state, payload, sha256Hex(payload), evidence, at, at)
    }
  })()
  sql.close()
}
