import type { ClientBase } from 'pg'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import type { TeamServer } from './server.ts'

interface Found {
  version: string
  version_number: number
  encoding: string
  has_words: boolean
  has_schema: boolean
  is_ours: boolean
  owns_schema: boolean
  may_make_schema: boolean
  may_make_roles: boolean
  foreign_role: string | null
  held_role: string | null
}

/**
 * Looks whether a team log can stand in this database, before anything is changed.
 * @throws AppError with one sentence for what is in the way.
 */
export async function assertGround(client: ClientBase, { host, user }: Pick<TeamServer, 'host' | 'user'>): Promise<void> {
  const { rows } = await client.query<Found>(`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as version_number,
      (select pg_encoding_to_char(encoding) from pg_database where datname = current_database()) as encoding,
      exists (select from pg_available_extensions where name = 'pg_trgm') as has_words,
      to_regnamespace('fitter') is not null as has_schema,
      (select count(*) = 3 from pg_attribute where attrelid = to_regclass('fitter.migration') and attname in ('number', 'name', 'at')) as is_ours,
      (select pg_has_role(nspowner, 'usage') from pg_namespace where nspname = 'fitter') is true as owns_schema,
      has_database_privilege(current_database(), 'create') as may_make_schema,
      (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as may_make_roles,
      (select min(rolname) from pg_roles where rolname in ('fitter_reads', 'fitter_writes')
        and (rolcanlogin or rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)) as foreign_role,
      (select min(rolname) from pg_roles where rolname in ('fitter_reads', 'fitter_writes')
        and current_setting('server_version_num')::int >= 160000
        and not (select rolsuper from pg_roles where rolname = current_user)
        and not pg_has_role(current_user, oid, 'member with admin option')) as held_role`)
  const [found] = rows
  if (!found) return
  if (found.version_number < 150_000) throw new AppError('REFUSED', message('teamWay.tooOld', { host, version: found.version }))
  if (found.encoding !== 'UTF8') throw new AppError('REFUSED', message('teamWay.notUtf8', { host, encoding: found.encoding }))
  if (found.has_schema && !found.is_ours) throw new AppError('CONFLICT', message('teamWay.foreignSchema', { host }))
  if (found.foreign_role !== null) throw new AppError('CONFLICT', message('teamWay.foreignRole', { host, name: found.foreign_role }))
  if (found.has_schema && !found.owns_schema) throw new AppError('NOT_PERMITTED', message('teamWay.onlyOwner', { host, user }))
  if (!found.has_words) throw new AppError('REFUSED', message('teamWay.noWords', { host }))
  const rights = [
    ...(found.has_schema || found.may_make_schema ? [] : ['CREATE ON DATABASE']),
    ...(found.may_make_roles ? [] : ['CREATEROLE']),
    ...(found.held_role === null ? [] : [`ADMIN OPTION (${found.held_role})`])
  ]
  if (rights.length > 0) throw new AppError('NOT_PERMITTED', message('teamWay.ownerLacks', { host, user, rights }))
}
