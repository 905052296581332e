import type { EventRow } from '../../../preload/contract/vehicles/eventLog.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import { isZeroPlace } from '../../../preload/events/fields.ts'
import { formatSeconds } from '../../format.ts'
import { placeText } from '../../instruments/map/mapPositions.ts'
import { reader, say } from '../../say.ts'
import { t } from '../../texts.ts'
import { sayMoment } from './times.ts'

/** Events say the same few things again and again: each is made a text once. */
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

/** Where an event was; null without a place, and for 0, 0: that is where a receiver puts itself that never had a fix. */
export function placeOfRow({ latitude, longitude }: Pick<EventRow, 'latitude' | 'longitude'>): { latitude: number; longitude: number } | null {
  if (latitude === null || longitude === null) return null
  return isZeroPlace(latitude, longitude) ? null : { latitude, longitude }
}

/** What a row of the list says beside the values of its columns. */
export function rowWords(row: EventRow, isLong: boolean): { happened: string; delay: string; what: string; where: string } {
  const { happenedMs, delayS, mark, fences } = row
  // What the mark at the end says is not said again.
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
