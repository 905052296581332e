import { createHash } from 'node:crypto'
import type { ClientBase } from 'pg'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'

const pieceBytes = 262_144

/** Gives the team log a text under its SHA-256; what is there already is left as it is. */
export async function putTeamText(client: ClientBase, sha256: string, text: string): Promise<void> {
  const { rows } = await client.query<{ missing: string }>('select fitter.missing($1) as missing', [[sha256]])
  if (rows.length === 0) return
  const bytes = Buffer.from(text, 'utf8')
  for (let number = 0; number * pieceBytes < bytes.length; number++) {
    await client.query('select fitter.keep_piece($1, $2, $3, $4, $5)', [sha256, 'application/json', bytes.length, number, bytes.subarray(number * pieceBytes, (number + 1) * pieceBytes)])
  }
  await client.query('select fitter.close_content($1)', [sha256])
}

/** The pieces of what lies under a SHA-256, one after the other. */
export async function* teamPieces(client: ClientBase, sha256: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number++) {
    const { rows } = await client.query<{ bytes: Buffer }>('select bytes from fitter.piece where team_id = (select fitter.my_team()) and sha256 = $1 and number = $2', [sha256, number])
    const [row] = rows
    if (!row) return
    yield row.bytes
  }
}

/** All of it, held against its hash. @throws AppError DATA_UNUSABLE where it is not there as it was given. */
export async function readTeamContent(client: ClientBase, sha256: string): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of teamPieces(client, sha256)) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new AppError('DATA_UNUSABLE', message('store.attachmentChanged', { hash: sha256.slice(0, 16) }))
  return bytes
}
