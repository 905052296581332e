import { spawn } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAll, projectFolder } from './build.ts'
import { findScript, toolEnv } from './checks.ts'
import { feedFiles, signFeeds } from './updateFeed.ts'

const reachLimitMs = 3_000

type Platform = 'linux' | 'mac' | 'win'

const ownPlatform: Partial<Record<NodeJS.Platform, Platform>> = { linux: 'linux', darwin: 'mac', win32: 'win' }
const electronName: Readonly<Record<Platform, string>> = { linux: 'linux', mac: 'darwin', win: 'win32' }

export interface PackagePlan {
  platforms: Platform[]
  /** Only the folder of the application: installers need more tools. */
  isFolderOnly: boolean
  /** A folder with an unpacked Electron of this platform. */
  electron: string | undefined
}

/** The sentence that says what is missing; undefined when packages can be made. */
export async function findMissing(
  plan: PackagePlan,
  env: NodeJS.ProcessEnv = process.env
): Promise<string | undefined> {
  const { version } = createRequire(import.meta.url)('electron/package.json') as { version: string }
  const missing =
    plan.electron === undefined ? plan.platforms.filter((platform) => !isElectronCached(platform, version, env)) : []
  if (plan.electron !== undefined && !existsSync(join(plan.electron, 'version')))
    return `${plan.electron} is not the folder of an unpacked Electron: it has no file "version".`
  if (missing.length > 0) {
    const host = env.ELECTRON_MIRROR ?? env.npm_config_electron_mirror ?? 'https://github.com/'
    if (!(await canReach(host))) {
      return `Electron ${version} for ${missing.map((platform) => electronName[platform]).join(' and ')} is not on this computer and ${new URL(host).host} cannot be reached: set ELECTRON_MIRROR to a mirror, or pass the folder of an unpacked Electron with "npm run package -- --electron FOLDER".`
    }
  }
  if (plan.isFolderOnly || hasInstallerTools(env)) return undefined
  const host = env.ELECTRON_BUILDER_BINARIES_MIRROR ?? 'https://github.com/'
  if (await canReach(host)) return undefined
  return `The tools that make installers are not on this computer and ${new URL(host).host} cannot be reached: set ELECTRON_BUILDER_BINARIES_MIRROR to a mirror, or make only the folder of the application with "npm run package -- --dir".`
}

/** npm installs the picture library for this system alone. The sentence that says how to add those of the others. */
export function findMissingPictures(
  platforms: readonly Platform[],
  archs: readonly string[],
  folder = join(projectFolder, 'node_modules')
): string | undefined {
  const { version, optionalDependencies } = JSON.parse(
    readFileSync(join(projectFolder, 'node_modules', 'sharp', 'package.json'), 'utf8')
  ) as { version: string; optionalDependencies: Record<string, string> }
  const targets = platforms.flatMap((platform) =>
    (platform === 'mac' || archs.length === 0 ? ['x64', 'arm64'] : archs).map(
      (arch) => `${electronName[platform]}-${arch}`
    )
  )
  const missing = targets
    .flatMap((target) => [`@img/sharp-${target}`, `@img/sharp-libvips-${target}`])
    .filter((name) => name in optionalDependencies && !existsSync(join(folder, name)))
  if (missing.length === 0) return undefined
  return `The picture library (sharp ${version}) is not installed for every target. Run: npm install --no-save --force ${missing.map((name) => `${name}@${optionalDependencies[name]}`).join(' ')}`
}

/** Where Electron's download and electron-builder's tools are kept (their own defaults). */
function cacheFolder(name: 'electron' | 'electron-builder', env: NodeJS.ProcessEnv): string {
  const given = name === 'electron' ? env.electron_config_cache : env.ELECTRON_BUILDER_CACHE
  if (given !== undefined && given !== '') return given
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', name)
  if (process.platform === 'win32') return join(env.LOCALAPPDATA ?? homedir(), name, 'Cache')
  return join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), name)
}

function isElectronCached(platform: Platform, version: string, env: NodeJS.ProcessEnv): boolean {
  return (
    globSync(join(cacheFolder('electron', env), '**', `electron-v${version}-${electronName[platform]}-*.zip`)).length >
    0
  )
}

function hasInstallerTools(env: NodeJS.ProcessEnv): boolean {
  const folder = cacheFolder('electron-builder', env)
  return existsSync(folder) && readdirSync(folder).length > 0
}

async function canReach(address: string): Promise<boolean> {
  try {
    await fetch(address, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(reachLimitMs) })
    return true
  } catch {
    return false
  }
}

/** A line for each kind of signature that will be missing, with what it needs. */
export function listUnsigned(platforms: readonly Platform[], env: NodeJS.ProcessEnv = process.env): string[] {
  const has = (...names: string[]): boolean => names.every((name) => Boolean(env[name]))
  const lines: string[] = []
  if (platforms.includes('win') && !has('WIN_CSC_LINK') && !has('CSC_LINK'))
    lines.push('The packages for Windows are not signed: set WIN_CSC_LINK (certificate file) and WIN_CSC_KEY_PASSWORD.')
  if (platforms.includes('mac')) {
    if (!has('CSC_LINK') && !has('CSC_NAME'))
      lines.push('The packages for macOS are not signed: set CSC_LINK (certificate file) and CSC_KEY_PASSWORD.')
    if (
      !has('APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER') &&
      !has('APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID')
    ) {
      lines.push(
        'The packages for macOS are not notarised: set APPLE_API_KEY (key file), APPLE_API_KEY_ID and APPLE_API_ISSUER.'
      )
    }
  }
  return lines
}

/**
 * `npm run package [-- --linux --mac --win] [--dir] [--electron FOLDER] [--arch x64|arm64]`: installers, in
 * `out/packages`.
 */
async function makePackages(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      linux: { type: 'boolean' },
      mac: { type: 'boolean' },
      win: { type: 'boolean' },
      dir: { type: 'boolean' },
      electron: { type: 'string' },
      arch: { type: 'string', multiple: true }
    }
  })
  const asked = (['linux', 'mac', 'win'] as const).filter((platform) => values[platform])
  const own = ownPlatform[process.platform]
  const platforms = asked.length > 0 || own === undefined ? asked : [own]
  const missing =
    (await findMissing({ platforms, isFolderOnly: values.dir ?? false, electron: values.electron })) ??
    findMissingPictures(platforms, values.arch ?? [])
  if (missing !== undefined) {
    console.error(missing)
    return 1
  }
  for (const line of listUnsigned(platforms)) console.error(line)
  await buildAll()
  const parameters = [
    ...platforms.map((platform) => `--${platform}`),
    ...(values.dir ? ['--dir'] : []),
    ...(values.arch ?? []).map((arch) => `--${arch}`),
    '--publish',
    'never',
    ...(values.electron === undefined ? [] : [`-c.electronDist=${values.electron}`])
  ]
  const code = await new Promise<number>((resolve) => {
    const child = spawn(process.execPath, [findScript(['electron-builder', 'electron-builder']), ...parameters], {
      cwd: projectFolder,
      stdio: 'inherit',
      env: toolEnv
    })
    child.on('exit', (exitCode) => resolve(exitCode ?? 1))
  })
  const unsigned = code === 0 && !values.dir ? signFeeds(feedFiles()) : undefined
  if (unsigned !== undefined) console.error(unsigned)
  return code
}

if (import.meta.main) process.exitCode = await makePackages(process.argv.slice(2))
