import { formatTime } from '../../../preload/base/messages/times.ts'
import { reader } from '../say.ts'
import { t } from '../texts.ts'

const nowForMs = 60_000

/** The time of a job's last change, short: the time today, the day this year, the month before that. */
export function formatListed(iso: string, nowMs: number): string {
  const at = Date.parse(iso)
  if (Math.abs(nowMs - at) < nowForMs) return t('common.nowInText')
  const now = new Date(nowMs).toISOString()
  if (formatTime(iso, 'day', reader.value) === formatTime(now, 'day', reader.value))
    return formatTime(iso, 'time', reader.value)
  return formatTime(iso, 'year', reader.value) === formatTime(now, 'year', reader.value)
    ? formatTime(iso, 'dayAndMonth', reader.value)
    : formatTime(iso, 'monthAndYear', reader.value)
}
