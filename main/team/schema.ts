import type { ClientBase } from 'pg'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import { migrations } from './migrations/index.ts'

/** How the schema of a server stands to this Fitter. */
export type SchemaStanding = { kind: 'none' } | { kind: 'older' | 'same' | 'newer'; version: number }

/** One number for the schema, so that two who set it up at once do it one after the other. */
const lockKey = 4_211_608

/**
 * Makes the schema, or brings it up to this version; again, it is harmless. The role that calls it owns what is made.
 * @returns how many migrations were applied.
 * @throws AppError CONFLICT for a schema that a newer Fitter has made.
 */
export async function raiseSchema(client: ClientBase): Promise<number> {
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [lockKey])
    await client.query('create schema if not exists fitter')
    await client.query('create table if not exists fitter.migration (number int primary key, name text not null, at timestamptz not null default now())')
    const { rows } = await client.query<{ version: number }>('select coalesce(max(number), 0)::int as version from fitter.migration')
    const version = rows[0]?.version ?? 0
    if (version > migrations.length) throw new AppError('CONFLICT', message('team.schemaNewer'))
    for (const [index, { name, sql }] of migrations.entries()) {
      if (index < version) continue
      await client.query(sql)
      await client.query('insert into fitter.migration (number, name) values ($1, $2)', [index + 1, name])
    }
    await client.query('commit')
    return migrations.length - version
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** What of the schema is there, as a laptop sees it. */
export async function readSchema(client: ClientBase): Promise<SchemaStanding> {
  const { rows } = await client.query<{ is_there: boolean }>("select to_regclass('fitter.migration') is not null as is_there")
  if (!rows[0]?.is_there) return { kind: 'none' }
  const found = await client.query<{ version: number }>('select coalesce(max(number), 0)::int as version from fitter.migration')
  const version = found.rows[0]?.version ?? 0
  return { kind: version < migrations.length ? 'older' : version > migrations.length ? 'newer' : 'same', version }
}
