import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import type { TransferPlan } from '../../../../preload/contract/job/transfers.ts'
import { hasEnded } from '../../../gateway/waitingWork/transitions.ts'
import { sha256Hex } from '../../../data/store/jobs/seal.ts'
import { applyEntry, plainJson, readJob, summariseJob } from '../record/journal.ts'
import { collectWork } from './collect.ts'
import { linesOf, type Content, type ContentSource } from './content.ts'
import { limits } from './fileForm.ts'
import { contentHere, keptHandover, textOf } from './storedHandover.ts'
import { assertNotThroughTeam, type TransferOptions } from './transferParts.ts'
import { createWhatLeaves } from './whatLeaves.ts'
import { writeFile, type WrittenFile } from './writeFile.ts'
import type { HandedOverOperation } from '../../../gateway/waitingWork/handover/handedOver.ts'

export interface HandoverFile {
  id: string
  file: string
  bytes: number
  jobs: string[]
  /** Gateway work in the handover that has not ended. */
  operations: number
  attachments: number
  /** Pictures that could not be read here. */
  leftOut: number
  /** The jobs were handed over before: the same file was created again. */
  isAgain: boolean
}

/** How the content leaves: in a file, or through the team log. */
interface Delivery {
  write(
    content: Content,
    source: ContentSource
  ): Promise<Pick<WrittenFile, 'sha256' | 'sizeBytes' | 'drop'> & { finish(id: string): Promise<void> }>
  /** Called in the transaction in which the jobs leave. */
  kept(content: Content): void
}

/** The size limit of the team log for one piece of content. */
const mostContentBytes = 60_000_000

