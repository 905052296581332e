import { ipcMain, type BrowserWindow, type IpcMainInvokeEvent } from 'electron'
import { beatChannel, beatMs, callChannel, eventChannel } from '../../preload/channels.ts'
import { refusal, type Host } from '../app/frontEnd.ts'
import { isOwnAddress } from './origin.ts'
import { message } from '../../preload/contract/messages.ts'

/** The sender has to be the main frame of our own window, showing our own page, now. */
function isOwnSender(event: IpcMainInvokeEvent, window: BrowserWindow): boolean {
  const frame = event.senderFrame
  if (frame === null || window.isDestroyed()) return false
  return event.sender === window.webContents && frame === window.webContents.mainFrame && isOwnAddress(frame.url)
}

/** The one way in (calls) and the one way out (events). Returns its stop function. */
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
    // To the main frame alone: `webContents.send` reaches it only, and our page has no other frame.
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
