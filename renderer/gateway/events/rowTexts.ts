import type { EventRow } from '../../../preload/contract/gateway/vehicles/eventLog.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import { isPlace } from '../../../preload/base/maps/position.ts'
import { formatSeconds } from '../../base/format.ts'
import { placeText } from '../../../preload/base/maps/position.ts'
import { reader, say } from '../../base/say.ts'
import { t } from '../../base/texts.ts'
import { sayMoment } from './times.ts'

/** Event texts repeat often: each text is created once. */
const mostTexts = 5_000
const texts = new Map<string, string>()
let madeFor = reader.value

function once(key: string, make: () => string): string {
  if (madeFor !== reader.value || texts.size > mostTexts) texts.clear()
  madeFor = reader.value
  let text = texts.get(key)
  if (text === undefined) texts.set(key, (text = make()))
  return text
}
const sayOnce = (message: Message | null): string =>
  message === null ? '' : once(JSON.stringify(message), () => say(message))

/** A text with one word in it that is different in every row. */
const blank = '\u0000'
const fill = (key: string, make: () => string, word: string): string => once(key, make).replace(blank, word)

/** The position of an event; null without one, and for 0, 0: a receiver that never had a fix reports that. */
export function placeOfRow({
  latitude,
  longitude
}: Pick<EventRow, 'latitude' | 'longitude'>): { latitude: number; longitude: number } | null {
  if (latitude === null || longitude === null) return null
  return isPlace(latitude, longitude) ? { latitude, longitude } : null
}

export interface RowWords {
  happened: string
  /** Of a group: the time of its first event. */
  since: string
  delay: string
  what: string
  detail: string
  /** Of a group: the number of its events, and what a press on it does. */
  times: string
  open: string
  where: string
  /** Grey: what is not the position of this event. */
  last: string
}

/** The text of a row besides the values of its columns. */
export function rowWords(row: EventRow, isLong: boolean): RowWords {
  const { happenedMs, delayS, mark, group, change } = row
  // The mark beside the event already says this; the events of a group differ in it.
  const detail = group === null && (mark === null || mark === 'connection') ? sayOnce(row.detail) : ''
  return {
    happened: happenedMs === null ? t('windowEventLog.noTime') : sayMoment(happenedMs, isLong),
    since:
      group === null || group.sinceMs === null
        ? ''
        : fill('since', () => t('windowEventLog.since', { time: blank }), sayMoment(group.sinceMs, false)),
    delay: delayS === null ? '–' : once(`delay ${String(delayS)}`, () => formatSeconds(delayS)),
    what: change === null ? sayOnce(row.what) : once(change, () => t(`windowEventLog.${change}`)),
    detail: change === null ? detail : sayOnce(row.what),
    times: group === null ? '' : once(`times ${group.n}`, () => t('windowEventLog.times', { n: group.n })),
    open: group === null ? '' : once(`open ${group.n}`, () => t('windowEventLog.openGroup', { n: group.n })),
    ...sayPlace(row)
  }
}

function sayPlace(row: EventRow): { where: string; last: string } {
  const named = (fences: readonly string[], place: { latitude: number; longitude: number }): string =>
    fences.length > 0 ? fences.join(', ') : placeText(place)
  const placed = placeOfRow(row)
  if (row.fix !== false && row.validPosition !== false)
    return { where: placed ? named(row.fences, placed) : '', last: '' }
  const last = row.lastPlace
    ? fill('last', () => t('windowEventLog.lastPlace', { place: blank }), named(row.lastPlace.fences, row.lastPlace))
    : ''
  // A keep-alive has no position at all.
  return { where: row.fix === false ? once('noFix', () => t('windowEventLog.noFix')) : '', last }
}
