import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { build, type Plugin } from 'vite'
import { projectFolder } from '../../../bin/build.ts'
import type { BootReport } from './bootRules.ts'
import { changeCode } from '../changeCode.ts'
import { makePageFolder } from './pageFolder.ts'

/** A change to a source file that a build must not survive unnoticed. */
export interface Sabotage {
  file: string
  from: string | RegExp
  to: string
}

/** Below node_modules, so that a bundle finds the packages that stay outside of it. */
export function makeBuildFolder(): { folder: string; remove(): void } {
  const parent = join(projectFolder, 'node_modules', '.cache', 'fitter')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'boot-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function sabotagePlugin(sabotage: Sabotage): Plugin {
  return {
    name: 'sabotage',
    enforce: 'pre',
    transform(code, id) {
      if (relative(projectFolder, id) !== sabotage.file) return undefined
      const { from, to } = sabotage
      const broken = typeof from === 'string' ? changeCode(code, from, to) : code.replace(from, to)
      if (broken === code) throw new Error(`${sabotage.file} no longer holds what this test breaks: ${sabotage.from}`)
      return { code: broken, map: null }
    }
  }
}

const replaceWorkplace: Plugin = {
  name: 'replace-workplace',
  enforce: 'pre',
  resolveId: (source) =>
    // Without the core the terminal command has nothing to do either.
    source.endsWith('/workplace.ts') || source.endsWith('/cli/index.ts')
      ? join(projectFolder, 'test/world/window/workplaceStandIn.ts')
      : undefined
}

/** The threads beside it are files of their own, and nothing of the shell is in them. */
const shellAlone: Plugin = {
  name: 'shell-alone',
  options: (options) => ({ ...options, input: { electron: 'main/app/electron/index.ts' } })
}

/** Builds the shell alone, without a core, with the shipped configuration. Returns the bundle's path. */
export async function buildShell(part: 'main' | 'preload', folder: string, sabotage?: Sabotage): Promise<string> {
  const plugins = part === 'main' ? [replaceWorkplace, shellAlone] : []
  if (sabotage !== undefined) plugins.push(sabotagePlugin(sabotage))
  await build({
    configFile: join(projectFolder, `vite.${part}.config.ts`),
    root: projectFolder,
    logLevel: 'error',
    plugins,
    build: { outDir: folder, sourcemap: false }
  })
  return join(folder, part === 'main' ? 'electron.mjs' : 'index.cjs')
}

/** Runs a built main bundle in a Node of its own on the stand-in for Electron. */
export async function bootShell(bundle: string, env: Record<string, string> = {}): Promise<BootReport> {
  const page = makePageFolder()
  const app = join(page.folder, '..', 'app')
  mkdirSync(join(app, 'out'), { recursive: true })
  mkdirSync(join(app, 'userData'))
  if (env['FITTER_TEST_WINDOW']) writeFileSync(join(app, 'userData', 'window.json'), env['FITTER_TEST_WINDOW'])
  symlinkSync(page.folder, join(app, 'out', 'renderer'))
  symlinkSync(join(projectFolder, 'resources'), join(app, 'resources'))
  try {
    const scenario = join(projectFolder, 'test/world/window/bootScenario.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [scenario, bundle], {
      env: { ...process.env, ...env, FITTER_TEST_APP: app },
      timeout: 120_000
    })
    return JSON.parse(stdout) as BootReport
  } finally {
    page.remove()
  }
}
