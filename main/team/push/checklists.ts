import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { canonicalJson, sha256Hex, type JournalEntry } from '../../data/store/jobs/seal.ts'
import { putTeamText } from '../server/content.ts'
import { readTeamPicture } from '../reading/openJob.ts'

/** Stores a checklist, a profile or other JSON in the team log under the SHA-256 of its text, which it returns. */
export async function keepWritten(client: ClientBase, value: unknown): Promise<string> {
  const text = canonicalJson(value)
  const sha256 = sha256Hex(text)
  await putTeamText(client, sha256, text)
  return sha256
}

/** Stores the checklist and profile of a job, so that others need not read logs. `kept`: those stored before. */
export async function keepChecklist(
  client: ClientBase,
  first: JournalEntry | undefined,
  kept: Set<string>
): Promise<void> {
  if (first?.type !== 'jobCreated' || first.data === null || typeof first.data !== 'object') return
  const { template, profile } = first.data as { template?: unknown; profile?: unknown }
  for (const written of [template, profile]) {
    if (written === undefined) continue
    const text = canonicalJson(written)
    if (kept.has(text)) continue
    await keepWritten(client, written)
    kept.add(text)
  }
}

/** The text under a hash, checked against it. @throws AppError NOT_FOUND, or DATA_UNUSABLE for invalid text. */
export async function readWritten(client: ClientBase, sha256: string): Promise<string> {
  const { mediaType, bytes } = await readTeamPicture(client, sha256)
  if (mediaType !== 'application/json')
    throw new AppError('DATA_UNUSABLE', message('store.attachmentChanged', { hash: sha256.slice(0, 16) }))
  return bytes.toString('utf8')
}
