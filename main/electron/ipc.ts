import { ipcMain, type BrowserWindow, type IpcMainInvokeEvent } from 'electron'
import { beatChannel, beatMs, callChannel, eventChannel } from '../../preload/channels.ts'
import { refusal, type Host } from '../app/frontEnd.ts'
import { isOwnAddress } from './origin.ts'
import { message } from '../../preload/contract/messages.ts'

/** The sender must be the main frame of our own window while it shows our own page. */
function isOwnSender(event: IpcMainInvokeEvent, window: BrowserWindow): boolean {
  const frame = event.senderFrame
  if (frame === null || window.isDestroyed()) return false
  return event.sender === window.webContents && frame === window.webContents.mainFrame && isOwnAddress(frame.url)
}

/** The only way in (calls) and out (events). Returns its stop function. */
export function routeCalls(host: Host, currentWindow: () => BrowserWindow | undefined): () => void {
  ipcMain.handle(callChannel, (event, name: unknown, input: unknown) => {
    const window = currentWindow()
    if (window === undefined || !isOwnSender(event, window)) {
      return refusal(message('app.notOurWindow'))
    }
    if (typeof name !== 'string') return refusal(message('app.callUnnamed'))
    return host.call(name, input)
  })
  const stopEvents = host.onEvent((name, payload) => {
    const window = currentWindow()
    if (window === undefined || window.isDestroyed()) return
    // Only to the main frame: `webContents.send` reaches no other, and our page has none.
    if (isOwnAddress(window.webContents.mainFrame.url)) window.webContents.send(eventChannel, name, payload)
  })
  const beat = setInterval(() => {
    const window = currentWindow()
    if (window !== undefined && !window.isDestroyed()) window.webContents.send(beatChannel)
  }, beatMs)
  return () => {
    clearInterval(beat)
    stopEvents()
    ipcMain.removeHandler(callChannel)
  }
}
