import { log } from './0001-log.ts'

/** In order; the position is the version of the schema. A migration that was released is never edited. */
export const migrations: readonly { name: string; sql: string }[] = [{ name: 'log', sql: log }]
