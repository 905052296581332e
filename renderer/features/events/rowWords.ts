import type { EventRow } from '../../../preload/contract/eventLog.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import { formatSeconds } from '../../format.ts'
import { placeText } from '../../map/places.ts'
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

/** What a row of the list says beside the values of its columns. */
export function rowWords(row: EventRow, isLong: boolean): { happened: string; delay: string; what: string; where: string } {
  const { happenedMs, delayS, mark, latitude, longitude, fences } = row
  // What the mark at the end says is not said again.
  const detail = mark === null || mark === 'connection' ? sayOnce(row.detail) : ''
  const place = latitude === null || longitude === null ? '' : fences.length > 0 ? fences.join(', ') : placeText({ latitude, longitude })
  return {
    happened: happenedMs === null ? t('windowEventLog.noTime') : sayMoment(happenedMs, isLong),
    delay: delayS === null ? '–' : once(`delay ${String(delayS)}`, () => formatSeconds(delayS)),
    what: detail === '' ? sayOnce(row.what) : `${sayOnce(row.what)}, ${detail}`,
    where: place !== '' && row.validPosition === false ? t('windowEventLog.lastPlace', { place }) : place
  }
}
