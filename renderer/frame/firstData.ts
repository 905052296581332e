import type { Settings } from '../../preload/contract/app/settings.ts'
import { call } from '../bridge.ts'
import { useApp } from '../shell/app.store.ts'

/**
 * Asks at once for all that the first screen cannot be drawn without. Returns the person's settings with the workplace known; nothing
 * as soon as the core says that its data folder is not open, because the page has to tell that meanwhile.
 */
export async function askFirst(): Promise<Settings | undefined> {
  // Why one of them cannot be had is told by the page itself.
  const settings = call('settings.get', {}).catch(() => undefined)
  const info = useApp().load().catch(() => undefined)
  const opening = await call('app.opening', {}).catch(() => undefined)
  if (opening?.state !== 'open') return undefined
  await info
  return settings
}
