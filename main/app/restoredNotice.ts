import path from 'node:path'
import type { Notice } from '../../preload/contract/app.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'
import type { Incoming } from '../store/copies.ts'

/** Said until the next start: everything on the screens is of another time than the person last saw. */
export function restoredNotice({ mark, findings }: Pick<Incoming, 'mark' | 'findings'>, kept: string | null): Notice {
  const text = message('backups.restored', { madeAt: mark.madeAt, n: mark.jobs, work: mark.openOperations })
  const remedies = [...(kept === null ? [] : [message('backups.kept', { file: path.basename(kept) })]), ...findings.slice(0, 3)]
  return { id: 'restored', level: findings.length > 0 ? 'warn' : 'info', text, ...(remedies[0] ? { remedy: remedies.length === 1 ? remedies[0] : message('backups.several', { remedies }) } : {}) }
}

export function notRestoredNotice(error: unknown): Notice {
  return { id: 'not-restored', level: 'warn', text: message('backups.notRestored'), ...(error instanceof AppError ? { remedy: error.sentence } : {}) }
}
