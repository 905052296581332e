import { randomInt } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { ulid } from 'ulid'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { TakeOverResult } from '../../../../preload/contract/job/transfers.ts'
import { arrivalOf, type HandedOverOperation } from '../../../gateway/waitingWork/handover/handedOver.ts'
import { titleOfLive } from '../../../gateway/waitingWork/liveKinds.ts'
import { hasEnded } from '../../../gateway/waitingWork/transitions.ts'
import type { WrittenFile as WrittenPicture } from '../../../data/store/jobs/attachmentFiles.ts'
import { sayTakenOver } from '../../../data/store/jobs/jobs.ts'
import type { JournalEntry } from '../../../data/store/jobs/seal.ts'
import { movedHereType } from '../../../data/store/jobs/signature.ts'
import { applyEntry, entryData, ofFolder, readJob, summariseJob } from '../record/journal.ts'
import { limits, type FileHead } from './fileForm.ts'
import { contentHere, keptHandover } from './storedHandover.ts'
import { readFile, type ReadFile } from './readFile.ts'
import { assertNotThroughTeam, type TransferOptions } from './transferParts.ts'
import { whatIsHere } from './whatIsHere.ts'
import { vehicleNameOf } from '../../../../preload/job/vehicleName.ts'

export interface FoundJob {
  jobId: string
  entries: JournalEntry[]
  /** As last reported by its holder. */
  operations: HandedOverOperation[]
  /** Pictures that were found and written, but not stored yet. */
  pictures: { file: WrittenPicture; mediaType: string }[]
  from: string
  reason: string
}

/** Long enough that two laptops that take over the same file at the same moment do not send at the same moment. */
const longestWaitMs = 240_000
/** The possible error of a computer's clock that was never compared with the gateway's. */
const clockMarginMs = 600_000
/** The lost laptop may return, and learns of the takeover within a minute. */
const leastWaitOfLostMs = 60_000

