import type { EventView } from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import { formatTime } from '../../../preload/base/messages/times.ts'
import { reader } from '../../base/say.ts'
import { t } from '../../base/texts.ts'
import { startOfDay } from '../../../preload/base/messages/zone.ts'

/** The time range that a person chose. */
export type TimeChoice = EventView['time'] | { kind: 'between'; fromMs: number; toMs: number }

export const lastHours = [1, 6, 12, 24, 72, 168, 720] as const

export function rangeOf(choice: TimeChoice, nowMs: number): { fromMs: number; toMs: number } {
  const { timeZone } = reader.value
  if (choice.kind === 'between') return choice
  if (choice.kind === 'last') return { fromMs: nowMs - choice.hours * 3_600_000, toMs: nowMs }
  const today = startOfDay(nowMs, timeZone)
  return choice.kind === 'today'
    ? { fromMs: today, toMs: nowMs }
    : { fromMs: startOfDay(nowMs, timeZone, -1), toMs: today - 1000 }
}

export function sayTime(choice: TimeChoice): string {
  if (choice.kind === 'last') return sayHours(choice.hours)
  if (choice.kind !== 'between') return choice.kind === 'today' ? t('common.today') : t('windowEventLog.time.yesterday')
  const text = (ms: number) => formatTime(ms, 'shortDayAndTime', reader.value)
  return t('common.fromToTo', { from: text(choice.fromMs), to: text(choice.toMs) })
}

export function sayHours(hours: number): string {
  return hours % 24 === 0 && hours > 24
    ? t('common.lastNDays', { n: hours / 24 })
    : t('windowEventLog.time.lastHours', { n: hours })
}

/** A moment in a list: with its day if the list has several days. */
export function sayMoment(ms: number, isLong: boolean, form: 'time' | 'timeWithSeconds' = 'timeWithSeconds'): string {
  const time = formatTime(ms, form, reader.value)
  return isLong ? `${formatTime(ms, 'dayAndMonth', reader.value)} ${time}` : time
}
