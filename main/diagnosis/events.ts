import { message, type Message } from '../../preload/contract/messages.ts'
import type { Evidence, SeenEvent } from '../../preload/contract/diagnosis/evidence.ts'
import { isZeroPlace } from '../../preload/events/fields.ts'
import { groupOfEventType } from '../gateway/decoders/eventType.ts'
import { gpsEpochLateS } from '../device/facts.ts'
import { isEventOfDevice } from '../reading/eventOfDevice.ts'

const backlogType = 13
const emptyType = 20
const duplicateType = 301

/** The events of this device, newest arrival first. */
export function ownEvents({ imei, gateway }: Evidence): SeenEvent[] {
  const own = imei ?? gateway?.vehicle?.value?.imei ?? null
  return (gateway?.events?.value ?? []).filter((event) => isEventOfDevice(event, own))
}

/** What an event proves: the connection, the delivery of buffered events, or the position. */
export function kindOf({
  type,
  latitude,
  longitude
}: SeenEvent): 'connection' | 'position' | 'backlog' | 'empty' | 'other' {
  if (type === backlogType) return 'backlog'
  if (type === emptyType) return 'empty'
  if (type === duplicateType) return 'other'
  const group = type === null ? undefined : groupOfEventType(type)
  if (group === 'connection') return 'connection'
  if (group === 'gps') return 'position'
  return latitude !== null && longitude !== null ? 'position' : 'other'
}

/** Events with data from the receiver, with or without a position. */
export function isOfReceiver(event: SeenEvent): boolean {
  return ['position', 'backlog', 'empty'].includes(kindOf(event))
}

/** It has a position: not an empty event, not one marked as invalid, not 0, 0. */
export function isPlaced(event: SeenEvent): boolean {
  const { latitude, longitude, isPositionValid } = event
  if (kindOf(event) === 'empty' || isPositionValid === false || latitude === null || longitude === null) return false
  return !isZeroPlace(latitude, longitude)
}

/** In the person's words; an undocumented type is shown as its number. */
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
      return event?.type === null || event === null
        ? message('chain.event.report')
        : message('chain.event.other', { type: String(event.type) })
  }
}

/** The delay of an event in seconds; null when one of its times is missing. */
export function delayOf({ arrivedAtMs, eventAtMs }: SeenEvent): number | null {
  return arrivedAtMs === null || eventAtMs === null ? null : (arrivedAtMs - eventAtMs) / 1000
}

/** Dated by the GPS epoch, an event is ten years before its arrival. */
export function isDatedByGpsEpoch(event: SeenEvent): boolean {
  const delayS = delayOf(event)
  return delayS !== null && Math.abs(delayS - gpsEpochLateS) < 86_400
}
