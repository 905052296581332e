import { app, BrowserWindow, dialog, powerMonitor } from 'electron'
import type { Host } from '../app/frontEnd.ts'

/** How long the core may take to finish its writes after the outputs are off. */
const stopLimitMs = 5_000

/** Fitter does not end before its outputs are off: quitting waits for the proof, and without it the person must confirm. */
export function quitInOrder(host: Host): void {
  let quitting: Promise<void> | undefined
  app.on('before-quit', (event) => {
    event.preventDefault()
    quitting ??= quit(host).finally(() => (quitting = undefined))
  })
  // The system ends or sleeps: there is no time for a question, but for switching off.
  powerMonitor.on('suspend', () => void host.outputsOff())
  powerMonitor.on('shutdown', holdBack as () => void)
}

/** The computer waits a while if asked; Electron's types lack this event. */
function holdBack(event: { preventDefault(): void }): void {
  event.preventDefault()
  app.quit()
}

/** Windows ends the session: the window is informed before the application. */
export function watchSessionEnd(window: BrowserWindow, host: Host): void {
  window.on('query-session-end', () => void host.outputsOff())
  window.on('session-end', () => void host.outputsOff())
}

async function quit(host: Host): Promise<void> {
  for (let left = await host.outputsOff(); left !== null; left = await host.outputsOff()) {
    const { response } = await dialog.showMessageBox({
      type: 'warning',
      message: left.sentence,
      buttons: [left.stay, left.quit],
      defaultId: 0,
      cancelId: 0,
      noLink: true
    })
    if (response === 1) break
    // Without a window nobody could watch the output: Fitter tries and asks again.
    if (BrowserWindow.getAllWindows().length > 0) return
  }
  const limit = new Promise<void>((resolve) => setTimeout(resolve, stopLimitMs))
  try {
    await Promise.race([host.stop(), limit])
    await host.installUpdate()
    app.exit(0)
  } catch {
    app.exit(70)
  }
}
