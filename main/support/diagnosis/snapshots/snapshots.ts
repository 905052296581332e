import { AppError } from '../../../../preload/contract/errors.ts'
import type { Teller } from '../../../../preload/contract/events.ts'
import type { GatewayEvidence } from '../../../../preload/contract/support/evidence.ts'
import type { CallOutput, CallParsed } from '../../../../preload/contract/index.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { type Snapshot, type SnapshotCause, type SnapshotLine } from '../../../../preload/contract/support/snapshots.ts'
import type { DeviceAccess } from '../../../gateway/accounts/devices.ts'
import { invokeDevice } from '../../../device/client/operations.ts'
import type { SnapshotStore, StoredSnapshot } from '../../../data/store/jobs/snapshots.ts'
import { compareSnapshots, inOrder } from './compare.ts'
import { readSnapshot, writeSnapshot } from './fileForm.ts'
import { gatherSnapshot, type GatherOptions } from './gather.ts'
import { createLastReadings } from './lastReadings.ts'
import { lineOf, makeSnapshot, uptimeOf } from './make.ts'
import { createOpenedSnapshots } from './opened.ts'
import { rowOf } from './row.ts'
import type { UptimeAt } from './restarts.ts'

export interface SnapshotsOptions {
  rows: SnapshotStore
  devices: Pick<DeviceAccess, 'open' | 'onRead'>
  /** A device of the table, by its key. Throws NOT_FOUND, WRONG_DEVICE or UNREACHABLE. */
  find(key: string): { imei: string | null; model: string | null; address: string }
  /** The gateway's evidence within this time; null if no gateway is set up. */
  askGateway(
    subject: { imei: string | null; vehicleId: number | null },
    mostMs: number
  ): Promise<GatewayEvidence | null>
  /**
   * True if the gateway cannot be reached, or if more than half of its rate limit is used: steps of jobs need the rest.
   */
  isGatewayBusy(): Promise<boolean>
  /** A copy without any known secret. */
  redact<T>(value: T): T
  technician(): string
  fitterVersion: string
  events: Teller
  now?: () => number
}

export interface JobSnapshotWish {
  cause: Exclude<SnapshotCause, 'person'>
  jobId: string
  device: { imei: string; model: string; address: string }
  vehicle: { id: number | null; name: string } | null
}

/** A snapshot that was made but not stored yet: what the job's log records about it, and how to store it. */
export interface MadeSnapshot {
  sha256: string
  sizeBytes: number
  takenAt: string
  asked: number
  silent: number
  /** Must be called before the entry that names the snapshot is written. */
  keep(): void
}

export type Snapshots = ReturnType<typeof createSnapshots>

/** A person who takes a snapshot has just changed something: everything is read now. */
const byPerson = { freshMs: 0, atOnce: 4, timeoutMs: 5_000, wholeMs: 15_000 }
const gatewayWaitMs = 8_000
const besideJob = { freshMs: 15_000, atOnce: 2, timeoutMs: 4_000, wholeMs: 30_000 }
/** The number of snapshots between two compared ones that are used to count restarts. */
const mostBetween = 200
const mostOfJob = 50

