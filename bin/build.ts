import { readdirSync, statSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { version } from '../main/app/version.ts'
import type { Shell } from '../main/terminal/commands/completion.ts'
import { writeLicences } from './deliveredPackages.ts'

export const projectFolder = join(import.meta.dirname, '..')

export type PartName = 'main' | 'preload' | 'renderer' | 'sealPage' | 'licences' | 'terminal'

interface Part {
  /** The file in `out/` that exists after the part is built. */
  output: string
  sources: string[]
  make(): Promise<unknown>
}

/**
 * What an installed terminal command consists of: its starters, its manual page and a completion script for each shell.
 */
async function writeTerminalFiles(target: string): Promise<void> {
  // The table of commands loads most of Fitter, which a build for the window does not need.
  const [{ commandGroups }, { completionScript, shells }, { manualPage }] = await Promise.all([
    import('../main/terminal/commands/index.ts'),
    import('../main/terminal/commands/completion.ts'),
    import('../main/terminal/output/help.ts')
  ])
  const completions = join(target, 'completions')
  await mkdir(completions, { recursive: true })
  await cp(join(projectFolder, 'resources', 'packaging', 'terminal'), target, { recursive: true })
  await writeFile(join(target, 'fitter.1.gz'), gzipSync(await manualPage(version), { level: 9 }))
  const names: Record<Shell, string> = {
    bash: 'fitter.bash',
    zsh: '_fitter',
    fish: 'fitter.fish',
    powershell: 'fitter.ps1'
  }
  for (const shell of shells) await writeFile(join(completions, names[shell]), completionScript(shell, commandGroups))
}

const parts: Readonly<Record<PartName, Part>> = {
  main: {
    output: 'main/electron.mjs',
    sources: ['main', 'preload', 'simulator', 'resources', 'package-lock.json', 'vite.main.config.ts'],
    make: () => buildWith('vite.main.config.ts')
  },
  preload: {
    output: 'preload/index.cjs',
    sources: ['preload', 'package-lock.json', 'vite.preload.config.ts'],
    make: () => buildWith('vite.preload.config.ts')
  },
  renderer: {
    output: 'renderer/index.html',
    sources: ['renderer', 'preload', 'resources', 'docs/guide', 'package-lock.json', 'vite.renderer.config.ts'],
    make: () => buildWith('vite.renderer.config.ts')
  },
  sealPage: {
    output: 'sealPage/page.js',
    sources: [
      'main/job/reports',
      'main/base/reading',
      'main/data/store/jobs',
      'main/job/jobs',
      'preload',
      'package-lock.json',
      'vite.sealPage.config.ts'
    ],
    make: () => buildWith('vite.sealPage.config.ts')
  },
  licences: {
    output: 'licences.txt',
    sources: ['package-lock.json', 'bin/deliveredPackages.ts'],
    make: () => writeLicences(projectFolder, join(projectFolder, 'out', 'licences.txt'))
  },
  terminal: {
    output: 'terminal/fitter.1.gz',
    sources: ['main/terminal', 'resources/messages', 'resources/packaging/terminal'],
    make: () => writeTerminalFiles(join(projectFolder, 'out', 'terminal'))
  }
}

/** Vite is loaded when something is built: most starts find everything built already. */
async function buildWith(config: string): Promise<unknown> {
  const { build } = await import('vite')
  return build({ configFile: join(projectFolder, config), logLevel: 'error' })
}

/** The time of the last change below a path; 0 when it is missing. A deleted file changes only its folder. */
function lastChangeMs(path: string): number {
  const state = statSync(path, { throwIfNoEntry: false })
  if (state === undefined) return 0
  if (!state.isDirectory()) return state.mtimeMs
  const inside = readdirSync(path, { recursive: true, withFileTypes: true })
  return Math.max(state.mtimeMs, ...inside.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs))
}

function isStale(part: Part): boolean {
  const builtMs = lastChangeMs(join(projectFolder, 'out', part.output))
  return part.sources.some((source) => lastChangeMs(join(projectFolder, source)) > builtMs)
}

/** Builds those of the named parts that are missing or older than their sources. Returns the built parts. */
export async function buildStale(names: readonly PartName[]): Promise<PartName[]> {
  const stale = names.filter((name) => isStale(parts[name]))
  await Promise.all(stale.map((name) => parts[name].make()))
  return stale
}

/** Builds every part, whether it is stale or not. */
export async function buildAll(): Promise<void> {
  const startedMs = performance.now()
  const names = Object.keys(parts) as PartName[]
  await Promise.all(names.map((name) => parts[name].make()))
  console.log(`Built ${names.join(', ')} in ${((performance.now() - startedMs) / 1000).toFixed(1)} s.`)
}

if (import.meta.main) await (process.argv.length > 2 ? buildStale(process.argv.slice(2) as PartName[]) : buildAll())
