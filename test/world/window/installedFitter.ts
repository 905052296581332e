import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildStale, projectFolder } from '../../../bin/build.ts'

/** The folder of an installed Fitter: what is built, its resources and its packages, and no sources. */
export async function makeInstalledFolder(): Promise<{ starter: string[]; remove(): void }> {
  await buildStale(['main', 'renderer', 'sealPage'])
  const folder = mkdtempSync(join(tmpdir(), 'fitter-installed-'))
  for (const part of ['main', 'renderer']) {
    mkdirSync(join(folder, 'out', part), { recursive: true })
    cpSync(join(projectFolder, 'out', part), join(folder, 'out', part), {
      recursive: true,
      filter: (source) => !source.endsWith('.map')
    })
  }
  for (const name of ['resources', 'node_modules', 'package.json'])
    symlinkSync(join(projectFolder, name), join(folder, name))
  return {
    starter: [writeStarter(folder)],
    remove: () => rmSync(folder, { recursive: true })
  }
}

/**
 * The terminal command of a package, on the stand-in for Electron. No package has types to strip, or hooks that each
 * import goes through, so the stand-in is written as plain JavaScript to where the bundle finds `electron`.
 */
function writeStarter(folder: string): string {
  const electron = join(folder, 'out', 'main', 'node_modules', 'electron')
  mkdirSync(electron, { recursive: true })
  for (const name of ['electronStandIn', 'electronUses']) {
    const source = stripTypeScriptTypes(readFileSync(join(import.meta.dirname, 'electron', `${name}.ts`), 'utf8'))
    writeFileSync(join(electron, `${name}.mjs`), source.replaceAll("/electronUses.ts'", "/electronUses.mjs'"))
  }
  writeFileSync(join(electron, 'package.json'), JSON.stringify({ name: 'electron', exports: './electronStandIn.mjs' }))
  const starter = join(folder, 'start.mjs')
  writeFileSync(starter, "process.argv.splice(1, 1, '--terminal', '--')\nawait import('./out/main/electron.mjs')\n")
  return starter
}
