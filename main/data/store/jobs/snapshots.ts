import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { AppError } from '../../../../preload/contract/errors.ts'
import type { JobSnapshot } from '../../../../preload/contract/job/jobs.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { DataFile } from '../file/database.ts'
import { sha256Hex } from './seal.ts'
import { packingDictionary, packingNumber } from './snapshotPacking.ts'

export interface NewSnapshot {
  id: string
  imei: string | null
  /** The job whose log names it; null when a person requested it. */
  jobId: string | null
  cause: string
  takenAt: string
  vehicleId: number | null
  text: string
}

export interface StoredSnapshot extends Omit<NewSnapshot, 'text'> {
  sha256: string
  sizeBytes: number
}

export interface SnapshotPage {
  snapshots: StoredSnapshot[]
  /** The start of the next page; null at the end. */
  next: string | null
}

export interface BegunSnapshot {
  jobId: string
  cause: JobSnapshot['cause']
  /** The number of entries with this cause in the job's log at that time. */
  told: number
  at: string
}

export type SnapshotStore = ReturnType<typeof createSnapshotStore>

/** Persons can save requested snapshots as files; those of jobs stay as long as the logs that name them. */
const mostByPerson = 200
/** No stored file is larger; a row that claims so was changed. */
const mostBytes = 4_000_000

type Row = StoredSnapshot & { key: number }

const columns = [
  'key',
  'id',
  'imei',
  'job_id as jobId',
  'cause',
  'taken_at as takenAt',
  'vehicle_id as vehicleId',
  'sha256',
  'size_bytes as sizeBytes'
]
  .map((column) => `snapshot.${column}`)
  .join(', ')

