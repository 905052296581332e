import { createNotifier, isNotified } from '../../../preload/support/activity/notifier.ts'
import { call, subscribe } from '../../base/bridge.ts'
import { say } from '../../base/say.ts'
import { useApp } from '../../base/shell/app.store.ts'
import { useSettings } from '../../base/shell/settings.store.ts'
import { t } from '../../base/texts.ts'
import { useActivity } from './activity.store.ts'

/** Whether a person sees this page now. */
function isLooking(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus()
}

/**
 * In a browser the page notifies, and only after the person allowed it there; the desktop window does it from its own
 * process.
 */
export function mayNotify(): boolean {
  return useApp().info?.frontEnd === 'browser' && 'Notification' in window && Notification.permission === 'granted'
}

/**
 * Tells the core whether this window is looked at, and notifies of what happens in the meantime. Ends with the returned
 * function.
 */
export function watchLooking(): () => void {
  const view = crypto.randomUUID()
  let known: boolean | undefined
  function reportLooking(): void {
    const now = isLooking()
    if (now === known) return
    const wasKnown = known !== undefined
    known = now
    // Nobody waits for it; the next change tells the core again.
    call('activity.looking', { view, isLooking: now })
      .then(() => (now && wasKnown ? useActivity().load() : undefined))
      .catch(() => undefined)
  }
  const notifier = createNotifier({
    isLooking,
    wants: (kind) => mayNotify() && isNotified(useSettings().settings, kind),
    say,
    sayMore: (n) => t('windowApp.notices.andMore', { n }),
    show({ title, body, place }) {
      const notification = new Notification(title, { body })
      notification.onclick = () => {
        window.focus()
        useActivity().open({ place: place ?? { screen: 'activity', id: '' } })
      }
    }
  })
  const stop = subscribe('activity.added', ({ entry }) => notifier.take(entry))
  const changes = ['focus', 'blur', 'pagehide'] as const
  for (const name of changes) window.addEventListener(name, reportLooking)
  document.addEventListener('visibilitychange', reportLooking)
  reportLooking()
  return () => {
    notifier.stop()
    stop()
    for (const name of changes) window.removeEventListener(name, reportLooking)
    document.removeEventListener('visibilitychange', reportLooking)
  }
}
