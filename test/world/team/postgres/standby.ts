import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  giveAway,
  startPostgres,
  type PostgresOptions,
  type PostgresServer,
  type PostgresSettings
} from './postgresServer.ts'

export interface Standby extends PostgresServer {
  /** Everything that the primary has at this moment is here, on the disk. */
  caughtUp(): Promise<void>
  /** It is the primary from now on. */
  promote(): Promise<void>
}

export interface StandbyOptions extends PostgresOptions {
  settings?: PostgresSettings
  /** The port on which it reaches the primary, where that is not the primary's own: a way that can be cut. */
  through?: number
  /** The primary acknowledges nothing that is not here. */
  isSynchronous?: boolean
}

/**
 * A standby that the primary streams to: a copy of its files, as `pg_basebackup` makes one, and what is written from
 * then on.
 */
export async function startStandby(
  primary: PostgresServer,
  { settings = {}, through = primary.port, isSynchronous = false, ...options }: StandbyOptions = {}
): Promise<Standby> {
  const client = await primary.connect()
  try {
    const roles = await client.query("select from pg_roles where rolname = 'standby'")
    if (roles.rowCount === 0) await client.query("create role standby replication login password 'standby-password'")
    // Until the standby has come, what it needs stays.
    await client.query(
      "select pg_create_physical_replication_slot('standby', true) where not exists (select from pg_replication_slots where slot_name = 'standby')"
    )
    await client.query("select pg_backup_start('standby', true)")
    const standby = await startPostgres(settings, {
      ...options,
      async fill(data, folder) {
        copyFolder(primary.data, data)
        const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
        write(join(data, 'backup_label'), rows[0]?.labelfile ?? '')
        write(join(data, 'standby.signal'), '')
        write(
          join(data, 'postgresql.auto.conf'),
          `primary_conninfo = 'host=127.0.0.1 port=${String(through)} user=standby password=standby-password application_name=standby'\nprimary_slot_name = 'standby'\nwal_retrieve_retry_interval = '100ms'\n`
        )
        symlinkSync(join(folder, 'log'), join(data, 'pg_wal'))
      }
    })
    if (isSynchronous) {
      await client.query("alter system set synchronous_standby_names = 'standby'")
      await client.query('select pg_reload_conf()')
    }
    return {
      ...standby,
      async caughtUp() {
        const asked = await primary.connect()
        try {
          const { rows } = await asked.query<{ at: string }>('select pg_current_wal_flush_lsn()::text as at')
          await until(
            asked,
            `select coalesce((select flush_lsn >= '${rows[0]?.at ?? ''}' from pg_stat_replication where application_name = 'standby'), false) as is_so`
          )
        } finally {
          await asked.end()
        }
      },
      async promote() {
        const asked = await standby.connect()
        try {
          await asked.query('select pg_promote(true, 60)')
          // It has nobody to wait for, and nobody whose log it keeps.
          await asked.query('alter system reset all')
          await asked.query('select pg_reload_conf()')
        } finally {
          await asked.end()
        }
      }
    }
  } finally {
    await client.end()
  }
}

/** Asks again until it is so. */
async function until(
  client: { query(sql: string): Promise<{ rows: { is_so: boolean }[] }> },
  sql: string
): Promise<void> {
  for (let tries = 0; tries < 3_000; tries++) {
    if ((await client.query(sql)).rows[0]?.is_so) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`Still not so: ${sql}`)
}

const leftOut: ReadonlySet<string> = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'pg_wal',
  'pg_replslot',
  'postgresql.auto.conf',
  'backup_label'
])

/** Files change and go while they are copied: what is written meanwhile is read from the log. */
export function copyFolder(from: string, to: string, isTop = true): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (isTop && leftOut.has(entry.name)) {
      if (entry.name === 'pg_replslot') makeFolder(target)
      continue
    }
    if (entry.isDirectory()) {
      makeFolder(target)
      copyFolder(source, target, false)
    } else if (entry.isFile()) {
      try {
        copyFileSync(source, target)
        giveAway(target)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    }
  }
}

function makeFolder(path: string): void {
  mkdirSync(path, { mode: 0o700 })
  giveAway(path)
}

function write(path: string, text: string): void {
  writeFileSync(path, text)
  giveAway(path)
}
