import { createReadStream } from 'node:fs'
import { randomInt } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { ulid } from 'ulid'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { TransferPlan, Taken } from '../../../preload/contract/transfers.ts'
import type { Operations } from '../../operations/engine.ts'
import { arrived, type GivenOperation } from '../../operations/given.ts'
import { hasEnded } from '../../operations/states.ts'
import type { WrittenFile as WrittenPicture } from '../../store/attachmentFiles.ts'
import type { AttachmentStore } from '../../store/attachments.ts'
import type { HandoverStore } from '../../store/handovers.ts'
import { sayTakenOver, type JobStore } from '../../store/jobs.ts'
import { sealEntry, sha256Hex, verifyChain, type JournalEntry } from '../../store/seal.ts'
import { movedAwayType, movedHereType } from '../../store/signature.ts'
import type { Jobs } from '../jobCalls.ts'
import { applyEntry, readJob, summarise } from '../journal.ts'
import { collect } from './collect.ts'
import { keptContent, linesOf, type Content, type ContentSource } from './content.ts'
import { fileVersion, limits, versionWithoutSnapshots, type FileHead } from './fileForm.ts'
import { isUnchanged } from './isUnchanged.ts'
import { readFile, type ReadFile } from './readFile.ts'
import { whatIsHere } from './whatIsHere.ts'
import { writeFile, type WrittenFile } from './writeFile.ts'

export interface TransferOptions {
  log: Pick<JobStore, 'journal' | 'append' | 'adopt'>
  /** Whether a handover went through the team log: no file of it is made, and nobody takes it back without asking there. */
  isThroughTeam?(id: string): boolean
  handovers: HandoverStore
  attachments: AttachmentStore
  snapshots: TransferSnapshots
  operations: Operations
  jobs: Pick<Jobs, 'whileClosed' | 'loaded' | 'reread'>
  together<T>(work: () => T): T
  technician(): string
  isTraining: boolean
  clockDifferenceMs(): number | null
  now?: () => Date
  /** How long an arrival waits beside the grace time, by chance. */
  chooseWaitMs?: () => number
}

/** Snapshots of jobs, as they go and come with them. */
export interface TransferSnapshots {
  /** The file of one of this job; null where it is not here, or not as it was kept. */
  ofJob(jobId: string, sha256: string): string | null
  /** What is wrong with one that came with this job; null when nothing is. */
  refusal(text: string, jobId: string): Message | null
  /** Keeps one that came along with its job; null when it did. */
  adopt(text: string, jobId: string): Message | null
}

export interface Given {
  id: string
  file: string
  bytes: number
  jobs: string[]
  /** Gateway work that went along and has not ended. */
  operations: number
  attachments: number
  /** Pictures that could not be read here. */
  leftOut: number
  /** It had left before: the same file was made once more. */
  isAgain: boolean
}

/** Work that goes from one laptop to another in a file. */
export interface Transfers {
  /** What would go along; throws what keeps it from leaving. */
  plan(jobIds: readonly string[]): TransferPlan
  /**
   * Hands jobs over in a file, with all their gateway work that has not left: in the instant in which they may be taken over
   * from it, they are inert here. Of jobs that left already, or of the id of a handover, the same file is made again.
   */
  give(input: { jobIds: readonly string[]; to: string; file: string }, signal: AbortSignal): Promise<Given>
  /** What a file holds, and what taking it over would do; nothing is written. */
  look(file: string): Promise<Taken>
  /** Takes over what a file holds. The second time it does nothing. */
  take(file: string): Promise<Taken>
  /** Takes back what was handed over, without its file: nobody may have taken it over meanwhile. */
  takeBack(jobId: string, reason: string): Promise<Taken>
  /** The handover with which all of these left; undefined when one of them is here. */
  leftIn(jobIds: readonly string[]): string | undefined
  /** Makes jobs and their work inert here, in one transaction with `kept`, to be offered through the team log afterwards. */
  leave(leaving: { jobIds: readonly string[]; to: string }, kept: (content: Content) => void): Promise<string>
  /** What a handover holds beside logs and pictures, as the text that was hashed. */
  content(id: string): { content: Content; text: string; sha256: string }
  /** Takes all of a handover back that surely nobody has, in one transaction with `kept`. */
  comeBack(id: string, kept: () => void): Taken
  /** Takes over the log of a job whose holder is lost, in one transaction with `kept`. */
  takeOver(job: FoundJob, kept: () => void): Taken
}

