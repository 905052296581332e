import type { ClientBase } from 'pg'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'

interface Found {
  has_words: boolean
  has_schema: boolean
  is_ours: boolean
  foreign_role: string | null
}

/** Checks, before a change, whether something else uses the team log's names. Throws a sentence about the conflict. */
export async function assertGround(client: ClientBase, host: string): Promise<void> {
  const { rows } = await client.query<Found>(`
    select exists (select from pg_available_extensions where name = 'pg_trgm') as has_words,
      exists (select from pg_namespace where nspname = 'fitter') as has_schema,
      (select count(*) = 3 from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'fitter' and c.relname = 'migration' and a.attname in ('number', 'name', 'at')) as is_ours,
      (select min(rolname) from pg_roles where rolname in ('fitter_reads', 'fitter_writes')
        and (rolcanlogin or rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls)) as foreign_role`)
  const [found] = rows
  if (!found) return
  if (found.has_schema && !found.is_ours) throw new AppError('CONFLICT', message('teamWay.foreignSchema', { host }))
  if (found.foreign_role !== null)
    throw new AppError('CONFLICT', message('teamWay.foreignRole', { host, name: found.foreign_role }))
  if (!found.has_words) throw new AppError('CONFLICT', message('teamWay.noWords', { host }))
}
