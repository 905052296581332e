import type { BrowserWindow, IpcMain, IpcMainInvokeEvent } from 'electron'
import { beatChannel, beatMs, callChannel, eventChannel } from '../../../preload/channels.ts'
import type { CallResult } from '../../../preload/contract/errors.ts'
import { message } from '../../../preload/contract/messages.ts'
import { refusal, type Host } from '../frontEnd.ts'
import { isOwnAddress } from './origin.ts'

type Window = Pick<BrowserWindow, 'isDestroyed' | 'webContents'>
type Sender = Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>

/** The sender must be the main frame of our own window while it shows our own page. */
function isOwnSender({ sender, senderFrame }: Sender, window: Window): boolean {
  if (senderFrame === null || window.isDestroyed()) return false
  return sender === window.webContents && senderFrame === window.webContents.mainFrame && isOwnAddress(senderFrame.url)
}

/** The answer to a call of this sender; the core sees only those of our own page. */
export async function answerCall(
  host: Pick<Host, 'call'>,
  window: Window | undefined,
  event: Sender,
  name: unknown,
  input: unknown
): Promise<CallResult<unknown>> {
  if (window === undefined || !isOwnSender(event, window)) return refusal(message('app.notOurWindow'))
  if (typeof name !== 'string') return refusal(message('app.callUnnamed'))
  return host.call(name, input)
}

/**
 * Where an event goes: the main frame while it shows our own page, otherwise nowhere. `webContents.send` reaches no
 * other frame.
 */
export function findReceiver(window: Window | undefined): BrowserWindow['webContents'] | undefined {
  if (window === undefined || window.isDestroyed()) return undefined
  return isOwnAddress(window.webContents.mainFrame.url) ? window.webContents : undefined
}

/** The only way in (calls) and out (events); nothing else uses `ipcMain`. Returns its stop function. */
export function routeCalls(
  ipcMain: Pick<IpcMain, 'handle' | 'removeHandler'>,
  host: Host,
  currentWindow: () => BrowserWindow | undefined
): () => void {
  ipcMain.handle(callChannel, (event, name: unknown, input: unknown) =>
    answerCall(host, currentWindow(), event, name, input)
  )
  const stopEvents = host.onEvent((name, payload) => findReceiver(currentWindow())?.send(eventChannel, name, payload))
  const beat = setInterval(() => findReceiver(currentWindow())?.send(beatChannel), beatMs)
  return () => {
    clearInterval(beat)
    stopEvents()
    ipcMain.removeHandler(callChannel)
  }
}