/** A job whose holder is lost, as the team log has it. */
export interface FoundJob {
  jobId: string
  entries: JournalEntry[]
  /** As its holder told them last. */
  operations: GivenOperation[]
  /** Those that were found, written and not yet kept. */
  pictures: { file: WrittenPicture; mediaType: string }[]
  from: string
  reason: string
}

interface Way {
  write(content: Content, source: ContentSource): Promise<Pick<WrittenFile, 'sha256' | 'sizeBytes' | 'drop'> & { finish(id: string): Promise<void> }>
  kept(content: Content): void
}

/** Long enough for two that take the same file over at the same moment not to send at the same moment. */
const longestWaitMs = 240_000
/** How wrong the clock of a computer may be that never heard the gateway's. */
const clockMarginMs = 600_000

/** The lost one may come back, and is told within a minute of it. */
const leastWaitOfLostMs = 60_000
/** What the team log takes as one piece of content. */
const mostContentBytes = 60_000_000

/** A line is longer than the text in it, but not twice as long. */
const mostSnapshotBytes = limits.snapshotBytes / 2

export function createTransfers(options: TransferOptions): Transfers {
  const { log, handovers, attachments, operations, jobs, snapshots } = options
  const now = options.now ?? (() => new Date())
  const chooseWaitMs = options.chooseWaitMs ?? (() => randomInt(longestWaitMs))
  const source: ContentSource = {
    entriesUpTo: (jobId, seq) => log.journal(jobId).filter((entry) => entry.seq <= seq),
    *pieces(sha256) {
      for (let number = 0; ; number += 1) {
        const piece = attachments.piece(sha256, number)
        if (!piece) return
        yield piece
      }
    },
    snapshot: (jobId, sha256) => snapshots.ofJob(jobId, sha256)
  }

  /**
   * Those that the logs name and that are here as they were kept, the newest of each job first. They never keep a job from
   * leaving: one that is damaged, or one too many for a file, stays a word of the log.
   */
  function snapshotsOf(jobIds: readonly string[]): Content['snapshots'] {
    let leftBytes = mostSnapshotBytes
    return jobIds.flatMap((jobId) => {
      const named = new Set((jobs.loaded(jobId).snapshots ?? []).flatMap(({ sha256 }) => sha256 ?? []))
      const leaving = [...named].reverse().slice(0, limits.snapshotsOfJob).flatMap((sha256) => {
        const text = snapshots.ofJob(jobId, sha256)
        const sizeBytes = text === null ? Infinity : Buffer.byteLength(text)
        if (sizeBytes > leftBytes) return []
        leftBytes -= sizeBytes
        return [{ job: jobId, sha256, sizeBytes }]
      })
      // They are kept in the order in which they come: that of the log.
      return leaving.reverse()
    })
  }

  /** What is there to be handed over now; the entries that say so are not written yet. */
  function contentNow(jobIds: readonly string[], { to, isThroughTeam = false }: { to: string; isThroughTeam?: boolean }, isReadable: (sha256: string) => boolean) {
    const at = now().toISOString()
    const id = ulid()
    const leaving = jobIds.map((jobId) => {
      const entries = log.journal(jobId)
      const last = entries.at(-1)
      if (!last) throw new AppError('NOT_FOUND', message('jobs.notInLog', { id: jobId }))
      // A file that nobody can take would be the end of it.
      if (!verifyChain(jobId, entries).ok || jobs.loaded(jobId).damage) throw new AppError('DATA_UNUSABLE', message('transfer.logDamaged', { job: jobId }))
      return { jobId, before: last, entry: sealEntry(last.hash, { seq: last.seq + 1, at, type: movedAwayType, stepId: null, data: { id, to, at, ...(isThroughTeam ? { through: 'team' } : {}) } }) }
    })
    const { given, left } = collect({ jobIds, operations, handovers })
    const pictures = new Map<string, Content['attachments'][number]>()
    let leftOut = 0
    for (const jobId of jobIds) {
      for (const { sha256, mediaType, sizeBytes, keptAt } of attachments.ofJob(jobId)) {
        const known = pictures.get(sha256)
        if (known) known.jobs.push(jobId)
        else if (isReadable(sha256)) pictures.set(sha256, { sha256, mediaType: mediaType as 'image/jpeg', sizeBytes, keptAt, jobs: [jobId] })
        else leftOut += 1
      }
    }
    const difference = options.clockDifferenceMs()
    const seen = snapshotsOf(jobIds)
    const about = {
      id,
      at,
      gatewayMs: difference === null ? null : Math.round(now().getTime() + difference),
      from: options.technician().slice(0, 200),
      to,
      isTraining: options.isTraining,
      jobs: jobIds.length,
      operations: given.length,
      attachments: pictures.size
    }
    const head: FileHead =
      seen.length > 0
        ? { fitter: 'handover', version: fileVersion, ...about, snapshots: seen.length }
        : { fitter: 'handover', version: versionWithoutSnapshots, ...about }
    const content: Content = {
      head,
      jobs: leaving.map(({ jobId, entry }) => ({ id: jobId, seq: entry.seq, hash: entry.hash })),
      operations: given,
      attachments: [...pictures.values()],
      snapshots: seen
    }
    return { content, leaving, open: left, leftOut }
  }

  /** One picture after the other: whoever watches an output goes first. */
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

  /** Lets jobs leave: what they are goes out by `write`, and in one transaction with `kept` they are inert here. */
  async function leaveNow(jobIds: readonly string[], { to, isThroughTeam }: { to: string; isThroughTeam: boolean }, { write, kept }: Way): Promise<Omit<Given, 'file' | 'bytes' | 'isAgain'> & { bytes: number }> {
    // What is under way ends first; what has become of it then is what goes.
    const letGo = await operations.keepStill(collect({ jobIds, operations, handovers }).left)
    try {
      const readable = await readablePictures(jobIds)
      const { content, leaving, open, leftOut } = contentNow(jobIds, { to, isThroughTeam }, (sha256) => readable.has(sha256))
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
          // A person may have decided, and the gateway may have answered, while the file was written.
          if (!isUnchanged(content.operations, collect({ jobIds, operations, handovers }).given)) throw changedMeanwhile()
          for (const { jobId, before, entry } of leaving) {
            const last = log.journal(jobId).at(-1)
            if (last?.hash !== before.hash) throw changedMeanwhile()
            const [added] = log.append(jobId, [{ type: entry.type, stepId: null, data: entry.data, at: entry.at }], () => {
              const job = readJob(jobId, log.journal(jobId))
              applyEntry(job, entry)
              return summarise(job)
            })
            if (added?.hash !== entry.hash) throw changedMeanwhile()
          }
          operations.giveAway(open, message('operations.handedOver', { named: to === '' ? 'no' : 'yes', to }))
          handovers.keep(
            { id: head.id, direction: 'away', at: head.at, person: to, sha256: written.sha256, sizeBytes: written.sizeBytes, given: JSON.parse(JSON.stringify(content)) as never },
            content.jobs.map(({ id, seq, hash }) => ({ jobId: id, seq, hash }))
          )
          kept(content)
        })
        for (const jobId of jobIds) jobs.reread(jobId)
        await written.finish(head.id)
      } finally {
        await written.drop()
      }
      return { id: head.id, bytes: written.sizeBytes, jobs: [...jobIds], operations: open.length, attachments: content.attachments.length, leftOut }
    } finally {
      letGo()
    }
  }

  async function giveNow(jobIds: readonly string[], to: string, file: string, signal: AbortSignal): Promise<Given> {
    const left = await leaveNow(jobIds, { to, isThroughTeam: false }, {
      async write(content, from) {
        const written = await writeFile(file, linesOf(content, from), signal)
        const finish = (id: string) =>
          written.finish().catch((cause: unknown) => {
            throw new AppError('CONFLICT', message('transfer.givenNotWritten', { file, id }), { cause })
          })
        return { ...written, finish }
      },
      kept: () => undefined
    })
    return { ...left, file, isAgain: false }
  }

  /** Somebody may take it there at any moment: only there it is taken back. */
  function assertNotThroughTeam(id: string): void {
    if (options.isThroughTeam?.(id)) throw new AppError('CONFLICT', message('teamHolding.isInTeamLog', { id }))
  }

  /** The handover in which all of these left. */
  function leftIn(jobIds: readonly string[]): string | undefined {
    const [first] = jobIds
    if (jobIds.length === 1 && first !== undefined && handovers.away(first)) return first
    const ids = new Set(jobIds.map((jobId) => jobs.loaded(jobId).handedOver?.id))
    const [id] = ids
    // One that was taken over left with no handover.
    return ids.size === 1 && id !== '' ? id : undefined
  }

  function contentOf(id: string) {
    const kept = handovers.away(id)
    const read = keptContent.safeParse(kept?.given)
    if (!kept || !read.success) throw new AppError('DATA_UNUSABLE', message('store.damaged'))
    return { kept, content: read.data }
  }

  async function giveAgain(id: string, file: string, signal: AbortSignal): Promise<Given> {
    assertNotThroughTeam(id)
    const { kept, content } = contentOf(id)
    const written = await writeFile(file, linesOf(content, source), signal)
    try {
      if (written.sha256 !== kept.sha256) throw new AppError('DATA_UNUSABLE', message('transfer.notTheSame'))
      await written.finish()
    } finally {
      await written.drop()
    }
    const open = content.operations.filter(({ state }) => !hasEnded(state)).length
    return { id, file, bytes: written.sizeBytes, jobs: content.jobs.map((job) => job.id), operations: open, attachments: content.attachments.length, leftOut: 0, isAgain: true }
  }

  async function read(file: string, takePicture?: Parameters<typeof readFile>[1]): Promise<ReadFile> {
    try {
      const facts = await stat(file)
      // A pipe may never end.
      if (!facts.isFile()) throw new AppError('INVALID_REQUEST', message('transfer.notRead', { file }))
      if (facts.size > limits.fileBytes) throw new AppError('INVALID_REQUEST', message('transfer.tooLarge'))
      const found = await readFile(createReadStream(file), takePicture)
      for (const { job, text } of found.snapshots) {
        const why = snapshots.refusal(text, job)
        if (why) throw new AppError('INVALID_REQUEST', why.id === 'snapshots.newer' ? why : message('transfer.broken'))
      }
      return found
    } catch (error) {
      if (error instanceof AppError) throw error
      if (!(error instanceof Error && 'code' in error)) throw error
      throw new AppError('INVALID_REQUEST', message('transfer.notRead', { file }), { cause: error })
    }
  }

  function assertOurKind({ head }: Pick<ReadFile, 'head'>): void {
    if (head.isTraining !== options.isTraining) throw new AppError('INVALID_REQUEST', message(head.isTraining ? 'transfer.isTraining' : 'transfer.isReal'))
  }

  /** What became of each job of a file, and of the work that came along. */
  function told(file: { head: Pick<FileHead, 'id' | 'from' | 'to' | 'at' | 'attachments'> } & Pick<ReadFile, 'jobs' | 'operations'>, outcome: Taken['outcome'], taken: readonly string[]): Taken {
    const { head } = file
    return {
      id: head.id,
      outcome,
      from: head.from,
      to: head.to,
      at: head.at,
      jobs: file.jobs.map(({ id, entries }) => {
        const job = readJob(id, entries)
        return { id, isTaken: taken.includes(id), template: job.template.name, device: job.device, vehicle: job.vehicle?.name ?? job.vehicleText, customer: job.customer, state: job.state }
      }),
      operations: file.operations.flatMap((operation) => {
        if (hasEnded(operation.state)) return []
        const { id, kind, title } = operation
        return [{ id, kind, title, state: (taken.length > 0 ? operations.get(id) : undefined)?.state ?? operation.state }]
      }),
      attachments: head.attachments
    }
  }

  function takeRead(file: ReadFile, taken: readonly string[], reason: string | null, keepPictures: () => void): void {
    const { head } = file
    const at = now().toISOString()
    const arrival = { from: head.from, givenAtMs: head.gatewayMs ?? Date.parse(head.at) - clockMarginMs, waitMs: chooseWaitMs() }
    const coming = file.operations.filter(({ jobId }) => jobId === null || taken.includes(jobId))
    options.together(() => {
      for (const { id, entries } of file.jobs.filter((job) => taken.includes(job.id))) {
        const job = readJob(id, entries)
        log.adopt(id, entries, summarise(job))
        log.append(id, [{ type: movedHereType, stepId: null, data: { id: head.id, from: head.from, at, by: options.technician(), reason }, at }], ([entry]) => {
          if (entry) applyEntry(job, entry)
          return summarise(job)
        })
      }
      keepPictures()
      for (const { job, text } of file.snapshots) {
        if (taken.includes(job) && snapshots.adopt(text, job)) throw new AppError('INVALID_REQUEST', message('transfer.broken'))
      }
      for (const operation of coming) {
        const present = operations.get(operation.id)
        // What has ended here has ended: nothing that comes makes it begin anew.
        if (present && present.state !== 'moved' && hasEnded(present.state)) continue
        handovers.putOperation({ ...operation, ...arrived(operation, arrival), updatedAt: at })
      }
      handovers.keep({ id: head.id, direction: 'here', at, person: head.from, sha256: file.sha256, sizeBytes: file.sizeBytes, given: null }, file.jobs.map(({ id, entries }) => ({ jobId: id, seq: entries.at(-1)?.seq ?? 0, hash: entries.at(-1)?.hash ?? '' })))
    })
    for (const id of taken) jobs.reread(id)
    operations.moved(coming.map(({ id }) => id))
  }

  return {
    plan(jobIds) {
      const { content, open, leftOut } = contentNow(jobIds, { to: '' }, () => true)
      return {
        jobs: jobIds.length,
        operations: content.operations.filter(({ id }) => open.includes(id)).map(({ id, title, state }) => ({ id, title, state })),
        attachments: content.attachments.length,
        pictureBytes: content.attachments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        leftOut
      }
    },
    async give({ jobIds: wanted, to, file }, signal) {
      const jobIds = assertFew(wanted)
      const before = leftIn(jobIds)
      if (before !== undefined) return giveAgain(before, file, signal)
      return jobs.whileClosed(jobIds, () => giveNow(jobIds, to.trim().slice(0, 200), file, signal))
    },
    async look(file) {
      const found = await read(file)
      assertOurKind(found)
      const { outcome } = whatIsHere(found, (id) => log.journal(id))
      return told(found, outcome, [])
    },
    async take(file) {
      const first = await read(file)
      assertOurKind(first)
      const { outcome, taken } = whatIsHere(first, (id) => log.journal(id))
      if (taken.length === 0) return told(first, outcome, [])
      const keep: (() => void)[] = []
      const found = await read(file, async ({ sha256, mediaType, keptAt, jobs: holders }, bytes) => {
        if (!first.attachments.some((one) => one.sha256 === sha256)) throw new AppError('INVALID_REQUEST', message('transfer.broken'))
        const kept = await attachments.write(bytes)
        keep.push(() => holders.filter((jobId) => taken.includes(jobId)).forEach((jobId) => attachments.keep({ jobId, file: kept, mediaType, at: keptAt })))
      })
      if (found.sha256 !== first.sha256) throw new AppError('INVALID_REQUEST', message('transfer.broken'))
      // The log may have gone on while the pictures were read.
      const still = whatIsHere(found, (id) => log.journal(id))
      if (still.outcome !== outcome || still.taken.length !== taken.length) throw new AppError('CONFLICT', message('transfer.changedMeanwhile'), { retryable: true })
      takeRead(found, taken, null, () => keep.forEach((one) => one()))
      return told(found, outcome, taken)
    },
    async takeBack(jobId, reason) {
      const { id, takenOver } = jobs.loaded(jobId).handedOver ?? {}
      if (id === undefined) throw new AppError('INVALID_REQUEST', message('transfer.isHere'))
      if (takenOver) throw new AppError('CONFLICT', sayTakenOver(takenOver))
      if (reason.trim().length < 3) throw new AppError('INVALID_REQUEST', message('transfer.reasonNeeded'))
      assertNotThroughTeam(id)
      return back(id, reason.trim(), () => undefined)
    },
    leftIn,
    async leave({ jobIds: wanted, to }, kept) {
      const jobIds = assertFew(wanted)
      const nothing = (): Promise<void> => Promise.resolve()
      const write: Way['write'] = (content) => {
        const text = textOf(content)
        if (Buffer.byteLength(text) > mostContentBytes) throw new AppError('INVALID_REQUEST', message('transfer.tooLarge'))
        return Promise.resolve({ sha256: sha256Hex(text), sizeBytes: Buffer.byteLength(text), finish: nothing, drop: nothing })
      }
      return (await jobs.whileClosed(jobIds, () => leaveNow(jobIds, { to, isThroughTeam: true }, { write, kept }))).id
    },
    content(id) {
      const { kept, content } = contentOf(id)
      const text = textOf(content)
      if (sha256Hex(text) !== kept.sha256) throw new AppError('DATA_UNUSABLE', message('transfer.notTheSame'))
      return { content, text, sha256: kept.sha256 }
    },
    comeBack: (id, kept) => back(id, null, kept),
    takeOver
  }

  function assertFew(wanted: readonly string[]): string[] {
    const jobIds = [...new Set(wanted)]
    if (jobIds.length === 0 || jobIds.length > limits.jobs) throw new AppError('INVALID_REQUEST', message('transfer.tooMany', { n: limits.jobs }))
    return jobIds
  }

  function back(id: string, reason: string | null, kept: () => void): Taken {
    const { kept: handover, content } = contentOf(id)
    const file: ReadFile = { head: content.head, sha256: handover.sha256, sizeBytes: handover.sizeBytes, jobs: content.jobs.map((job) => ({ id: job.id, entries: source.entriesUpTo(job.id, job.seq) })), operations: content.operations, attachments: content.attachments, snapshots: [] }
    const { outcome, taken } = whatIsHere(file, (job) => log.journal(job))
    takeRead(file, taken, reason, kept)
    return told(file, outcome, taken)
  }

  function takeOver({ jobId, entries, operations: given, pictures, from, reason }: FoundJob, kept: () => void): Taken {
    const at = now().toISOString()
    const id = ulid()
    const waitMs = leastWaitOfLostMs + chooseWaitMs()
    options.together(() => {
      const job = readJob(jobId, entries)
      log.adopt(jobId, entries, summarise(job))
      log.append(jobId, [{ type: movedHereType, stepId: null, data: { id, from, at, by: options.technician(), reason, isTakenOver: true }, at }], ([entry]) => {
        if (entry) applyEntry(job, entry)
        return summarise(job)
      })
      for (const { file, mediaType } of pictures) attachments.keep({ jobId, file, mediaType, at })
      for (const operation of given) {
        const present = operations.get(operation.id)
        if (present && present.state !== 'moved') continue
        // Whatever the lost one still sent, it was after it was wanted.
        const arrival = { from, givenAtMs: Date.parse(operation.createdAt) - clockMarginMs, waitMs, isFromLost: true }
        handovers.putOperation({ ...operation, ...arrived(operation, arrival), updatedAt: at })
      }
      const last = entries.at(-1)
      handovers.keep({ id, direction: 'here', at, person: from, sha256: last?.hash ?? '', sizeBytes: 0, given: null }, [{ jobId, seq: last?.seq ?? 0, hash: last?.hash ?? '' }])
      kept()
    })
    jobs.reread(jobId)
    operations.moved(given.map((operation) => operation.id))
    const head = { id, from, to: '', at, attachments: pictures.length }
    return told({ head, jobs: [{ id: jobId, entries }], operations: given }, 'taken', [jobId])
  }

  /** In the order of its form: the hash of a payload is that of its text. */
  function textOf(content: Content): string {
    return JSON.stringify(keptContent.parse(JSON.parse(JSON.stringify(content))))
  }

  function changedMeanwhile(): AppError {
    return new AppError('CONFLICT', message('transfer.changedMeanwhile'), { retryable: true })
  }
}
