import { rowAccess } from './access.ts'
import { apart } from './apart.ts'
import { assignments } from './assignments.ts'
import { forks } from './forks.ts'
import { form } from './form.ts'
import { holding } from './holding.ts'
import { invitations } from './invitations.ts'
import { lists } from './lists.ts'
import { log } from './log.ts'
import { photos } from './photos.ts'
import { push } from './push.ts'
import { retention } from './retention.ts'
import { search } from './search.ts'
import { unlocked } from './unlocked.ts'
import { views } from './views.ts'

/**
 * In order; the position is the version of the schema. A migration that was released is never edited: later ones get
 * files of their own.
 */
export const migrations: readonly { name: string; sql: string }[] = [
  {
    name: 'start',
    sql: [log, form, push, holding, forks, lists, search, assignments, views, retention, rowAccess].join('\n')
  },
  { name: 'invitations', sql: invitations },
  { name: 'photos', sql: photos },
  { name: 'apart', sql: [apart, unlocked].join('\n') }
]
