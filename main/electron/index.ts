import { app } from 'electron'
import { registerScheme } from './protocol.ts'

// The lock comes first: a second Fitter on the same data must end before it touches anything.
// `app.exit` and not `app.quit`, which would let the rest of this file run.
if (!app.requestSingleInstanceLock()) app.exit(0)
else {
  // Both only work before `ready`.
  app.enableSandbox()
  registerScheme()
  // Loaded after the lock, because the core opens files as soon as it is there.
  const { startDesktop } = await import('./desktop.ts')
  await startDesktop()
}
