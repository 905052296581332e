import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { databaseFileName, markFileName } from '../../../main/data/store/file/fileNames.ts'
import { openStore } from '../../../main/data/store/index.ts'

type Files = readonly (readonly [name: string, content: Buffer])[]
let made: Files | undefined

/**
 * Puts a data file with nothing in it into a folder without one: its tables are made once for all tests of a file, and
 * not for each.
 */
export function putEmptyData(folder: string): void {
  if (fs.existsSync(path.join(folder, databaseFileName))) return
  made ??= makeOnce()
  fs.mkdirSync(folder, { recursive: true })
  for (const [name, content] of made) fs.writeFileSync(path.join(folder, name), content, { mode: 0o600 })
}

/** As closing a new folder leaves them. */
function makeOnce(): Files {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fitter-empty-'))
  openStore(folder).close()
  const files = [databaseFileName, markFileName].map(
    (name) => [name, fs.readFileSync(path.join(folder, name))] as const
  )
  fs.rmSync(folder, { recursive: true, force: true })
  return files
}
