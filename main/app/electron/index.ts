import { app, dialog, protocol } from 'electron'
import { findRefusedSwitch, findTerminalArgs } from './commandLine.ts'
import { registerScheme } from './protocol.ts'

const terminalArgs = findTerminalArgs(process.argv)

// A command has no window, so it may run beside one: the data folder has a lock of its own.
if (terminalArgs !== undefined) {
  if (!(await refuseSwitches())) {
    const { runTerminal } = await import('../../terminal/index.ts')
    await runTerminal(terminalArgs)
  }
}
// The lock comes first: a second Fitter on the same data must end before it touches anything. `app.exit`, because
// `app.quit` would let the rest of this file run.
else if (!app.requestSingleInstanceLock()) app.exit(0)
else if (!(await refuseSwitches())) {
  // Both only work before `ready`.
  app.enableSandbox()
  registerScheme(protocol)
  // Loaded after the lock, because the core opens files at once.
  const { startDesktop } = await import('./desktop.ts')
  await startDesktop()
}

/** True when Fitter must not continue. */
async function refuseSwitches(): Promise<boolean> {
  const name = app.isPackaged ? findRefusedSwitch((candidate) => app.commandLine.hasSwitch(candidate)) : undefined
  if (name === undefined) return false
  const [{ createTexts }, { message }] = await Promise.all([
    import('../../base/messages/texts.ts'),
    import('../../../preload/contract/messages.ts')
  ])
  const texts = createTexts()
  dialog.showErrorBox(texts.say(message('app.cannotStart')), texts.say(message('app.switchRefused', { name })))
  app.exit(2)
  return true
}
