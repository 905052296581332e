import { message, type Message } from '../../../../preload/contract/messages.ts'
import { assistanceLabels } from './assistance.ts'
import { readBluetoothTag } from './bluetoothTag.ts'
import { arrivedMs, eventMs } from './eventTimes.ts'
import { booleanIn, numberIn, textIn, type Fields } from './fields.ts'
import { labelText } from './label.ts'

export interface EventContext {
  /** The records of `GET /labels`; empty while they cannot be read. */
  labels: Fields
  names?: ReadonlyMap<number, string>
  /** From the speed of the event to km/h, by default from m/s; null: an unknown unit, and the speed is left out. */
  kmhPer?: number | null
}

const typesWithPlace = [10, 11, 12, 13]
const regularTypes = [10, 11, 13]
/** The only documented metric, without a unit. */
const maximumSpeed = 2
/** A lower speed is noise of a parked receiver. */
const drivingFromKmh = 3

/** A rawdata event in words ("Rawdata event", event types and labels), for the window, the terminal and the reports. */
export function sayEvent(event: Fields, context: EventContext) {
  const [happened, arrived] = [eventMs(event), arrivedMs(event)]
  const passedS =
    happened === undefined || arrived === undefined ? null : Math.max(0, Math.round((arrived - happened) / 1000))
  return {
    what: sayWhat(event, context.labels),
    /** The movement, the people and assets, and how the event arrived. */
    detail: joined(detailsOf(event, context)),
    /** By the device's clock, and by the gateway's. */
    happenedAt: isoOf(happened),
    arrivedAt: isoOf(arrived),
    delayS: numberIn(event, 'comdelay', 0) ?? passedS
  }
}

/** The text of an event label in both languages; null when neither the gateway nor its document has one. */
export function sayLabel(labels: Fields, label: string): Message | null {
  const [english, spanish] = [labelText(labels, label, 'en'), labelText(labels, label, 'es')]
  if (english !== label || spanish !== label) return message('events.labelWords', { english, spanish })
  const documented = Object.hasOwn(assistanceLabels, label) ? assistanceLabels[label] : undefined
  return documented
    ? message('events.assistance', {
        words: message('events.labelWords', { english: documented.en, spanish: documented.es })
      })
    : null
}

function sayWhat(event: Fields, labels: Fields): Message {
  const label = textIn(event, 'label')
  const known = label === null ? null : sayLabel(labels, label)
  if (known) return known
  const type = numberIn(event, 'type')
  const ofType = type === null ? null : sayType(type, event)
  // A regular event can have any cause: if its label has no text, the label itself says more than "position".
  if (ofType && (label === null || !regularTypes.includes(type ?? 0))) return ofType
  if (label !== null) return message('events.labelled', { label })
  const code = numberIn(event, 'code')
  if (type === null) return code === null ? message('events.unknown') : message('events.unknownWithCode', { code })
  return code === null ? message('events.otherType', { type }) : message('events.otherTypeWithCode', { type, code })
}

function sayType(type: number, event: Fields): Message | null {
  switch (type) {
    case 10:
    case 13:
      return message('events.position')
    case 11:
      return message('events.positionAndSpeed')
    case 12:
      return message(numberIn(event, 'metric') === maximumSpeed ? 'events.maximumSpeed' : 'events.drivingMetric')
    case 20:
      return message('events.empty')
    case 100:
      return message('events.keepAlive')
    case 110:
      return message('events.connection')
    case 111:
      return message('events.operatorNotice')
    case 150:
      return message('events.message')
    case 301:
      return message('events.duplicate')
    default:
      return null
  }
}

function detailsOf(event: Fields, { names, kmhPer = 3.6 }: EventContext): Message[] {
  const type = numberIn(event, 'type')
  const details: Message[] = []
  const speed = numberIn(event, 'speed', 0)
  const valid = booleanIn(event, 'valid_position')
  if (type !== null && typesWithPlace.includes(type) && valid === false) details.push(message('events.noFix'))
  else if (valid !== false && speed !== null && kmhPer !== null) {
    const speedKmh = Math.round(speed * kmhPer)
    if (speedKmh >= drivingFromKmh) details.push(message('events.driving', { speedKmh }))
    else if (type === 10 || type === 13) details.push(message('events.standing'))
  }
  const isSaidByType = textIn(event, 'label') === null
  if (type === 20 && !isSaidByType) details.push(message('events.withoutGps'))
  if (type === 13) details.push(message('events.keptInDevice'))
  if (type === 301 && !isSaidByType) details.push(message('events.sentTwice'))
  const tag = readBluetoothTag(event)
  if (tag) details.push(...tag.wakeReasons)
  if (numberIn(event, 'dphoto_ptr') !== null) details.push(message('events.withPhoto'))
  const asset = numberIn(event, 'aid')
  const name = asset === null ? undefined : names?.get(asset)
  if (name !== undefined) details.push(message('events.with', { name }))
  return details
}

function joined(details: Message[]): Message | null {
  return details.length === 0 ? null : details.reduce((left, right) => message('events.and', { left, right }))
}

function isoOf(ms: number | undefined): string | null {
  const date = new Date(ms ?? NaN)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
