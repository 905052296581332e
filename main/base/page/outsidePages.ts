import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { OutsidePage } from '../../../preload/contract/app/app.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'

/** Fixed: a page is requested by its id, never by an address. */
const files: Readonly<Record<OutsidePage, string>> = { documentation: 'README.md', licences: 'licences.txt' }

/** The file of a page, in the project or the build. Throws NOT_FOUND if this installation does not contain it. */
export function findOutsidePage(page: OutsidePage, folders: readonly string[]): string {
  const path = folders.map((folder) => join(folder, files[page])).find((candidate) => existsSync(candidate))
  if (path !== undefined) return path
  throw new AppError('NOT_FOUND', message('app.pageMissing', { file: files[page] }))
}
