import { cpSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { projectFolder } from '../../bin/build.ts'
import { memoryFolder } from '../world/memoryFolder.ts'

const notCopied = new Set(['node_modules', 'out', '.git', 'test-results'])

/** A copy of the sources with the same packages: what is broken there, the checkout never sees. */
export function copySources(): string {
  const folder = realpathSync(mkdtempSync(join(memoryFolder, 'fitter-copied-')))
  cpSync(projectFolder, folder, {
    recursive: true,
    filter: (path) => !(notCopied.has(basename(path)) && join(projectFolder, basename(path)) === path)
  })
  symlinkSync(realpathSync(join(projectFolder, 'node_modules')), join(folder, 'node_modules'))
  return folder
}
