import type { Settings } from '../../preload/contract/app/settings.ts'
import { useApp } from '../shell/app.store.ts'
import type { askFirst } from './firstRequests.ts'

/**
 * Returns the person's settings with the workplace known; nothing as soon as the core says that its data folder is not open, because
 * the page has to tell that meanwhile.
 */
export async function takeFirst({ settings, info, opening }: ReturnType<typeof askFirst>): Promise<Settings | undefined> {
  if ((await opening)?.state !== 'open') return undefined
  const told = await info
  if (told) useApp().take(told)
  return settings
}
