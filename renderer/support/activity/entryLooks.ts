import type { LogEntry, LogLevel, LogTopic } from '../../../preload/contract/app/activity.ts'
import { say } from '../../base/say.ts'
import { placeHref } from '../../base/shell/router.ts'
import { t } from '../../base/texts.ts'
import type { Shape } from '../../base/ui/status.ts'

/** In the log, an ordinary line stands back. */
export const levelShapes: Readonly<Record<LogLevel, Shape>> = {
  error: 'fail',
  warning: 'warn',
  info: 'wait',
  debug: 'none'
}

export const logTopics: readonly LogTopic[] = ['job', 'device', 'gateway', 'team', 'data', 'updates', 'app']

/** Where the entry can be looked at; null when there is nothing to open. */
export function linkOf({ place }: LogEntry): { href: string; text: string } | null {
  switch (place?.screen) {
    case 'job':
      return { href: placeHref('job', place.id), text: t('windowActivity.toJob') }
    case 'waiting':
      return { href: placeHref('waiting'), text: t('windowApp.notices.openWaiting') }
    case 'settings':
      return { href: placeHref('settings', place.id), text: t('windowSelfTest.openSettings') }
    case 'device':
      return { href: placeHref('device', place.id), text: t('windowPalette.itsDevice') }
    default:
      return null
  }
}

export function entryAsText(entry: LogEntry): string {
  return [entry.at, entry.level, entry.topic, say(entry.text), entry.detail === null ? '' : say(entry.detail)]
    .filter((part) => part !== '')
    .join('  ')
}
