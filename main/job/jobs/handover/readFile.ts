import { createHash } from 'node:crypto'
import { AppError } from '../../../../preload/contract/errors.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { hashOfPayload, type HandedOverOperation } from '../../../gateway/waitingWork/handover/handedOver.ts'
import { checkJson } from '../../../base/reading/checkJson.ts'
import { sha256Hex, verifyChain, type JournalEntry } from '../../../data/store/jobs/seal.ts'
import { checkSeals, movedAwayType } from '../../../data/store/jobs/signature.ts'
import { readJob } from '../record/journal.ts'
import {
  fileHead,
  fileLine,
  fileVersion,
  limits,
  type FileAttachment,
  type FileHead,
  type FileLine
} from './fileForm.ts'
import { decodeUtf8 } from '../../../../preload/base/messages/utf8.ts'

export interface ReadFile {
  head: FileHead
  sha256: string
  sizeBytes: number
  jobs: { id: string; entries: JournalEntry[] }[]
  operations: HandedOverOperation[]
  attachments: FileAttachment[]
  /** Each snapshot is named by the log of its job. */
  snapshots: { job: string; text: string }[]
}

/** Called with each picture after its bytes matched their hash; at most one picture is in memory. */
export type TakePicture = (picture: FileAttachment, bytes: Uint8Array) => Promise<void>

/**
 * Reads a handover file. INVALID_REQUEST for an incomplete, too large, changed or unknown one, before its content is
 * used.
 */
export async function readFile(
  chunks: AsyncIterable<Uint8Array>,
  takePicture: TakePicture = () => Promise.resolve()
): Promise<ReadFile> {
  const reader = createReader(takePicture)
  const hash = createHash('sha256')
  let sizeBytes = 0
  let ended: string | undefined
  for await (const line of linesOf(chunks)) {
    if (ended !== undefined) throw broken()
    sizeBytes += line.length + 1
    const value = parse(line, reader.isBegun())
    if ('end' in value) {
      if (value.end.lines !== reader.lines() || value.end.sha256 !== (ended = hash.digest('hex'))) throw broken()
      continue
    }
    hash.update(line).update('\n')
    await reader.take(value, line.length)
  }
  if (ended === undefined) throw new AppError('INVALID_REQUEST', message('transfer.notFinished'))
  return { ...reader.end(), sha256: ended, sizeBytes }
}

