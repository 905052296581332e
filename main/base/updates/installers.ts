import { rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { MacUpdater, NsisUpdater, Provider, type AppUpdater, type UpdateInfo } from 'electron-updater'
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js'
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js'
import type { FeedFile } from './feedForm.ts'
import { copyAnew, isWhole } from './packages.ts'
import type { Installer } from './updates.ts'

/** The program that electron-updater works for; in the desktop window it is Electron's `app`. */
export type HostApp = Omit<AppAdapter, 'quit' | 'relaunch' | 'onQuit' | 'whenReady'>

interface Verified {
  version: string
  path: string
  file: FeedFile
}

const macLimitMs = 60_000

/** The installer of this platform. AppImages need only their file; the other two are electron-updater's. */
export function createInstaller(
  app: HostApp,
  platform: NodeJS.Platform = process.platform,
  appImage: string | undefined = process.env['APPIMAGE']
): Installer {
  if (platform === 'win32')
    return installWithNsis(
      new NsisUpdater(
        undefined,
        adapt(app, () => undefined)
      )
    )
  if (platform === 'darwin') return installOnMac(app)
  if (appImage === undefined || !path.isAbsolute(appImage)) throw new Error('This Fitter is not an AppImage.')
  return replaceAppImage(appImage)
}

/**
 * Not with electron-updater, which removes the running file before it moves the new one: a full disk would leave none.
 */
function replaceAppImage(program: string): Installer {
  const beside = `${program}.new`
  let prepared: FeedFile | undefined
  return {
    program,
    async prepare({ path: from, file }) {
      prepared = undefined
      await copyAnew(from, beside, { mode: 0o755, whole: file })
      prepared = file
    },
    discard() {
      prepared = undefined
      rmSync(beside, { force: true })
    },
    async installNow() {
      // Fitter may have run for hours since: the file is read again.
      if (!prepared || !(await isWhole(beside, prepared)))
        throw new Error('The copy beside the program differs from the package.')
      await rename(beside, program)
    }
  }
}

/**
 * Checks the publisher that the running Fitter was signed by (`app-update.yml`), and runs the installer without a
 * question.
 */
export function installWithNsis(updater: NsisUpdater): Installer {
  updater.disableWebInstaller = true
  let given: Given | undefined
  return {
    async prepare(verified) {
      given = await giveTo(updater, verified)
    },
    async installNow() {
      await assertWhole(given)
      if (!updater.install(true, false)) throw new Error('The installer was not started.')
    }
  }
}

/** macOS itself compares the signature with that of the running Fitter, and replaces it when it has ended. */
function installOnMac(app: HostApp): Installer {
  const handedOver = Promise.withResolvers<void>()
  const updater = new MacUpdater(
    undefined,
    adapt(app, () => handedOver.resolve())
  )
  updater.autoRunAppAfterInstall = false
  let given: Given | undefined
  return {
    async prepare(verified) {
      given = await giveTo(updater, verified)
    },
    async installNow() {
      await assertWhole(given)
      updater.on('error', handedOver.reject)
      const timer = setTimeout(
        () => handedOver.reject(new Error('macOS did not accept the package in time.')),
        macLimitMs
      )
      updater.quitAndInstall()
      await handedOver.promise.finally(() => clearTimeout(timer))
    }
  }
}

function adapt(app: HostApp, quit: () => void): AppAdapter {
  // An object of its own: `app` may be a class of Electron with getters.
  const { version, name, isPackaged, appUpdateConfigPath, userDataPath, baseCachePath } = app
  return {
    version,
    name,
    isPackaged,
    appUpdateConfigPath,
    userDataPath,
    baseCachePath,
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit,
    onQuit: () => undefined
  }
}

/** The file that electron-updater will install. */
interface Given {
  path: string
  file: FeedFile
}

/** It lay on the disk since it was prepared. */
async function assertWhole(given: Given | undefined): Promise<void> {
  if (!given || !(await isWhole(given.path, given.file))) throw new Error('The prepared package differs from the feed.')
}

/** Offers a verified package to electron-updater as if it came from a server: then its own checks run as well. */
async function giveTo(updater: AppUpdater, { version, path: from, file }: Verified): Promise<Given> {
  updater.logger = null
  updater.autoDownload = false
  updater.autoInstallOnAppQuit = false
  updater.disableDifferentialDownload = true
  updater.isUserWithinRollout = () => true
  const info: UpdateInfo = { version, files: [file], path: file.url, sha512: file.sha512, releaseDate: '' }
  updater.setFeedURL({ provider: 'custom', updateProvider: providerOf(info, pathToFileURL(from)) })
  Object.assign(updater, { httpExecutor: { download: copyTo(file) } })
  const found = await updater.checkForUpdates()
  if (!found?.isUpdateAvailable) throw new Error('The platform’s updater does not accept this version.')
  const [own] = await updater.downloadUpdate()
  if (own === undefined) throw new Error('The platform’s updater has no file of this version.')
  return { path: own, file }
}

function copyTo(file: FeedFile): (url: URL, destination: string) => Promise<string> {
  return async (url, destination) => {
    await copyAnew(fileURLToPath(url), destination, { mode: 0o700, whole: file })
    return destination
  }
}

function providerOf(info: UpdateInfo, url: URL) {
  return class VerifiedPackage extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, runtime: ProviderRuntimeOptions) {
      super(runtime)
    }
    override getLatestVersion(): Promise<UpdateInfo> {
      return Promise.resolve(info)
    }
    override resolveFiles(): { url: URL; info: UpdateInfo['files'][number] }[] {
      return info.files.map((file) => ({ url, info: file }))
    }
  }
}
