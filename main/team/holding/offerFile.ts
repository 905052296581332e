import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { keptContent, linesOf, type Content } from '../../job/jobs/handover/content.ts'
import { endLine, limits } from '../../job/jobs/handover/fileForm.ts'
import type { JournalEntry } from '../../data/store/jobs/seal.ts'
import { readTeamContent } from '../server/content.ts'
import { readTeamEntries } from '../reading/openJob.ts'

export interface FoundOffer {
  id: string
  workSha256: string
  jobs: { id: string; seq: number; hash: string }[]
}

/** The content of an offer, without its pictures. */
export interface ReadOffer {
  content: Content
  logs: ReadonlyMap<string, JournalEntry[]>
  snapshots: ReadonlyMap<string, string>
}

export async function readOffer(client: ClientBase, offer: FoundOffer): Promise<ReadOffer> {
  const content = contentOf(await readTeamContent(client, offer.workSha256), offer)
  const logs = new Map<string, JournalEntry[]>()
  for (const { id, seq } of content.jobs) {
    const { rows } = await client.query<{ month: string }>(
      'select month::text as month from fitter.job where id = $1',
      [id]
    )
    logs.set(id, rows[0] ? await readTeamEntries(client, { id, month: rows[0].month, upTo: seq }) : [])
  }
  const snapshots = new Map<string, string>()
  for (const { sha256 } of content.snapshots)
    snapshots.set(sha256, (await readTeamContent(client, sha256)).toString('utf8'))
  return { content, logs, snapshots }
}

/** Writes an offer as a hand-over file: it is then read, checked and imported like one. */
export async function writeOfferFile(
  { content, logs, snapshots }: ReadOffer,
  pieces: (sha256: string) => Iterable<Uint8Array>,
  file: string,
  signal: AbortSignal
): Promise<void> {
  const handle = await fs.open(file, 'w', 0o600)
  try {
    const hash = createHash('sha256')
    let lines = 0
    let bytes = 0
    const source = {
      entriesUpTo: (id: string) => logs.get(id) ?? [],
      snapshot: (_job: string, sha256: string) => snapshots.get(sha256) ?? null,
      pieces
    }
    for (const line of linesOf(content, source)) {
      signal.throwIfAborted()
      bytes += Buffer.byteLength(line)
      if (bytes > limits.fileBytes) throw new AppError('INVALID_REQUEST', message('transfer.tooLarge'))
      hash.update(line)
      lines += 1
      await handle.writeFile(line)
    }
    await handle.writeFile(endLine({ lines, sha256: hash.digest('hex') }))
  } finally {
    await handle.close()
  }
}

function contentOf(bytes: Buffer, { id, jobs }: FoundOffer): Content {
  const broken = (cause?: unknown) => new AppError('DATA_UNUSABLE', message('transfer.broken'), { cause })
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw broken(error)
  }
  const read = keptContent.safeParse(value)
  if (!read.success) throw broken(read.error)
  const placeOf = (list: readonly { id: string; seq: number; hash: string }[]) =>
    JSON.stringify(list.map((job) => [job.id, job.seq, job.hash]).sort())
  if (read.data.head.id !== id || placeOf(read.data.jobs) !== placeOf(jobs)) throw broken()
  return read.data
}
