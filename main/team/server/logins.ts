import type { ClientBase } from 'pg'
import { z } from 'zod'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { closeLogin } from '../admin/removeLaptop.ts'
import { parseOrNull } from './joinFile.ts'
import { inTransaction } from './transaction.ts'

/** More is not a list of logins. */
export const mostLoginListBytes = 20_000_000

const listedLogin = z.object({
  name: z.string(),
  login: z.string().regex(/^fitter_[0-9a-f]{16}$/),
  role: z.enum(['lead', 'writer', 'reader']),
  since: z.string(),
  /** When its work last reached the server; null for a laptop that has pushed nothing. */
  lastSeen: z.string().nullable(),
  removedAt: z.string().nullable(),
  isOpen: z.boolean()
})
const loginList = z.object({ logins: z.array(listedLogin) })

export type ListedLogin = z.infer<typeof listedLogin>

/** Every login of a team, also of laptops that were removed, in the order of their names. */
export async function listLogins(client: ClientBase, team: string): Promise<ListedLogin[]> {
  const { rows } = await client.query<{
    name: string
    login: string
    may_write: boolean
    is_lead: boolean
    since: Date
    pushed_at: Date | null
    left_at: Date | null
    is_open: boolean
  }>(
    `select l.name, l.login, l.may_write, l.is_lead, coalesce(l.joined_at, l.invited_at) as since, l.pushed_at, l.left_at,
       exists (select from pg_roles r where r.rolname = l.login and r.rolcanlogin) as is_open
     from fitter.laptop l join fitter.team t on t.id = l.team_id where t.name = $1 order by l.name, l.invited_at, l.login`,
    [team]
  )
  return rows.map((row) => ({
    name: row.name,
    login: row.login,
    role: row.is_lead ? 'lead' : row.may_write ? 'writer' : 'reader',
    since: row.since.toISOString(),
    lastSeen: row.pushed_at?.toISOString() ?? null,
    removedAt: row.left_at?.toISOString() ?? null,
    isOpen: row.is_open
  }))
}

/** The removed logins of a saved list (`fitter team logins --json`). INVALID_REQUEST for anything else. */
export function readRemovedLogins(text: string): { name: string; login: string }[] {
  const read = loginList.safeParse(parseOrNull(text))
  if (!read.success) throw new AppError('INVALID_REQUEST', message('teamLogins.noList'))
  return read.data.logins.filter(({ removedAt }) => removedAt !== null).map(({ name, login }) => ({ name, login }))
}

/** Closes logins that a backup opened again; by login, because a new laptop may have the name. Returns those open. */
export async function closeLogins(
  client: ClientBase,
  logins: readonly { name: string; login: string }[]
): Promise<{ name: string; login: string }[]> {
  return inTransaction(client, async () => {
    const closed: { name: string; login: string }[] = []
    for (const { name, login } of logins) {
      const listed = await client.query(
        'update fitter.laptop set left_at = now() where login = $1 and left_at is null',
        [login]
      )
      const wasOpen = await closeLogin(client, login)
      if (wasOpen || (listed.rowCount ?? 0) > 0) closed.push({ name, login })
    }
    return closed
  })
}