/** Reads the lines of a file in order; a line that does not fit the earlier lines is refused. */
function createReader(takePicture: TakePicture) {
  let head: FileHead | undefined
  let lines = 0
  let logBytes = 0
  let operationBytes = 0
  let picture: { facts: FileAttachment; pieces: Uint8Array[]; bytes: number } | undefined
  const jobs: { id: string; entries: JournalEntry[]; expected: number; head: string }[] = []
  const operations = new Map<string, HandedOverOperation>()
  const attachments = new Map<string, FileAttachment>()
  let snapshotBytes = 0
  const snapshots: ReadFile['snapshots'] = []
  /** Snapshots that the log of each job names and that are still missing. */
  const awaited = new Map<string, Set<string>>()
  const named = new Map<string, Set<string>>()

  /** The log of a job is complete: checks its chain, its seals, and the sender of the handover. */
  function endJob(): void {
    const job = jobs.at(-1)
    if (!job || named.has(job.id)) return
    const { id, entries, expected } = job
    const end = entries.at(-1)
    const isChained = entries.length === expected && verifyChain(id, entries).ok && end?.hash === job.head
    const hasLeft = end?.type === movedAwayType && (end.data as { id?: unknown } | null)?.id === head?.id
    const isSealedSo =
      isChained &&
      checkSeals(id, entries).faults.every(({ fault }) => fault !== 'sealChanged' && fault !== 'wrongSignature')
    if (!isSealedSo || !hasLeft) throw new AppError('INVALID_REQUEST', message('transfer.forged', { job: id }))
    try {
      const job = readJob(id, entries)
      named.set(id, new Set(job.attachments.flatMap(({ sha256, reportSha256 }) => [sha256, reportSha256])))
      awaited.set(id, new Set((job.snapshots ?? []).flatMap(({ sha256 }) => sha256 ?? [])))
    } catch (cause) {
      throw new AppError('INVALID_REQUEST', message('transfer.forged', { job: id }), { cause })
    }
  }

  async function endPicture(): Promise<void> {
    if (!picture) return
    const { facts, pieces } = picture
    picture = undefined
    const bytes = Buffer.concat(pieces)
    if (sha256Hex(bytes) !== facts.sha256) throw broken()
    attachments.set(facts.sha256, facts)
    await takePicture(facts, bytes)
  }

  async function takeLine(value: FileHead | Exclude<FileLine, { end: unknown }>, bytes: number): Promise<void> {
    if ('fitter' in value) {
      head = value
    } else if ('job' in value) {
      const { id, entries, head: last } = value.job
      endJob()
      if (
        operations.size > 0 ||
        snapshots.length > 0 ||
        attachments.size > 0 ||
        jobs.length >= limits.jobs ||
        named.has(id)
      )
        throw broken()
      jobs.push({ id, entries: [], expected: entries, head: last })
    } else if ('entry' in value) {
      const job = jobs.at(-1)
      logBytes += bytes
      if (logBytes > limits.logBytes) throw tooLarge()
      if (!job || named.has(job.id) || job.entries.length >= job.expected) throw broken()
      job.entries.push(value.entry)
    } else if ('operation' in value) {
      const { operation } = value
      endJob()
      operationBytes += bytes
      if (operationBytes > limits.operationBytes || operations.size >= limits.operations) throw tooLarge()
      const isOfFile = operation.jobId === null || named.has(operation.jobId)
      const isNew = !operations.has(operation.id) && operation.needs.every(({ id }) => operations.has(id))
      // Work counts as done only if it was confirmed at the gateway, or if a person closed it with a reason.
      const isProved = operation.state !== 'done' || operation.evidence.length > 0
      if (
        !isOfFile ||
        !isNew ||
        !isProved ||
        snapshots.length > 0 ||
        attachments.size > 0 ||
        hashOfPayload(operation.payload) !== operation.payloadHash
      )
        throw broken()
      operations.set(operation.id, operation)
    } else if ('snapshot' in value) {
      const { job, text } = value.snapshot
      endJob()
      snapshotBytes += bytes
      if (snapshotBytes > limits.snapshotBytes) throw tooLarge()
      const isNamed = awaited.get(job)?.delete(sha256Hex(text)) ?? false
      if (
        !isNamed ||
        picture ||
        attachments.size > 0 ||
        snapshots.filter((one) => one.job === job).length >= limits.snapshotsOfJob
      )
        throw broken()
      snapshots.push(value.snapshot)
    } else if ('attachment' in value) {
      const facts = value.attachment
      endJob()
      if (picture || attachments.has(facts.sha256) || !facts.jobs.every((id) => named.get(id)?.has(facts.sha256)))
        throw broken()
      picture = { facts, pieces: [], bytes: 0 }
      if (facts.sizeBytes === 0) await endPicture()
    } else {
      const piece = Buffer.from(value.piece, 'base64')
      if (!picture || piece.length === 0 || picture.bytes + piece.length > picture.facts.sizeBytes) throw broken()
      picture.pieces.push(piece)
      picture.bytes += piece.length
      if (picture.bytes === picture.facts.sizeBytes) await endPicture()
    }
  }

  return {
    isBegun: () => head !== undefined,
    lines: () => lines,
    async take(value: FileHead | Exclude<FileLine, { end: unknown }>, bytes: number): Promise<void> {
      lines += 1
      await takeLine(value, bytes)
    },
    end(): Pick<ReadFile, 'head' | 'jobs' | 'operations' | 'attachments' | 'snapshots'> {
      endJob()
      if (
        !head ||
        picture ||
        jobs.length !== head.jobs ||
        operations.size !== head.operations ||
        attachments.size !== head.attachments ||
        snapshots.length !== head.snapshots
      )
        throw broken()
      return {
        head,
        jobs: jobs.map(({ id, entries }) => ({ id, entries })),
        operations: [...operations.values()],
        attachments: [...attachments.values()],
        snapshots
      }
    }
  }
}

function broken(): AppError {
  return new AppError('INVALID_REQUEST', message('transfer.broken'))
}

function tooLarge(): AppError {
  return new AppError('INVALID_REQUEST', message('transfer.tooLarge'))
}

/** Line by line, none longer than the limit. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = []
  let length = 0
  let total = 0
  for await (const chunk of chunks) {
    total += chunk.length
    if (total > limits.fileBytes) throw new AppError('INVALID_REQUEST', message('transfer.tooLarge'))
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      pieces.push(chunk.subarray(from, at))
      yield pieces.length === 1 ? Buffer.from(pieces[0] as Uint8Array) : Buffer.concat(pieces)
      pieces = []
      length = 0
      from = at + 1
    }
    if (from < chunk.length) pieces.push(Uint8Array.from(chunk.subarray(from)))
    length += chunk.length - from
    if (length > limits.lineBytes) throw new AppError('INVALID_REQUEST', message('transfer.notOurs'))
  }
  if (length > 0) throw new AppError('INVALID_REQUEST', message('transfer.notFinished'))
}

function parse(line: Buffer, isBegun: boolean): FileHead | FileLine {
  const notThis = () => (isBegun ? broken() : new AppError('INVALID_REQUEST', message('transfer.notOurs')))
  if (isBegun && isBlank(line)) throw new AppError('INVALID_REQUEST', message('transfer.notFinished'))
  const text = decodeUtf8(line)
  if (text === undefined) throw notThis()
  const checked = checkJson(text, { depth: limits.nesting, containers: Infinity })
  if (checked.kind !== 'json') throw notThis()
  const { value } = checked
  if (isBegun) {
    const read = fileLine.safeParse(value)
    if (!read.success) throw broken()
    return read.data
  }
  const { fitter, version } = (value ?? {}) as { fitter?: unknown; version?: unknown }
  if (fitter !== 'handover') throw notThis()
  if (version !== fileVersion)
    throw new AppError('INVALID_REQUEST', message('transfer.newer', { version: String(version).slice(0, 20) }))
  const head = fileHead.safeParse(value)
  if (!head.success) throw broken()
  return head.data
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 32)
}