export function createSnapshots(options: SnapshotsOptions) {
  const { rows, devices } = options
  const now = options.now ?? (() => Date.now())
  const heard = createLastReadings()
  devices.onRead((device, read) => heard.hear(device, read))
  const opened = createOpenedSnapshots()
  const views = new Map<string, AbortController>()

  type Pace = Pick<GatherOptions, 'freshMs' | 'atOnce' | 'timeoutMs' | 'wholeMs' | 'progress'>
  type Subject = {
    imei: string | null
    model: string | null
    address: string
    vehicle: { id: number | null; name: string } | null
  }

  async function make(
    subject: Subject,
    why: { cause: SnapshotCause; jobId: string | null },
    pace: Pace,
    signal: AbortSignal
  ): Promise<Snapshot> {
    const { imei, model, address, vehicle } = subject
    const client = devices.open(address, imei)
    const gathered = await gatherSnapshot(
      {
        ...pace,
        imei,
        ask: (operation, call) => invokeDevice(client, operation, {}, call),
        heard: (operation, notBeforeMs) => heard.since(imei ?? address, operation, notBeforeMs),
        askGateway: () => gatewaySays({ imei, vehicleId: null }, why.cause),
        redact: (value) => options.redact(value),
        now
      },
      signal
    )
    return makeSnapshot({
      gathered,
      ...why,
      by: options.technician(),
      device: { imei, model, host: address },
      vehicle,
      fitterVersion: options.fitterVersion
    })
  }

  /**
   * During a job, the gateway is skipped while steps may need it: twenty jobs at a time would use up its rate limit.
   */
  async function gatewaySays(
    subject: { imei: string | null; vehicleId: null },
    cause: SnapshotCause
  ): Promise<GatewayEvidence | null> {
    if (subject.imei === null || (cause !== 'person' && (await options.isGatewayBusy()))) return null
    const says = await options.askGateway(subject, gatewayWaitMs)
    // An unfinished answer is no evidence of this moment.
    return says?.state === 'asking' ? null : says
  }

  /** Throws DATA_UNUSABLE for a snapshot whose bytes were changed. */
  function contentOf(id: string): Snapshot {
    const file = readSnapshot(rows.text(id))
    if (file.outcome !== 'read') throw new AppError('DATA_UNUSABLE', file.why)
    return file.snapshot
  }

  function orDamaged<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (error instanceof AppError && error.code === 'DATA_UNUSABLE') return undefined
      throw error
    }
  }

  function lineOfRow({ id, imei, jobId, cause, takenAt, vehicleId, sha256, sizeBytes }: StoredSnapshot): SnapshotLine {
    const content = orDamaged(() => contentOf(id))
    if (content) return lineOf(content, { id, sha256, sizeBytes, isOpened: false })
    const vehicle = vehicleId === null ? null : { id: vehicleId, name: '' }
    return {
      id,
      takenAt,
      cause: cause as SnapshotCause,
      imei,
      model: null,
      jobId,
      vehicle,
      osVersion: null,
      by: '',
      asked: 0,
      silent: 0,
      withGateway: false,
      sha256,
      sizeBytes,
      isOpened: false,
      isDamaged: true
    }
  }

  function textOf(id: string): string {
    return opened.text(id) ?? rows.text(id)
  }

  function read(id: string): { snapshot: SnapshotLine; content: Snapshot } {
    const fromFile = opened.get(id)
    if (fromFile) return fromFile
    const row = rows.get(id)
    if (!row) throw new AppError('NOT_FOUND', message('snapshots.noSuch'))
    const content = contentOf(id)
    return { snapshot: lineOf(content, { id, sha256: row.sha256, sizeBytes: row.sizeBytes, isOpened: false }), content }
  }

  function uptimeAt({ id, takenAt }: StoredSnapshot): UptimeAt {
    const content = orDamaged(() => contentOf(id))
    return { takenAt, uptime: content ? uptimeOf(content) : null }
  }

  return {
    list({ imei, vehicleId, jobId, after, limit }: CallParsed<'snapshots.list'>): CallOutput<'snapshots.list'> {
      const { snapshots, next } = rows.page({ imei, vehicleId, jobId, after, limit })
      return { snapshots: snapshots.map(lineOfRow), next }
    },
    async take({ key, view }: CallParsed<'snapshots.take'>, signal: AbortSignal): Promise<SnapshotLine> {
      const subject = { ...options.find(key), vehicle: null }
      const own = new AbortController()
      views.get(view)?.abort(stopped())
      views.set(view, own)
      try {
        const progress = (done: number, total: number): void =>
          options.events.tell('snapshots.progress', { view, done, total })
        const snapshot = await make(
          subject,
          { cause: 'person', jobId: null },
          { ...byPerson, progress },
          AbortSignal.any([signal, own.signal])
        )
        return lineOfRow(rows.keep(rowOf(snapshot, writeSnapshot(snapshot))))
      } finally {
        if (views.get(view) === own) views.delete(view)
      }
    },
    stop(view: string): void {
      views.get(view)?.abort(stopped())
    },
    /** During a job: at most two requests in parallel, and recent readings of the steps are reused. */
    async makeForJob({ cause, jobId, device, vehicle }: JobSnapshotWish, signal: AbortSignal): Promise<MadeSnapshot> {
      const snapshot = await make({ ...device, vehicle }, { cause, jobId }, besideJob, signal)
      const text = writeSnapshot(snapshot)
      const row = rowOf(snapshot, text)
      const { asked, silent, takenAt } = lineOf(snapshot, { id: '', sha256: '', sizeBytes: 0, isOpened: false })
      return { ...rows.hashOf(text), takenAt, asked, silent, keep: () => void rows.keep(row) }
    },
    read,
    text: textOf,
    diff({ before, after, without }: CallParsed<'snapshots.diff'>): CallOutput<'snapshots.diff'> {
      const sides = [read(before), read(after)] as const
      const [older, younger] = inOrder(
        { ...sides[0], takenAt: sides[0].snapshot.takenAt },
        { ...sides[1], takenAt: sides[1].snapshot.takenAt }
      )
      const { imei } = older.snapshot
      const between =
        imei === null
          ? []
          : rows.between({ imei, fromAt: older.takenAt, untilAt: younger.takenAt, limit: mostBetween }).map(uptimeAt)
      return {
        before: older.snapshot,
        after: younger.snapshot,
        ...compareSnapshots({ before: older.content, after: younger.content, between, without })
      }
    },
    export(id: string): CallOutput<'snapshots.export'> {
      const { snapshot } = read(id)
      const at = snapshot.takenAt.slice(0, 16).replace(/[-:]/g, '').replace('T', '-')
      return { fileName: `snapshot-${snapshot.imei ?? 'device'}-${at}.json`, text: textOf(id), sha256: snapshot.sha256 }
    },
    open(text: string): CallOutput<'snapshots.open'> {
      const file = readSnapshot(text)
      if (file.outcome !== 'read') return { outcome: 'refused', why: file.why }
      return { outcome: 'opened', snapshot: opened.add(file.snapshot, text) }
    },
    installed(imei: string): CallOutput<'snapshots.installed'> {
      const row = rows.installed(imei)
      const found = row && orDamaged(() => read(row.id))
      return { snapshot: found?.snapshot ?? null, content: found?.content ?? null }
    },
    /** The snapshots that the log of a job names, oldest first. */
    ofJob: (jobId: string): { line: SnapshotLine; text: string }[] =>
      rows
        .page({ jobId, after: null, limit: mostOfJob })
        .snapshots.flatMap((row) => orDamaged(() => ({ line: lineOfRow(row), text: rows.text(row.id) })) ?? [])
        .reverse(),
    /** Records that a snapshot for a job has started; the record survives a crash. */
    begin: rows.begin,
    end: rows.end,
    /** Snapshots that were started and did not end. */
    begun: rows.begun,
    /** The stored snapshots of a job, as its log describes them, oldest first. */
    kept: (jobId: string, cause: SnapshotCause): Omit<MadeSnapshot, 'keep'>[] =>
      rows
        .page({ jobId, after: null, limit: mostOfJob })
        .snapshots.map(lineOfRow)
        .filter((line) => line.cause === cause && !line.isDamaged)
        .map(({ sha256, sizeBytes, takenAt, asked, silent }) => ({ sha256, sizeBytes, takenAt, asked, silent }))
        .reverse(),
    /** The file of a snapshot that the log of a job names; null if it is missing here, or was changed. */
    named(jobId: string, sha256: string): string | null {
      const row = rows.ofJob(jobId, sha256)
      return (row && orDamaged(() => rows.text(row.id))) ?? null
    },
    /** The reason why a snapshot that comes with this job is invalid; null if it is valid. */
    refusal: (text: string, jobId: string): Message | null => {
      const came = readOfJob(text, jobId)
      return 'why' in came ? came.why : null
    },
    /** Stores a snapshot that comes with its job; null after success, otherwise the reason why it is invalid. */
    adopt(text: string, jobId: string): Message | null {
      const file = readOfJob(text, jobId)
      if ('why' in file) return file.why
      if (!rows.ofJob(jobId, rows.hashOf(text).sha256)) rows.keep(rowOf(file.snapshot, text))
      return null
    }
  }
}

function readOfJob(text: string, jobId: string): { snapshot: Snapshot } | { why: Message } {
  const file = readSnapshot(text)
  if (file.outcome !== 'read') return file
  return file.snapshot.jobId === jobId ? file : { why: message('snapshots.broken') }
}

function stopped(): AppError {
  return new AppError('CANCELLED', message('snapshots.stopped'))
}
