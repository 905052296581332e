import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import { canonicalJson } from '../store/seal.ts'
import { readTeamPicture } from './openJob.ts'

const pieceBytes = 262_144

/** Keeps a checklist, a profile or whatever else is JSON in the team log, under the SHA-256 of its text, which it gives. */
export async function keepWritten(client: ClientBase, value: unknown): Promise<string> {
  const bytes = Buffer.from(canonicalJson(value), 'utf8')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const { rowCount } = await client.query('select fitter.missing($1)', [[sha256]])
  if (rowCount === 0) return sha256
  for (let number = 0; number * pieceBytes < bytes.length; number++) {
    await client.query('select fitter.keep_piece($1, $2, $3, $4, $5)', [sha256, 'application/json', bytes.length, number, bytes.subarray(number * pieceBytes, (number + 1) * pieceBytes)])
  }
  await client.query('select fitter.close_content($1)', [sha256])
  return sha256
}

/** The text that is kept under a hash, held against it. @throws AppError NOT_FOUND, or DATA_UNUSABLE for what is no such text. */
export async function readWritten(client: ClientBase, sha256: string): Promise<string> {
  const { mediaType, bytes } = await readTeamPicture(client, sha256)
  if (mediaType !== 'application/json') throw new AppError('DATA_UNUSABLE', message('store.attachmentChanged', { hash: sha256.slice(0, 16) }))
  return bytes.toString('utf8')
}
