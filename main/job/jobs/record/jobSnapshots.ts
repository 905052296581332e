import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { JobLogs } from './jobLogs.ts'
import type { BegunSnapshot } from '../../../data/store/jobs/snapshots.ts'
import type { SnapshotPort } from '../engine/ports.ts'
import type { EntryInput } from './journal.ts'
import { untilStored } from '../../../data/store/untilStored.ts'

export interface JobSnapshotsOptions {
  port: SnapshotPort
  logs: Pick<JobLogs, 'load' | 'write'>
  /** After an addition, a signed log is sealed again. */
  written(id: string): Promise<void>
  now(): Date
  /** Resolves when the disk is usable again; undefined when it is. */
  diskUsable?(signal: AbortSignal): Promise<void> | undefined
  reportFault(error: unknown): void
}

type Cause = 'jobStart' | 'signOff'

/** Recent readings of the steps are reused, so that little is left to read when the application closes. */
const graceMs = 5_000

/**
 * Stores snapshots of the device at the job's begin and sign-off, beside the steps: a failure is only noted in the log.
 */
export function createJobSnapshots({ port, logs, written, now, diskUsable, reportFault }: JobSnapshotsOptions) {
  const running = new Map<string, Promise<void>>()
  const ending = new AbortController()

  /** Another program may hold the data file for a while: what was read is written when it is free. */
  const stored = (write: () => unknown): Promise<unknown> => untilStored(write, () => diskUsable?.(ending.signal))

  async function make(id: string, cause: Cause): Promise<void> {
    const { device, vehicle } = logs.load(id)
    let entry: EntryInput<'snapshot'>
    try {
      await stored(() => port.begin({ jobId: id, cause, told: countLogged(id, cause), at: now().toISOString() }))
      const { keep, ...made } = await port.makeForJob(
        { cause, jobId: id, device, vehicle: vehicle && { id: vehicle.id, name: vehicle.name } },
        ending.signal
      )
      // First the file: a log must never name a missing file.
      await stored(() => takesEntries(id) && keep())
      const { sha256, sizeBytes, takenAt, asked, silent } = made
      entry = { cause, takenAt, sha256, sizeBytes, asked, silent, why: null }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const nothing = { sha256: null, sizeBytes: 0, asked: 0, silent: 0 }
      entry = { cause, takenAt: now().toISOString(), ...nothing, why: error.sentence }
    }
    await stored(() => takesEntries(id) && logs.write(id, 'snapshot', null, entry))
    await stored(() => port.end(id, cause))
    if (takesEntries(id)) await written(id)
  }

  function countLogged(id: string, cause: Cause): number {
    return (logs.load(id).snapshots ?? []).filter((one) => one.cause === cause).length
  }

  function logInterrupted({ jobId, cause, told, at }: BegunSnapshot): void {
    if (takesEntries(jobId) && countLogged(jobId, cause) <= told) {
      const named = new Set((logs.load(jobId).snapshots ?? []).map(({ sha256 }) => sha256))
      const unnamed = port.kept(jobId, cause).filter(({ sha256 }) => !named.has(sha256))
      for (const facts of unnamed) logs.write(jobId, 'snapshot', null, { cause, ...facts, why: null })
      // The earlier state of the device cannot be read any more, and must not be made up later.
      if (unnamed.length === 0)
        logs.write(jobId, 'snapshot', null, {
          cause,
          takenAt: at,
          sha256: null,
          sizeBytes: 0,
          asked: 0,
          silent: 0,
          why: message('snapshots.cutOff')
        })
      void written(jobId)
    }
    port.end(jobId, cause)
  }

  function takesEntries(id: string): boolean {
    const { handedOver, state } = logs.load(id)
    return !handedOver && state !== 'cancelled'
  }

  return {
    /** Once at the beginning of a job, and at each sign-off. Runs in the background. */
    begin(id: string, cause: Cause): void {
      const key = `${id} ${cause}`
      const isThere =
        cause === 'jobStart' &&
        (logs.load(id).snapshots ?? []).some((one) => one.cause === 'jobStart' && one.sha256 !== null)
      if (isThere || running.has(key) || ending.signal.aborted) return
      const done = make(id, cause)
        // A log that cannot be written is reported at every other write; nothing here waits for it.
        .catch(reportFault)
        .finally(() => running.delete(key))
      running.set(key, done)
    },
    /**
     * After a restart: interrupted snapshots that were stored are added to the log; for the others, the log gets a
     * note.
     */
    finishInterrupted(canRead: (id: string) => boolean): void {
      for (const begun of port.begun().filter(({ jobId }) => canRead(jobId))) {
        try {
          logInterrupted(begun)
        } catch (error) {
          // The record remains for the next start.
          if (!(error instanceof AppError)) throw error
          reportFault(error)
        }
      }
    },
    /** Resolves when none of these jobs has a running snapshot; without `ids`, when no job has one. */
    async idle(ids?: readonly string[]): Promise<void> {
      await Promise.all(
        [...running].filter(([key]) => !ids || ids.some((id) => key.startsWith(`${id} `))).map(([, done]) => done)
      )
    },
    /** Waits briefly for running snapshots, then cancels them. */
    async stop(): Promise<void> {
      const timer = setTimeout(() => ending.abort(new AppError('CANCELLED', message('snapshots.stopped'))), graceMs)
      await this.idle()
      clearTimeout(timer)
      ending.abort(new AppError('CANCELLED', message('snapshots.stopped')))
    }
  }
}
