import type { EventRow } from '../../../preload/contract/vehicles/eventLog.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import { isZeroPlace } from '../../../preload/events/fields.ts'
import { formatSeconds } from '../../format.ts'
import { placeText } from '../../instruments/map/mapPositions.ts'
import { reader, say } from '../../say.ts'
import { t } from '../../texts.ts'
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
const sayOnce = (message: Message | null): string => (message === null ? '' : once(JSON.stringify(message), () => say(message)))

/** The position of an event; null without one, and for 0, 0: a receiver that never had a fix reports that. */
export function placeOfRow({ latitude, longitude }: Pick<EventRow, 'latitude' | 'longitude'>): { latitude: number; longitude: number } | null {
  if (latitude === null || longitude === null) return null
  return isZeroPlace(latitude, longitude) ? null : { latitude, longitude }
}

/** The text of a row besides the values of its columns. */
export function rowWords(row: EventRow, isLong: boolean): { happened: string; delay: string; what: string; where: string } {
  const { happenedMs, delayS, mark, fences } = row
  // The mark at the end of the row already says this.
  const detail = mark === null || mark === 'connection' ? sayOnce(row.detail) : ''
  const placed = placeOfRow(row)
  const place = placed === null ? '' : fences.length > 0 ? fences.join(', ') : placeText(placed)
  return {
    happened: happenedMs === null ? t('windowEventLog.noTime') : sayMoment(happenedMs, isLong),
    delay: delayS === null ? '–' : once(`delay ${String(delayS)}`, () => formatSeconds(delayS)),
    what: detail === '' ? sayOnce(row.what) : `${sayOnce(row.what)}, ${detail}`,
    where: place !== '' && row.validPosition === false ? t('windowEventLog.lastPlace', { place }) : place
  }
}
