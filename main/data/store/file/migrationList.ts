import type Database from 'better-sqlite3'
import { schema } from './schema/index.ts'
import type { Progress } from './progress.ts'

/** SQL, or a function for changes row by row; both run in one transaction without foreign keys. */
export type Migration = string | ((sql: Database.Database, progress: Progress) => void)

/** In order, to version 2 and on. A released one is never edited. */
const later: readonly Migration[] = [
  // One line each.
]

/** The tables of version 1, then every migration: the position is the version. */
export const migrations: readonly Migration[] = [schema, ...later]
