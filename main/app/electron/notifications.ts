import { Notification } from 'electron'
import { createNotifier, isNotified } from '../../../preload/support/activity/notifier.ts'
import { calls } from '../../../preload/contract/index.ts'
import { events } from '../../../preload/contract/events.ts'
import { message } from '../../../preload/contract/messages.ts'
import type { Settings } from '../../../preload/contract/app/settings.ts'
import type { Host } from '../frontEnd.ts'
import { createTexts } from '../../base/messages/texts.ts'

/** Notifications of the system about what happened while the window is in the background. Returns its stop function. */
export function showNotifications(
  host: Pick<Host, 'call' | 'onEvent'>,
  isLooking: () => boolean,
  open: () => void
): () => void {
  let settings: Pick<Settings, 'language' | 'notifications'> = { language: 'en', notifications: {} }
  let texts = createTexts()
  /** A notification that nothing refers to is collected, and its press is lost. */
  const shown = new Set<Notification>()

  function take(next: Pick<Settings, 'language' | 'notifications'>): void {
    settings = next
    texts = createTexts({ language: next.language })
  }

  async function load(): Promise<void> {
    const answer = await host.call('settings.get', {})
    const read = answer.ok ? calls['settings.get'].output.safeParse(answer.value).data : undefined
    if (read) take(read)
  }

  const notifier = createNotifier({
    isLooking,
    wants: (kind) => isNotified(settings, kind),
    say: (text) => texts.say(text),
    sayMore: (n) => texts.say(message('windowApp.notices.andMore', { n })),
    show({ title, body, place }) {
      if (!Notification.isSupported()) return
      const notification = new Notification({ title, body, silent: true })
      shown.add(notification)
      notification.on('click', () => {
        open()
        void host.call('activity.open', { place: place ?? { screen: 'activity', id: '' } })
      })
      notification.on('close', () => shown.delete(notification))
      notification.show()
    }
  })
  const stopEvents = host.onEvent((name, payload) => {
    if (name === 'activity.added') notifier.take(events[name].parse(payload).entry)
    if (name === 'settings.changed') take(events[name].parse(payload))
    if (name === 'app.entered') void load()
  })
  void load()
  return () => {
    notifier.stop()
    stopEvents()
  }
}
