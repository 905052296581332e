import { formatTime } from '../../../preload/base/messages/times.ts'
import { formatDay, formatTimeOfDay } from '../../base/format.ts'
import { reader } from '../../base/say.ts'
import { t } from '../../base/texts.ts'
import type { Shape } from '../../base/ui/status.ts'
import { startOfDay, wallMs } from '../../../preload/base/messages/zone.ts'

/** When a prepared job is due: the weekday for near dates, and amber when late. */
export function dueOf(dueAt: string | null, nowMs: number): { text: string; shape: Shape; isLate: boolean } {
  if (dueAt === null) return { text: t('windowAssigned.noDate'), shape: 'wait', isLate: false }
  const day = formatDay(dueAt)
  const time = formatTimeOfDay(dueAt)
  const text =
    day === formatDay(nowMs)
      ? t('windowAssigned.today', { time })
      : day === formatDay(startOfDay(nowMs, reader.value.timeZone, 1))
        ? t('windowAssigned.tomorrow', { time })
        : formatTime(dueAt, 'shortDayAndTime', reader.value)
  const isLate = Date.parse(dueAt) < nowMs
  return isLate
    ? { text: t('windowAssigned.late', { when: text }), shape: 'warn', isLate }
    : { text, shape: 'wait', isLate }
}

/** The moment at which the clock of a time zone shows `2026-11-23T13:30`; null for an invalid time. */
export function instantOf(shown: string, timeZone: string): string | null {
  const atMs = wallMs(shown, timeZone)
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString()
}
