import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { OutsidePage } from '../../preload/contract/app/app.ts'
import { AppError } from '../../preload/contract/errors.ts'
import { message } from '../../preload/contract/messages.ts'

/** Fixed: a page is asked for by its id, never by an address. */
const files: Readonly<Record<OutsidePage, string>> = { documentation: 'README.md', licences: 'licences.txt' }

/**
 * The file that belongs to a page, looked for in `folders` in turn (the project itself, what was built).
 * @throws AppError NOT_FOUND when this installation does not have it
 */
export function findOutsidePage(page: OutsidePage, folders: readonly string[]): string {
  const path = folders.map((folder) => join(folder, files[page])).find((candidate) => existsSync(candidate))
  if (path !== undefined) return path
  throw new AppError('NOT_FOUND', message('app.pageMissing', { file: files[page] }))
}