export function createLeaving(options: TransferOptions) {
  const { log, handovers, operations, jobs } = options
  const source = contentHere(options)
  const { contentNow, readablePictures } = createWhatLeaves(options)

  /** Hands over jobs: `write` sends their content, then they become inactive here in one transaction with `kept`. */
  async function leaveNow(
    jobIds: readonly string[],
    { to, isThroughTeam }: { to: string; isThroughTeam: boolean },
    { write, kept }: Delivery
  ): Promise<Omit<HandoverFile, 'file' | 'isAgain'>> {
    // Running work ends first; its result is included.
    const release = await operations.keepStill(collectWork({ jobIds, operations, handovers }).left)
    try {
      const readable = await readablePictures(jobIds)
      const { content, leaving, open, leftOut } = contentNow(jobIds, { to, isThroughTeam }, (sha256) =>
        readable.has(sha256)
      )
      const { head } = content
      const entriesOf = new Map(leaving.map(({ jobId, entry }) => [jobId, entry]))
      const withLeaving: ContentSource = {
        ...source,
        entriesUpTo(jobId, seq) {
          const entry = entriesOf.get(jobId)
          return [...source.entriesUpTo(jobId, seq - 1), ...(entry ? [entry] : [])]
        }
      }
      const written = await write(content, withLeaving)
      try {
        options.together(() => {
          // A person may have made a decision, and the gateway may have answered, while the file was written.
          if (!isUnchanged(content.operations, collectWork({ jobIds, operations, handovers }).given))
            throw changedMeanwhile()
          for (const { jobId, before, entry } of leaving) {
            const last = log.journal(jobId).at(-1)
            if (last?.hash !== before.hash) throw changedMeanwhile()
            const [added] = log.append(
              jobId,
              [{ type: entry.type, stepId: null, data: entry.data, at: entry.at }],
              () => {
                const job = readJob(jobId, log.journal(jobId))
                applyEntry(job, entry)
                return summariseJob(job)
              }
            )
            if (added?.hash !== entry.hash) throw changedMeanwhile()
          }
          operations.giveAway(open, message('operations.handedOver', { named: to === '' ? 'no' : 'yes', to }))
          handovers.keep(
            {
              id: head.id,
              direction: 'away',
              at: head.at,
              person: to,
              sha256: written.sha256,
              sizeBytes: written.sizeBytes,
              given: plainJson(content)
            },
            content.jobs.map(({ id, seq, hash }) => ({ jobId: id, seq, hash }))
          )
          kept(content)
        })
        for (const jobId of jobIds) jobs.reread(jobId)
        await written.finish(head.id)
      } finally {
        await written.drop()
      }
      return {
        id: head.id,
        bytes: written.sizeBytes,
        jobs: [...jobIds],
        operations: open.length,
        attachments: content.attachments.length,
        leftOut
      }
    } finally {
      release()
    }
  }

  async function giveNow(
    jobIds: readonly string[],
    to: string,
    file: string,
    signal: AbortSignal
  ): Promise<HandoverFile> {
    const left = await leaveNow(
      jobIds,
      { to, isThroughTeam: false },
      {
        async write(content, from) {
          const written = await writeFile(file, linesOf(content, from), signal)
          const finish = (id: string) =>
            written.finish().catch((cause: unknown) => {
              throw new AppError('CONFLICT', message('transfer.givenNotWritten', { file, id }), { cause })
            })
          return { ...written, finish }
        },
        kept: () => undefined
      }
    )
    return { ...left, file, isAgain: false }
  }

  /** The handover that contains all of these jobs; undefined if one of them is still here. */
  function leftIn(jobIds: readonly string[]): string | undefined {
    const [first] = jobIds
    if (jobIds.length === 1 && first !== undefined && handovers.away(first)) return first
    const ids = new Set(jobIds.map((jobId) => jobs.loaded(jobId).handedOver?.id))
    const [id] = ids
    // A job that was taken over by another laptop is in no handover.
    return ids.size === 1 && id !== '' ? id : undefined
  }

  async function giveAgain(id: string, file: string, signal: AbortSignal): Promise<HandoverFile> {
    assertNotThroughTeam(options, id)
    const { content, sha256 } = keptHandover(options, id)
    const written = await writeFile(file, linesOf(content, source), signal)
    try {
      if (written.sha256 !== sha256) throw new AppError('DATA_UNUSABLE', message('transfer.notTheSame'))
      await written.finish()
    } finally {
      await written.drop()
    }
    const open = content.operations.filter(({ state }) => !hasEnded(state)).length
    return {
      id,
      file,
      bytes: written.sizeBytes,
      jobs: content.jobs.map((job) => job.id),
      operations: open,
      attachments: content.attachments.length,
      leftOut: 0,
      isAgain: true
    }
  }

  return {
    /** The work that would be handed over; throws the reason if the handover is impossible. */
    plan(jobIds: readonly string[]): TransferPlan {
      const { content, open, leftOut } = contentNow(jobIds, { to: '' }, () => true)
      return {
        jobs: jobIds.length,
        operations: content.operations
          .filter(({ id }) => open.includes(id))
          .map(({ id, title, state }) => ({ id, title, state })),
        attachments: content.attachments.length,
        pictureBytes: content.attachments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        leftOut
      }
    },
    /**
     * Hands over jobs in a file with their gateway work; they become inactive here as soon as the file can be taken
     * over. Again for an earlier one.
     */
    async give(
      { jobIds: wanted, to, file }: { jobIds: readonly string[]; to: string; file: string },
      signal: AbortSignal
    ): Promise<HandoverFile> {
      const jobIds = assertFew(wanted)
      const before = leftIn(jobIds)
      if (before !== undefined) return giveAgain(before, file, signal)
      return jobs.whileClosed(jobIds, () => giveNow(jobIds, to.trim().slice(0, 200), file, signal))
    },
    leftIn,
    /**
     * Makes jobs and their work inactive here, in one transaction with `kept`, for an offer through the team log
     * afterwards.
     */
    async leave(
      { jobIds: wanted, to }: { jobIds: readonly string[]; to: string },
      kept: (content: Content) => void
    ): Promise<string> {
      const jobIds = assertFew(wanted)
      const nothing = (): Promise<void> => Promise.resolve()
      const write: Delivery['write'] = (content) => {
        const text = textOf(content)
        if (Buffer.byteLength(text) > mostContentBytes)
          throw new AppError('INVALID_REQUEST', message('transfer.tooLarge'))
        return Promise.resolve({
          sha256: sha256Hex(text),
          sizeBytes: Buffer.byteLength(text),
          finish: nothing,
          drop: nothing
        })
      }
      return (await jobs.whileClosed(jobIds, () => leaveNow(jobIds, { to, isThroughTeam: true }, { write, kept }))).id
    }
  }
}

function assertFew(wanted: readonly string[]): string[] {
  const jobIds = [...new Set(wanted)]
  if (jobIds.length === 0 || jobIds.length > limits.jobs)
    throw new AppError('INVALID_REQUEST', message('transfer.tooMany', { n: limits.jobs }))
  return jobIds
}

function changedMeanwhile(): AppError {
  return new AppError('CONFLICT', message('transfer.changedMeanwhile'), { retryable: true })
}

function isUnchanged(before: readonly HandedOverOperation[], after: readonly HandedOverOperation[]): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}
