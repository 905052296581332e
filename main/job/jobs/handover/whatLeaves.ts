import { setImmediate } from 'node:timers/promises'
import { ulid } from 'ulid'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { isNeverSent } from '../../../gateway/waitingWork/handover/handedOver.ts'
import { sealEntry, verifyChain, type JournalEntry } from '../../../data/store/jobs/seal.ts'
import { movedAwayType } from '../../../data/store/jobs/signature.ts'
import { collectWork } from './collect.ts'
import type { Content } from './content.ts'
import { fileVersion, limits, type FileHead } from './fileForm.ts'
import type { TransferOptions } from './transferParts.ts'

/** A line is longer than the text in it, but less than twice as long. */
const mostSnapshotBytes = limits.snapshotBytes / 2

export interface WhatLeaves {
  content: Content
  /** The handover entry of each job, and the entry before it; not written yet. */
  leaving: { jobId: string; before: JournalEntry; entry: JournalEntry }[]
  /** Gateway work that has not ended. */
  open: string[]
  /** Pictures that cannot be read here. */
  leftOut: number
}

export function createWhatLeaves(options: TransferOptions) {
  const { log, handovers, attachments, operations, jobs, snapshots } = options
  const now = options.now ?? (() => new Date())

  /**
   * The stored snapshots that the logs name, latest first. They never prevent a handover: a damaged or surplus one is
   * left out.
   */
  function snapshotsOf(jobIds: readonly string[]): Content['snapshots'] {
    let leftBytes = mostSnapshotBytes
    return jobIds.flatMap((jobId) => {
      const named = new Set((jobs.loaded(jobId).snapshots ?? []).flatMap(({ sha256 }) => sha256 ?? []))
      const leaving = [...named]
        .reverse()
        .slice(0, limits.snapshotsOfJob)
        .flatMap((sha256) => {
          const text = snapshots.ofJob(jobId, sha256)
          const sizeBytes = text === null ? Infinity : Buffer.byteLength(text)
          if (sizeBytes > leftBytes) return []
          leftBytes -= sizeBytes
          return [{ job: jobId, sha256, sizeBytes }]
        })
      // In the order of the log.
      return leaving.reverse()
    })
  }

  /** The current content of the handover; the entries about it are not written yet. */
  function contentNow(
    jobIds: readonly string[],
    { to, isThroughTeam = false }: { to: string; isThroughTeam?: boolean },
    isReadable: (sha256: string) => boolean
  ): WhatLeaves {
    const at = now().toISOString()
    const id = ulid()
    const { given, left } = collectWork({ jobIds, operations, handovers })
    const neverSent = given.filter(isNeverSent)
    const leaving = jobIds.map((jobId) => {
      const entries = log.journal(jobId)
      const last = entries.at(-1)
      if (!last) throw new AppError('NOT_FOUND', message('jobs.notInLog', { id: jobId }))
      // A file that nobody could take over would mean that the job is lost.
      if (!verifyChain(jobId, entries).ok || jobs.loaded(jobId).damage)
        throw new AppError('DATA_UNUSABLE', message('transfer.logDamaged', { job: jobId }))
      const unsent = neverSent
        .filter((operation) => operation.jobId === null || operation.jobId === jobId)
        .map((operation) => operation.id)
      const data = {
        id,
        to,
        at,
        ...(isThroughTeam ? { through: 'team' } : {}),
        ...(unsent.length > 0 ? { unsent } : {})
      }
      return {
        jobId,
        before: last,
        entry: sealEntry(last.hash, { seq: last.seq + 1, at, type: movedAwayType, stepId: null, data })
      }
    })
    const pictures = new Map<string, Content['attachments'][number]>()
    let leftOut = 0
    for (const jobId of jobIds) {
      for (const { sha256, mediaType, sizeBytes, keptAt } of attachments.ofJob(jobId)) {
        const known = pictures.get(sha256)
        if (known) known.jobs.push(jobId)
        else if (isReadable(sha256))
          pictures.set(sha256, { sha256, mediaType: mediaType as 'image/jpeg', sizeBytes, keptAt, jobs: [jobId] })
        else leftOut += 1
      }
    }
    const difference = options.clockDifferenceMs()
    const seen = snapshotsOf(jobIds)
    const head: FileHead = {
      fitter: 'handover',
      version: fileVersion,
      id,
      at,
      gatewayMs: difference === null ? null : Math.round(now().getTime() + difference),
      from: options.technician().slice(0, 200),
      to,
      isTraining: options.isTraining,
      jobs: jobIds.length,
      operations: given.length,
      attachments: pictures.size,
      snapshots: seen.length
    }
    const content: Content = {
      head,
      jobs: leaving.map(({ jobId, entry }) => ({ id: jobId, seq: entry.seq, hash: entry.hash })),
      operations: given,
      attachments: [...pictures.values()],
      snapshots: seen
    }
    return { content, leaving, open: left, leftOut }
  }

  /** One picture after the other, because code that watches an output must run first. */
  async function readablePictures(jobIds: readonly string[]): Promise<Set<string>> {
    const readable = new Set<string>()
    for (const { sha256 } of jobIds.flatMap((jobId) => attachments.ofJob(jobId))) {
      try {
        if (!readable.has(sha256)) attachments.read(sha256)
        readable.add(sha256)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
      }
      await setImmediate()
    }
    return readable
  }

  return { contentNow, readablePictures }
}
