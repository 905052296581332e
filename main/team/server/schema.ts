import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { rights } from './migrations/access.ts'
import { migrations as known } from './migrations/index.ts'
import { inTransaction } from './transaction.ts'

/** How the schema of a server relates to this Fitter; `other`: a Fitter from before the first release made it. */
export type SchemaStanding = { kind: 'none' | 'other' } | { kind: 'older' | 'same' | 'newer'; version: number }

/** The lock number for the first setup, so that two simultaneous ones run one after the other. */
const lockKey = 4_211_608

/** The oldest version that it is tested with. */
const leastVersion = { number: 150_000, name: '15' }

/** Both wait at most this long for working laptops, because all pushes wait behind them. */
const lockMs = 10_000

/**
 * Creates the schema, or updates it to this version; repeating it is harmless. Everything belongs to one role: the
 * owner of the schema, or a member of it. It is done completely or not at all. @returns the number of applied
 * migrations. @throws
 * AppError CONFLICT for a schema from a newer Fitter or from before the first release, and for a server that is too
 * old;
 * NOT_PERMITTED without the rights.
 */
export async function raiseSchema(
  client: ClientBase,
  migrations: readonly { name: string; sql: string }[] = known
): Promise<number> {
  return inTransaction(client, async () => {
    await assertServer(client)
    await client.query(`set local lock_timeout = ${String(lockMs)}`)
    // Hide notices about existing objects.
    await client.query('set local client_min_messages = warning')
    // Anyone who can connect may hold an advisory lock, so it is a table that is locked as soon as there is one.
    const { rows: there } = await client.query<{ is_there: boolean }>(
      "select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'fitter' and c.relname = 'migration') as is_there"
    )
    if (!there[0]?.is_there) await client.query('select pg_advisory_xact_lock($1)', [lockKey])
    await assertOwner(client)
    await client.query('create schema if not exists fitter')
    await client.query(
      'create table if not exists fitter.migration (number int primary key, name text not null, at timestamptz not null default now())'
    )
    await client.query('lock table fitter.migration in exclusive mode')
    const { version, isOther } = await readVersion(client)
    if (isOther) throw new AppError('CONFLICT', message('teamServer.otherSchema'))
    if (version > migrations.length) throw new AppError('CONFLICT', message('team.schemaNewer'))
    for (const [index, { name, sql }] of migrations.entries()) {
      if (index < version) continue
      await client.query(sql)
      await client.query('insert into fitter.migration (number, name) values ($1, $2)', [index + 1, name])
    }
    await client.query(rights)
    return migrations.length - version
  })
}

async function assertServer(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ number: number; name: string; encoding: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as name, current_setting('server_encoding') as encoding"
  )
  const server = rows[0]
  if (!server) return
  if (server.number < leastVersion.number)
    throw new AppError('CONFLICT', message('teamServer.tooOld', { version: server.name, least: leastVersion.name }))
  if (server.encoding !== 'UTF8')
    throw new AppError('CONFLICT', message('teamServer.encoding', { encoding: server.encoding }))
}

interface Rights {
  role: string
  owner: string | null
  owner_name: string | null
  is_owner: boolean
  may_make: boolean
}

/**
 * A user without the rights is told before anything is tried. Roles belong to the whole server: only their creator can
 * grant them.
 */
async function assertOwner(client: ClientBase): Promise<void> {
  const { rows } = await client.query<Rights>(`
    select current_user as role, pg_get_userbyid(n.nspowner) as owner, quote_ident(pg_get_userbyid(n.nspowner)) as owner_name,
      coalesce(pg_has_role(current_user, n.nspowner, 'member'), false) as is_owner,
      r.rolsuper or (has_database_privilege(current_database(), 'create') and r.rolcreaterole
        and (current_setting('server_version_num')::int < 160000 or not exists (
          select from pg_roles o where o.rolname in ('fitter_reads', 'fitter_writes') and not pg_has_role(current_user, o.oid, 'member with admin option')))) as may_make
    from pg_roles r left join pg_namespace n on n.nspname = 'fitter' where r.rolname = current_user`)
  const rights = rows[0]
  if (!rights) return
  const { role, owner } = rights
  if (owner === null) {
    if (!rights.may_make) throw new AppError('NOT_PERMITTED', message('teamServer.mayNotSetUp', { role }))
  } else if (!rights.is_owner) throw new AppError('NOT_PERMITTED', message('teamServer.notOwner', { role, owner }))
  else if (owner !== role) await client.query(`set local role ${rights.owner_name ?? ''}`)
}

/** The state of the schema, as a laptop sees it. */
export async function readSchema(client: ClientBase): Promise<SchemaStanding> {
  const { rows } = await client.query<{ is_there: boolean }>(
    "select to_regclass('fitter.migration') is not null as is_there"
  )
  if (!rows[0]?.is_there) return { kind: 'none' }
  const { version, isOther } = await readVersion(client)
  if (isOther) return { kind: 'other' }
  return { kind: version < known.length ? 'older' : version > known.length ? 'newer' : 'same', version }
}

/**
 * A laptop works with this schema or a newer one, which keeps everything that it uses. Without `host`, also with none.
 */
export async function assertSchema(client: ClientBase, host?: string): Promise<SchemaStanding> {
  const standing = await readSchema(client)
  if (standing.kind === 'none' && host !== undefined)
    throw new AppError('NOT_FOUND', message('team.noSchema', { host }))
  if (standing.kind === 'other') throw new AppError('CONFLICT', message('teamServer.otherSchema'))
  if (standing.kind === 'older') throw new AppError('CONFLICT', message('team.schemaOlder'))
  return standing
}

/** Before the first release the first migration had another name. */
async function readVersion(client: ClientBase): Promise<{ version: number; isOther: boolean }> {
  const { rows } = await client.query<{ version: number; first: string | null }>(
    'select coalesce(max(number), 0)::int as version, max(name) filter (where number = 1) as first from fitter.migration'
  )
  const { version, first } = rows[0] ?? { version: 0, first: null }
  return { version, isOther: first !== null && first !== known[0]?.name }
}
