import { app, BrowserWindow, dialog, powerMonitor } from 'electron'
import { onEndSignal, onSuspendSignal } from '../endSignals.ts'
import type { Host, OutputsLeft } from '../frontEnd.ts'

/** How long the core may take to finish its writes after the outputs are off. */
const stopLimitMs = 5_000

/**
 * Fitter does not end before its outputs are off: quitting waits for the proof, and without it the person must confirm.
 */
export function quitInOrder(host: Host): void {
  let quitting: Promise<void> | undefined
  app.on('before-quit', (event) => {
    event.preventDefault()
    quitting ??= quit(host).finally(() => (quitting = undefined))
  })
  // The system ends or sleeps: there is no time for a question, but for switching off.
  powerMonitor.on('suspend', () => void host.outputsOff())
  powerMonitor.on('shutdown', holdBack as () => void)
  // Whoever sends a signal cannot be asked.
  onEndSignal(() => void endUnasked(host))
  onSuspendSignal(async () => sayLeft(await host.outputsOff()))
}

async function endUnasked(host: Host): Promise<void> {
  const left = await host.outputsOff()
  sayLeft(left)
  await stopAndExit(host, left ? 1 : 0)
}

/** At the terminal that started the window, if there is one; the next start shows it too. */
function sayLeft(left: OutputsLeft | null): void {
  if (left) process.stderr.write(`${left.sentence}\n`)
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
  await stopAndExit(host, 0)
}

async function stopAndExit(host: Host, code: number): Promise<void> {
  const limit = new Promise<void>((resolve) => setTimeout(resolve, stopLimitMs))
  try {
    await Promise.race([host.stop(), limit])
    await host.installUpdate()
    app.exit(code)
  } catch {
    app.exit(70)
  }
}