/** Snapshots of devices: their index columns, and each compressed file. */
export function createSnapshotStore(data: DataFile) {
  const insert = data.prepare<[object]>(
    `insert into snapshot (id, imei, job_id, cause, taken_at, vehicle_id, sha256, size_bytes, packing, content)
     values (@id, @imei, @jobId, @cause, @takenAt, @vehicleId, @sha256, @sizeBytes, @packing, @content)`
  )
  const forget = data.prepare<[{ imei: string | null; most: number }]>(
    'delete from snapshot where job_id is null and imei is @imei and key not in (select key from snapshot where job_id is null and imei is @imei order by key desc limit @most)'
  )
  const one = data.prepare<[string], Row>(`select ${columns} from snapshot where id = ?`)
  const content = data.prepare<[string], { packing: number; content: Buffer; sha256: string }>(
    'select packing, content, sha256 from snapshot where id = ?'
  )
  const all = data.prepare<[PageValues], Row>(
    `select ${columns} from snapshot where key < @before order by key desc limit @limit`
  )
  const ofDevice = data.prepare<[PageValues], Row>(
    `select ${columns} from snapshot where imei = @imei and key < @before order by key desc limit @limit`
  )
  const ofVehicle = data.prepare<[PageValues], Row>(
    `select ${columns} from snapshot where vehicle_id = @vehicleId and key < @before order by key desc limit @limit`
  )
  const ofJob = data.prepare<[PageValues], Row>(
    `select ${columns} from snapshot where job_id = @jobId and key < @before order by key desc limit @limit`
  )
  const withHash = data.prepare<[string, string], Row>(
    `select ${columns} from snapshot where job_id = ? and sha256 = ? limit 1`
  )
  const installed = data.prepare<[string], Row>(
    `select ${columns} from snapshot join job on job.id = snapshot.job_id
     where snapshot.imei = ? and snapshot.cause = 'signOff' and job.kind = 'installation' and job.state in ('done', 'installedAwaitingGateway') order by snapshot.key desc limit 1`
  )
  const between = data.prepare<[{ imei: string; fromAt: string; untilAt: string; limit: number }], Row>(
    `select ${columns} from snapshot where imei = @imei and taken_at between @fromAt and @untilAt order by taken_at limit @limit`
  )

  const begin = data.prepare<[object]>(
    'insert or replace into snapshot_begun (job_id, cause, told, begun_at) values (@jobId, @cause, @told, @at)'
  )
  const end = data.prepare<[string, string]>('delete from snapshot_begun where job_id = ? and cause = ?')
  const begun = data.prepare<[], BegunSnapshot>(
    'select job_id as jobId, cause, told, begun_at as at from snapshot_begun'
  )

  return {
    /** Stores one, and removes the oldest that persons requested of this device. */
    keep({ text, ...snapshot }: NewSnapshot): StoredSnapshot {
      const stored = { ...snapshot, ...hashOf(text) }
      const packed = deflateRawSync(Buffer.from(text, 'utf8'), { level: 9, memLevel: 9, dictionary: packingDictionary })
      data.write(() => {
        insert.run({ ...stored, packing: packingNumber, content: packed })
        if (stored.jobId === null) forget.run({ imei: stored.imei, most: mostByPerson })
      })
      return stored
    },
    hashOf,
    get(id: string): StoredSnapshot | undefined {
      const row = one.get(id)
      return row && storedOf(row)
    },
    /** The stored file. Throws NOT_FOUND, and DATA_UNUSABLE when its bytes have changed. */
    text(id: string): string {
      const row = content.get(id)
      if (!row) throw new AppError('NOT_FOUND', message('snapshots.noSuch'))
      const bytes = wholeFile(row)
      if (!bytes) throw new AppError('DATA_UNUSABLE', message('snapshots.changed'))
      return bytes.toString('utf8')
    },
    /** Newest first. Throws NOT_FOUND for an unknown `after`. */
    page({
      imei,
      vehicleId,
      jobId,
      after,
      limit
    }: {
      imei?: string | undefined
      vehicleId?: number | undefined
      jobId?: string | undefined
      after: string | null
      limit: number
    }): SnapshotPage {
      const last = after === null ? undefined : one.get(after)
      if (after !== null && !last) throw new AppError('NOT_FOUND', message('snapshots.noSuch'))
      const values = {
        imei: imei ?? null,
        vehicleId: vehicleId ?? null,
        jobId: jobId ?? null,
        before: last?.key ?? Number.MAX_SAFE_INTEGER,
        limit: limit + 1
      }
      const query =
        jobId !== undefined ? ofJob : imei !== undefined ? ofDevice : vehicleId !== undefined ? ofVehicle : all
      const rows = query.all(values)
      const shown = rows.slice(0, limit)
      return { snapshots: shown.map(storedOf), next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null }
    },
    ofJob(jobId: string, sha256: string): StoredSnapshot | undefined {
      const row = withHash.get(jobId, sha256)
      return row && storedOf(row)
    },
    /** Records, also across a crash, that one is being made for a job. */
    begin: (one: BegunSnapshot) => data.write(() => void begin.run(one)),
    end: (jobId: string, cause: string) => data.write(() => void end.run(jobId, cause)),
    /** Those that were started and did not end. */
    begun: (): BegunSnapshot[] => begun.all(),
    /** The newest from the sign-off of an installation of this device that is still signed off. */
    installed(imei: string): StoredSnapshot | undefined {
      const row = installed.get(imei)
      return row && storedOf(row)
    },
    /** Of one device between two times, both included, oldest first, up to the limit. */
    between: (request: { imei: string; fromAt: string; untilAt: string; limit: number }): StoredSnapshot[] =>
      between.all(request).map(storedOf)
  }
}

interface PageValues {
  imei: string | null
  vehicleId: number | null
  jobId: string | null
  before: number
  limit: number
}

function storedOf({ key: _key, ...stored }: Row): StoredSnapshot {
  return stored
}

function hashOf(text: string): { sha256: string; sizeBytes: number } {
  const bytes = Buffer.from(text, 'utf8')
  return { sha256: sha256Hex(bytes), sizeBytes: bytes.length }
}

interface PackedFile {
  sha256: string
  packing: number
  content: Buffer
}

/** Whether the bytes of a stored snapshot still match its hash. */
export function holdsSnapshot(packed: PackedFile): boolean {
  return wholeFile(packed) !== undefined
}

function wholeFile({ sha256, packing, content }: PackedFile): Buffer | undefined {
  const bytes = packing === packingNumber ? unpack(content) : undefined
  return bytes && sha256Hex(bytes) === sha256 ? bytes : undefined
}

function unpack(packed: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(packed, { dictionary: packingDictionary, maxOutputLength: mostBytes })
  } catch (error) {
    // Data that zlib cannot read was changed: the caller reports it.
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
