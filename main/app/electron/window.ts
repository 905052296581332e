import { app, BrowserWindow, dialog, type WebContents } from 'electron'
import { message } from '../../../preload/contract/messages.ts'
import { createTexts } from '../../base/messages/texts.ts'
import { isOwnAddress } from './origin.ts'
import { createReloadBrake } from './reloadBrake.ts'
import { readWindowState, rememberBounds } from './windowBounds.ts'

/** The page never opens a window, leaves our origin, or embeds another page. */
export function guardContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-navigate', (event) => {
    if (!isOwnAddress(event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => {
    if (!isOwnAddress(event.url)) event.preventDefault()
  })
  contents.on('will-frame-navigate', (event) => {
    if (!isOwnAddress(event.url)) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

/** Creates the window, still empty. It is shown when the page is painted, so that nobody sees a white rectangle. */
export function makeWindow(preloadPath: string): BrowserWindow {
  const { bounds, isMaximized } = readWindowState()
  const window = new BrowserWindow({
    ...bounds,
    minWidth: 1024,
    minHeight: 640,
    title: 'Fitter',
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      preload: preloadPath,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webviewTag: false,
      spellcheck: false, // the dictionaries would be downloaded from the internet
      devTools: !app.isPackaged
    }
  })
  window.once('ready-to-show', () => {
    if (isMaximized) window.maximize()
    window.show()
  })
  window.on('close', () => rememberBounds(window))
  const brake = createReloadBrake()
  window.webContents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit' || window.isDestroyed()) return
    if (brake.mayReload()) window.reload()
    else {
      // Without a window nobody could switch anything off; quitting does it.
      dialog.showErrorBox('Fitter', createTexts().say(message('app.windowKeepsFailing')))
      app.quit()
    }
  })
  return window
}
