import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildStale, projectFolder } from '../../bin/build.ts'

/** The folder of an installed Fitter: what is built, its resources and its packages, and no sources. */
export async function makeInstalledFolder(): Promise<{ starter: string[]; remove(): void }> {
  await buildStale(['main', 'renderer'])
  const folder = mkdtempSync(join(tmpdir(), 'fitter-installed-'))
  for (const part of ['main', 'renderer']) {
    mkdirSync(join(folder, 'out', part), { recursive: true })
    cpSync(join(projectFolder, 'out', part), join(folder, 'out', part), { recursive: true, filter: (source) => !source.endsWith('.map') })
  }
  for (const name of ['resources', 'node_modules', 'package.json']) symlinkSync(join(projectFolder, name), join(folder, name))
  return {
    // The terminal command of a package, on the stand-in for Electron.
    starter: [join(import.meta.dirname, 'terminalBoot.ts'), join(folder, 'out', 'main', 'electron.mjs')],
    remove: () => rmSync(folder, { recursive: true })
  }
}
