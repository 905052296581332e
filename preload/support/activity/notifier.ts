import type { ActivityKind, LogEntry } from '../../contract/app/activity.ts'
import type { Settings } from '../../contract/app/settings.ts'

export interface NotifierParts {
  /** Someone sees the window: then nothing is shown. */
  isLooking(): boolean
  wants(kind: NonNullable<LogEntry['kind']>): boolean
  say(text: LogEntry['text']): string
  /** Several at once are one notification. */
  sayMore(n: number): string
  show(notification: { title: string; body: string; place: LogEntry['place'] }): void
}

/** What happens within this time is one notification: ten items that were sent are not ten interruptions. */
export const gatherMs = 2_000

/**
 * Notifications of the system about what happened, only while nobody looks at a window. Returns what takes each entry,
 * and its end.
 */
export function createNotifier({ isLooking, wants, say, sayMore, show }: NotifierParts) {
  let waiting: LogEntry[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  function showWaiting(): void {
    timer = undefined
    const [first, ...more] = waiting
    waiting = []
    // A person who came back in the meantime sees it on the screen.
    if (!first || isLooking()) return
    const body = [
      ...(first.detail === null ? [] : [say(first.detail)]),
      ...(more.length > 0 ? [sayMore(more.length)] : [])
    ].join('\n')
    show({ title: say(first.text), body, place: first.place })
  }

  return {
    take(entry: LogEntry): void {
      if (entry.kind === null || isLooking() || !wants(entry.kind)) return
      waiting.push(entry)
      timer ??= setTimeout(showWaiting, gatherMs)
    },
    stop(): void {
      clearTimeout(timer)
    }
  }
}

/** Which kinds notify by the system unless the person decided otherwise: what nobody waits for is off. */
const notifiedByDefault: Readonly<Record<ActivityKind, boolean>> = {
  checkEnded: true,
  deviceLost: true,
  needsYou: true,
  updateReady: true,
  itemsSent: false,
  backupMade: false,
  jobsSynced: false
}

/** The kinds in the order of the settings. */
export const activityKinds = Object.keys(notifiedByDefault) as ActivityKind[]

export function isNotified({ notifications }: Pick<Settings, 'notifications'>, kind: ActivityKind): boolean {
  return notifications[kind] ?? notifiedByDefault[kind]
}
