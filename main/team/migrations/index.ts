import { log } from './0001-log.ts'
import { holding } from './0002-holding.ts'
import { lists } from './0003-lists.ts'
import { search } from './0003-search.ts'
import { assignments } from './0004-assignments.ts'
import { counts } from './0005-counts.ts'
import { views } from './0006-views.ts'
import { retention } from './0007-retention.ts'
import { manyJobs } from './0008-many-jobs.ts'
import { forks } from './0009-forks.ts'
import { form } from './0010-form.ts'

/** In order; the position is the version of the schema. A migration that was released is never edited. */
export const migrations: readonly { name: string; sql: string }[] = [
  { name: 'log', sql: log },
  { name: 'holding', sql: holding },
  { name: 'lists', sql: lists + search },
  { name: 'assignments', sql: assignments },
  { name: 'counts', sql: counts },
  { name: 'views', sql: views },
  { name: 'retention', sql: retention },
  { name: 'manyJobs', sql: manyJobs },
  { name: 'forks', sql: forks },
  { name: 'form', sql: form }
]