/** Takes over jobs on this laptop: from a file, back from a handover, or from a lost laptop. */
export function createArriving(options: TransferOptions) {
  const { log, handovers, attachments, operations, jobs, snapshots } = options
  const now = options.now ?? (() => new Date())
  const chooseWaitMs = options.chooseWaitMs ?? (() => randomInt(longestWaitMs))
  const source = contentHere(options)

  async function read(file: string, takePicture?: Parameters<typeof readFile>[1]): Promise<ReadFile> {
    try {
      const facts = await stat(file)
      // Reading a pipe may never end.
      if (!facts.isFile()) throw new AppError('INVALID_REQUEST', message('transfer.notRead', { file }))
      if (facts.size > limits.fileBytes) throw new AppError('INVALID_REQUEST', message('transfer.tooLarge'))
      const found = await readFile(createReadStream(file), takePicture)
      const named = found.operations.map((operation) => ({ ...operation, title: titleOf(operation) }))
      for (const { job, text } of found.snapshots) {
        const why = snapshots.refusal(text, job)
        if (why) throw new AppError('INVALID_REQUEST', why.id === 'snapshots.newer' ? why : message('transfer.broken'))
      }
      return { ...found, operations: named }
    } catch (error) {
      if (error instanceof AppError) throw error
      if (!(error instanceof Error && 'code' in error)) throw error
      throw new AppError('INVALID_REQUEST', message('transfer.notRead', { file }), { cause: error })
    }
  }

  /** The titles that a person reads are created from the content of the work, not from the file. */
  function titleOf({ kind, payload, isLive }: HandedOverOperation): Message {
    const made = isLive ? titleOfLive(kind, payload) : operations.titleOf(kind, payload)
    if (!made) throw new AppError('INVALID_REQUEST', message('transfer.broken'))
    return made
  }

  function assertOurKind({ head }: Pick<ReadFile, 'head'>): void {
    if (head.isTraining !== options.isTraining)
      throw new AppError('INVALID_REQUEST', message(head.isTraining ? 'transfer.isTraining' : 'transfer.isReal'))
  }

  function resultOf(
    file: { head: Pick<FileHead, 'id' | 'from' | 'to' | 'at' | 'attachments'> } & Pick<ReadFile, 'jobs' | 'operations'>,
    outcome: TakeOverResult['outcome'],
    taken: readonly string[]
  ): TakeOverResult {
    const { head } = file
    return {
      id: head.id,
      outcome,
      from: head.from,
      to: head.to,
      at: head.at,
      jobs: file.jobs.map(({ id, entries }) => {
        const job = readJob(id, entries)
        return {
          id,
          isTaken: taken.includes(id),
          template: job.template.name,
          device: job.device,
          vehicle: vehicleNameOf(job),
          customer: job.customer,
          state: job.state
        }
      }),
      operations: file.operations.flatMap((operation) => {
        if (hasEnded(operation.state)) return []
        const { id, kind, title } = operation
        return [
          { id, kind, title, state: (taken.length > 0 ? operations.get(id) : undefined)?.state ?? operation.state }
        ]
      }),
      attachments: head.attachments
    }
  }

  /** Continues the log of a job here, with an entry about the takeover. */
  function adopt(
    { id, entries }: Pick<ReadFile['jobs'][number], 'id' | 'entries'>,
    how: { id: string; from: string; at: string; by: string; reason: string | null; isTakenOver?: true }
  ): void {
    const job = readJob(id, entries)
    log.adopt(id, entries, summariseJob(job))
    log.append(
      id,
      [{ type: movedHereType, stepId: null, data: { ...how, ...ofFolder(options.folderMark()) }, at: how.at }],
      ([entry]) => {
        if (entry) applyEntry(job, entry)
        return summariseJob(job)
      }
    )
  }

  /** `isGiversLast`: the giver can send nothing more of it, and nobody else can have received it. */
  function takeRead(
    file: ReadFile,
    { taken, reason, isGiversLast }: { taken: readonly string[]; reason: string | null; isGiversLast: boolean },
    keepPictures: () => void
  ): void {
    const { head } = file
    const at = now().toISOString()
    const arrival = {
      from: head.from,
      givenAtMs: head.gatewayMs ?? Date.parse(head.at) - clockMarginMs,
      arrivedAtMs: Date.parse(at),
      waitMs: chooseWaitMs()
    }
    const coming = file.operations.filter(({ jobId }) => jobId === null || taken.includes(jobId))
    const isAwaited = awaitedIn(file)
    const unsent = isGiversLast ? saidUnsent(file) : new Set<string>()
    options.together(() => {
      for (const job of file.jobs)
        if (taken.includes(job.id)) adopt(job, { id: head.id, from: head.from, at, by: options.technician(), reason })
      keepPictures()
      for (const { job, text } of file.snapshots) {
        if (taken.includes(job) && snapshots.adopt(text, job))
          throw new AppError('INVALID_REQUEST', message('transfer.broken'))
      }
      for (const operation of coming) {
        const present = operations.get(operation.id)
        // Work that has ended here never starts again.
        if (present && present.state !== 'moved' && hasEnded(present.state)) continue
        handovers.putOperation({
          ...operation,
          ...arrivalOf(operation, {
            ...arrival,
            isAwaited: isAwaited(operation),
            isSaidUnsent: unsent.has(operation.id)
          }),
          updatedAt: at
        })
      }
      handovers.keep(
        {
          id: head.id,
          direction: 'here',
          at,
          person: head.from,
          sha256: file.sha256,
          sizeBytes: file.sizeBytes,
          given: null
        },
        file.jobs.map(({ id, entries }) => ({
          jobId: id,
          seq: entries.at(-1)?.seq ?? 0,
          hash: entries.at(-1)?.hash ?? ''
        }))
      )
    })
    for (const id of taken) jobs.reread(id)
    operations.moved(coming.map(({ id }) => id))
  }

  function back(
    id: string,
    { reason, isGiversLast, except = [] }: { reason: string | null; isGiversLast: boolean; except?: readonly string[] },
    kept: () => void
  ): TakeOverResult {
    const { content, sha256, sizeBytes } = keptHandover(options, id)
    const file: ReadFile = {
      head: content.head,
      sha256,
      sizeBytes,
      jobs: content.jobs.map((job) => ({ id: job.id, entries: source.entriesUpTo(job.id, job.seq) })),
      operations: content.operations,
      attachments: content.attachments,
      snapshots: []
    }
    const { outcome, taken: found } = whatIsHere(file, (job) => log.journal(job))
    const taken = found.filter((job) => !except.includes(job))
    takeRead(file, { taken, reason, isGiversLast }, kept)
    return resultOf(file, outcome, taken)
  }

  /** Takes over the log of a job from a lost laptop, in one transaction with `kept`. */
  function takeOver(
    { jobId, entries, operations: given, pictures, from, reason }: FoundJob,
    kept: () => void
  ): TakeOverResult {
    const at = now().toISOString()
    const id = ulid()
    const waitMs = leastWaitOfLostMs + chooseWaitMs()
    options.together(() => {
      adopt({ id: jobId, entries }, { id, from, at, by: options.technician(), reason, isTakenOver: true })
      for (const { file, mediaType } of pictures) attachments.keep({ jobId, file, mediaType, at })
      for (const operation of given) {
        const present = operations.get(operation.id)
        if (present && present.state !== 'moved') continue
        // If the lost laptop still sent this work, it did so after the work was created.
        const arrival = {
          from,
          givenAtMs: Date.parse(operation.createdAt) - clockMarginMs,
          arrivedAtMs: Date.parse(at),
          waitMs,
          isFromLost: true
        }
        handovers.putOperation({ ...operation, ...arrivalOf(operation, arrival), updatedAt: at })
      }
      const last = entries.at(-1)
      handovers.keep({ id, direction: 'here', at, person: from, sha256: last?.hash ?? '', sizeBytes: 0, given: null }, [
        { jobId, seq: last?.seq ?? 0, hash: last?.hash ?? '' }
      ])
      kept()
    })
    jobs.reread(jobId)
    operations.moved(given.map((operation) => operation.id))
    const head = { id, from, to: '', at, attachments: pictures.length }
    return resultOf({ head, jobs: [{ id: jobId, entries }], operations: given }, 'taken', [jobId])
  }

  return {
    /** The content of a file, and what a takeover would do; nothing is written. */
    async look(file: string): Promise<TakeOverResult> {
      const found = await read(file)
      assertOurKind(found)
      const { outcome } = whatIsHere(found, (id) => log.journal(id))
      return resultOf(found, outcome, [])
    },
    /** Takes over the content of a file. A second time changes nothing. */
    async take(file: string): Promise<TakeOverResult> {
      const first = await read(file)
      assertOurKind(first)
      const { outcome, taken } = whatIsHere(first, (id) => log.journal(id))
      if (taken.length === 0) return resultOf(first, outcome, [])
      const keep: (() => void)[] = []
      const found = await read(file, async ({ sha256, mediaType, keptAt, jobs: holders }, bytes) => {
        if (!first.attachments.some((one) => one.sha256 === sha256))
          throw new AppError('INVALID_REQUEST', message('transfer.broken'))
        const kept = await attachments.write(bytes)
        keep.push(() =>
          holders
            .filter((jobId) => taken.includes(jobId))
            .forEach((jobId) => attachments.keep({ jobId, file: kept, mediaType, at: keptAt }))
        )
      })
      if (found.sha256 !== first.sha256) throw new AppError('INVALID_REQUEST', message('transfer.broken'))
      // Entries may have been added while the pictures were read.
      const still = whatIsHere(found, (id) => log.journal(id))
      if (still.outcome !== outcome || still.taken.length !== taken.length)
        throw new AppError('CONFLICT', message('transfer.changedMeanwhile'), { retryable: true })
      // Whoever takes back its own file does not know who else has it.
      takeRead(found, { taken, reason: null, isGiversLast: outcome === 'taken' }, () => keep.forEach((one) => one()))
      return resultOf(found, outcome, taken)
    },
    /** Takes back a handover without its file: allowed only if nobody has taken it over. */
    async takeBack(jobId: string, reason: string): Promise<TakeOverResult> {
      const { id, takenOver } = jobs.loaded(jobId).handedOver ?? {}
      if (id === undefined) throw new AppError('INVALID_REQUEST', message('transfer.isHere'))
      if (takenOver) throw new AppError('CONFLICT', sayTakenOver(takenOver))
      if (reason.trim().length < 3) throw new AppError('INVALID_REQUEST', message('transfer.reasonNeeded'))
      assertNotThroughTeam(options, id)
      return back(id, { reason: reason.trim(), isGiversLast: false }, () => undefined)
    },
    /** Takes back what certainly nobody has taken over, except `except`, in one transaction with `kept`. */
    comeBack: (id: string, kept: () => void, except: readonly string[] = []): TakeOverResult =>
      back(id, { reason: null, isGiversLast: true, except }, kept),
    takeOver
  }
}

/** The work that was never sent, as the logs of the jobs say: a file alone could leave attempts out. */
function saidUnsent({ jobs }: Pick<ReadFile, 'jobs'>): Set<string> {
  return new Set(jobs.flatMap(({ entries }) => entryData.movedAway.safeParse(entries.at(-1)?.data).data?.unsent ?? []))
}

/**
 * Whether anything in the file depends on this work: a step that waits for the gateway, or other work that needs it.
 */
function awaitedIn({
  jobs,
  operations
}: Pick<ReadFile, 'jobs' | 'operations'>): (operation: HandedOverOperation) => boolean {
  const open = new Set(
    jobs
      .filter(({ id, entries }) => readJob(id, entries).steps.some(({ state }) => state === 'deferred'))
      .map(({ id }) => id)
  )
  const needed = new Set(
    operations.filter(({ state }) => !hasEnded(state)).flatMap(({ needs }) => needs.map(({ id }) => id))
  )
  return ({ id, jobId }) => needed.has(id) || (jobId !== null && open.has(jobId))
}
