import { app, dialog, ipcMain, session, shell, type BrowserWindow, powerMonitor } from 'electron'
import { join } from 'node:path'
import type { OutsidePage } from '../../../preload/contract/app/app.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Host } from '../frontEnd.ts'
import { catchFaults } from '../lastResort.ts'
import { findOutsidePage } from '../../base/page/outsidePages.ts'
import type { WorkplaceOptions } from '../openedWorkplace.ts'
import { openWorkplace } from '../workplace.ts'
import { installedAs, sayNotByItself } from '../../base/updates/notByItself.ts'
import type { Installer } from '../../base/updates/updates.ts'
import { createDesktopFiles } from './desktopFiles.ts'
import { routeCalls } from './ipc.ts'
import { setMenu } from './menu.ts'
import { showNotifications } from './notifications.ts'
import { startAddress } from './origin.ts'
import { restrictPermissions } from './permissions.ts'
import { createSystemProxies } from './proxies.ts'
import { refuseOtherRequests, servePage } from './protocol.ts'
import { quitInOrder, watchSessionEnd } from './quitting.ts'
import { showTray } from './tray.ts'
import { guardContents, makeWindow } from './window.ts'

/** Everything between the single-instance lock and the window. */
export async function startDesktop(): Promise<void> {
  const shown: { window?: BrowserWindow } = {}
  app.on('web-contents-created', (_event, contents) => guardContents(contents))
  app.on('second-instance', () => bringForward(shown.window))
  app.on('window-all-closed', () => app.quit())
  await app.whenReady()

  const host = openHost()
  quitInOrder(host)
  catchFaults({ faulted: (error) => host.faulted(error), end: () => app.quit() })
  restrictPermissions(session.defaultSession)
  refuseOtherRequests(session.defaultSession)
  servePage(session.defaultSession, join(app.getAppPath(), 'out', 'renderer'), host)
  routeCalls(ipcMain, host, () => shown.window)
  watchPower(host)
  setMenu()
  shown.window = makeWindow(join(app.getAppPath(), 'out', 'preload', 'index.cjs'))
  watchSessionEnd(shown.window, host)
  showTray(host, () => bringForward(shown.window))
  showNotifications(
    host,
    () => shown.window?.isFocused() ?? false,
    () => bringForward(shown.window)
  )
  await shown.window.loadURL(startAddress)
}

function bringForward(window: BrowserWindow | undefined): void {
  if (window === undefined || window.isDestroyed()) return
  if (window.isMinimized()) window.restore()
  window.focus()
}

function openHost(): Host {
  return openWorkplace({
    dataFolder: join(app.getPath('userData'), 'data'),
    frontEnd: 'desktop',
    resourcesFolder: join(app.getAppPath(), 'resources'),
    start: process.argv.includes('--training') ? 'training' : 'real',
    openPage,
    desktopFiles: createDesktopFiles(session.defaultSession, shell),
    pickMapFile,
    pickFontFile,
    proxies: createSystemProxies(session),
    pickDataPath,
    updates: findInstaller()
  })
}

/** Only where this program can be replaced. electron-updater is loaded when a package is installed. */
function findInstaller(): WorkplaceOptions['updates'] {
  if (!app.isPackaged || sayNotByItself(installedAs('desktop')) !== null) return undefined
  let loaded: Promise<Installer> | undefined
  const load = (): Promise<Installer> =>
    (loaded ??= import('../../base/updates/installers.ts').then(({ createInstaller }) =>
      createInstaller({
        version: app.getVersion(),
        name: app.getName(),
        isPackaged: true,
        appUpdateConfigPath: join(process.resourcesPath, 'app-update.yml'),
        userDataPath: app.getPath('userData'),
        baseCachePath: app.getPath('userData')
      })
    ))
  return {
    installer: {
      program: process.platform === 'linux' ? process.env['APPIMAGE'] : undefined,
      prepare: async (verified) => (await load()).prepare(verified),
      discard: () => void loaded?.then(({ discard }) => discard?.()),
      installNow: async () => (await load()).installNow()
    }
  }
}

async function openPage(page: OutsidePage): Promise<void> {
  // When packaged, they are beside the archive: only Electron can read inside of it.
  const folders = app.isPackaged ? [process.resourcesPath] : [app.getAppPath(), join(app.getAppPath(), 'out')]
  const path = findOutsidePage(page, folders)
  const problem = await shell.openPath(path)
  if (problem !== '') throw new AppError('NOT_FOUND', message('app.noProgram', { file: path, problem }))
}

/** The page only asks for the dialog; it never learns which files exist. */
async function pickMapFile(): Promise<string | undefined> {
  const { filePaths } = await dialog.showOpenDialog({
    properties: ['openFile'],
    filters: [{ name: 'PMTiles', extensions: ['pmtiles'] }]
  })
  return filePaths[0]
}

async function pickFontFile(): Promise<string | undefined> {
  const { filePaths } = await dialog.showOpenDialog({
    properties: ['openFile'],
    filters: [{ name: 'TrueType, OpenType', extensions: ['ttf', 'otf'] }]
  })
  return filePaths[0]
}

async function pickDataPath(wish: 'saveCopy' | 'copy' | 'folder'): Promise<string | undefined> {
  if (wish === 'saveCopy') {
    const { filePath } = await dialog.showSaveDialog({
      defaultPath: `fitter-${new Date().toISOString().slice(0, 10)}.db`
    })
    return filePath === '' ? undefined : filePath
  }
  const { filePaths } = await dialog.showOpenDialog({ properties: [wish === 'folder' ? 'openDirectory' : 'openFile'] })
  return filePaths[0]
}

/** `resume` comes before the network is back; the core waits for it. */
function watchPower(host: Host): void {
  powerMonitor.on('resume', () => host.powerResumed())
}
