import { ipcMain, type BrowserWindow } from 'electron'
import { beatChannel, beatMs, callChannel, eventChannel } from '../../preload/channels.ts'
import type { Host } from '../app/frontEnd.ts'
import { answerCall, findReceiver } from './callRouter.ts'

/** The only way in (calls) and out (events). Returns its stop function. */
export function routeCalls(host: Host, currentWindow: () => BrowserWindow | undefined): () => void {
  ipcMain.handle(callChannel, (event, name: unknown, input: unknown) => answerCall(host, currentWindow(), event, name, input))
  const stopEvents = host.onEvent((name, payload) => findReceiver(currentWindow())?.send(eventChannel, name, payload))
  const beat = setInterval(() => findReceiver(currentWindow())?.send(beatChannel), beatMs)
  return () => {
    clearInterval(beat)
    stopEvents()
    ipcMain.removeHandler(callChannel)
  }
}
