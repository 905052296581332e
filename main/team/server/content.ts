import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { pieceBytes } from '../../data/store/jobs/attachmentFiles.ts'
import { sha256Hex } from '../../data/store/jobs/seal.ts'

/** Content under its SHA-256: its size, and its pieces of `pieceBytes`, the last one shorter. */
export interface GivenContent {
  sha256: string
  mediaType: string
  sizeBytes: number
  /** Undefined or null when it is no longer here: the next push asks for the missing part again. */
  pieceAt(number: number): Uint8Array | null | undefined
}

/** Uploads the pieces one by one. True: all of them are there, and together they match the SHA-256. */
export async function giveContent(
  client: ClientBase,
  { sha256, mediaType, sizeBytes, pieceAt }: GivenContent,
  signal?: AbortSignal
): Promise<boolean> {
  for (let number = 0; number * pieceBytes < sizeBytes; number++) {
    signal?.throwIfAborted()
    const piece = pieceAt(number)
    if (!piece) break
    await client.query('select fitter.keep_piece($1, $2, $3, $4, $5)', [sha256, mediaType, sizeBytes, number, piece])
  }
  const { rows } = await client.query<{ is_whole: boolean }>('select fitter.close_content($1) as is_whole', [sha256])
  return rows[0]?.is_whole === true
}

/** Uploads a text under its SHA-256; an existing one is left unchanged. */
export async function putTeamText(client: ClientBase, sha256: string, text: string): Promise<void> {
  const { rows } = await client.query<{ missing: string }>('select fitter.missing($1) as missing', [[sha256]])
  if (rows.length === 0) return
  const bytes = Buffer.from(text, 'utf8')
  const pieceAt = (number: number) => bytes.subarray(number * pieceBytes, (number + 1) * pieceBytes)
  await giveContent(client, { sha256, mediaType: 'application/json', sizeBytes: bytes.length, pieceAt })
}

/**
 * The whole content, piece by piece, checked against its hash. @throws AppError DATA_UNUSABLE when it is missing or
 * changed.
 */
export async function readTeamContent(client: ClientBase, sha256: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  let last: Buffer | undefined
  do {
    const { rows } = await client.query<{ bytes: Buffer }>(
      'select bytes from fitter.piece where team_id = (select fitter.my_team()) and sha256 = $1 and number = $2',
      [sha256, pieces.length]
    )
    last = rows[0]?.bytes
    if (last) pieces.push(last)
  } while (last?.length === pieceBytes)
  const bytes = Buffer.concat(pieces)
  if (sha256Hex(bytes) !== sha256)
    throw new AppError('DATA_UNUSABLE', message('store.attachmentChanged', { hash: sha256.slice(0, 16) }))
  return bytes
}
