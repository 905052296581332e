import { message, type Message } from '../../preload/contract/messages.ts'
import type { Evidence, SeenEvent } from '../../preload/contract/diagnosis/evidence.ts'
import { isZeroPlace } from '../../preload/events/fields.ts'
import { describeEventType } from '../gateway/decoders/eventType.ts'
import { gpsEpochLateS } from '../device/facts.ts'
import { isEventOfDevice } from '../reading/eventOfDevice.ts'

const backlogType = 13
const emptyType = 20
const duplicateType = 301

/** The events of the device that this is about, the newest arrival first. */
export function ownEvents({ imei, gateway }: Evidence): SeenEvent[] {
  const own = imei ?? gateway?.vehicle?.value?.imei ?? null
  return (gateway?.events?.value ?? []).filter((event) => isEventOfDevice(event, own))
}

/** What an event proves: that the device is connected, that it has sent what it kept, or where it is. */
export function kindOf({ type, latitude, longitude }: SeenEvent): 'connection' | 'position' | 'backlog' | 'empty' | 'other' {
  if (type === backlogType) return 'backlog'
  if (type === emptyType) return 'empty'
  if (type === duplicateType) return 'other'
  const group = type === null ? undefined : describeEventType(type)?.group
  if (group === 'connection') return 'connection'
  if (group === 'gps') return 'position'
  return latitude !== null && longitude !== null ? 'position' : 'other'
}

/** Events in which the receiver had its say, whether it found its place or not. */
export function isOfReceiver(event: SeenEvent): boolean {
  return ['position', 'backlog', 'empty'].includes(kindOf(event))
}

/** It names a place: not an empty event, not one that says itself that it is not valid, not the corner of the map. */
export function isPlaced(event: SeenEvent): boolean {
  const { latitude, longitude, isPositionValid } = event
  if (kindOf(event) === 'empty' || isPositionValid === false || latitude === null || longitude === null) return false
  return !isZeroPlace(latitude, longitude)
}

/** In the person's words; the number of a type that is not documented stands for itself. */
export function wordsOf(event: SeenEvent | null): Message {
  switch (event && kindOf(event)) {
    case 'connection':
      return message('chain.event.connection')
    case 'position':
      return message('chain.event.position')
    case 'backlog':
      return message('chain.event.backlog')
    case 'empty':
      return message('chain.event.empty')
    default:
      return event?.type === null || event === null ? message('chain.event.report') : message('chain.event.other', { type: String(event.type) })
  }
}

/** How long an event was under way, in seconds; null where one of its times is missing. */
export function delayOf({ arrivedAtMs, eventAtMs }: SeenEvent): number | null {
  return arrivedAtMs === null || eventAtMs === null ? null : (arrivedAtMs - eventAtMs) / 1000
}

/** Dated by the GPS epoch, an event lies ten years before it arrived. */
export function isDatedByGpsEpoch(event: SeenEvent): boolean {
  const delayS = delayOf(event)
  return delayS !== null && Math.abs(delayS - gpsEpochLateS) < 86_400
}
