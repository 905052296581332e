import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { inTransaction } from '../server/transaction.ts'

/**
 * Closes the login of a laptop, as the owner: from then on the server refuses all its requests, also over an open
 * connection. Its data stays, and others may take its jobs over. @throws AppError NOT_FOUND for an unknown
 * laptop; with `isUnused` CONFLICT for one that has joined.
 */
export async function removeLaptop(
  client: ClientBase,
  { team, name, isUnused = false }: { team: string; name: string; isUnused?: boolean }
): Promise<{ login: string; jobs: number }> {
  return inTransaction(client, async () => {
    const { rows } = await client.query<{ id: string; login: string }>(
      'update fitter.laptop set left_at = now() where team_id = (select id from fitter.team where name = $1) and name = $2 and left_at is null and not ($3 and joined_at is not null) returning id, login',
      [team, name, isUnused]
    )
    const [laptop] = rows
    if (!laptop && isUnused) throw new AppError('CONFLICT', message('teamOffice.used', { name }))
    if (!laptop) throw new AppError('NOT_FOUND', message('teamWay.noSuchLaptop', { team, name }))
    await closeLogin(client, laptop.login)
    const held = await client.query<{ jobs: string }>('select count(*) as jobs from fitter.job where holder = $1', [
      laptop.id
    ])
    return { login: laptop.login, jobs: Number(held.rows[0]?.jobs ?? 0) }
  })
}

/** @returns whether the server accepted this login until now. */
export async function closeLogin(client: ClientBase, login: string): Promise<boolean> {
  const { rows } = await client.query<{ command: string }>(
    "select format('alter role %I nologin', rolname) as command from pg_roles where rolname = $1 and rolcanlogin",
    [login]
  )
  for (const { command } of rows) await client.query(command)
  return rows.length > 0
}
