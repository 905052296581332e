import { message, type Message } from '../../preload/contract/messages.ts'
import type { Evidence, SeenEvent } from '../../preload/contract/diagnosis/evidence.ts'
import { isPlace } from '../../preload/maps/position.ts'
import { groupOfEventType } from '../gateway/decoders/eventType.ts'
import { dateFault, repeatsOf, type DatedArrival, type DateFault, type PlaceReport } from '../reading/contradictions.ts'
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

/** It has a position: not an empty event, not one marked as invalid, not outside of the globe or at 0, 0. */
export function isPlaced(event: SeenEvent): boolean {
  const { latitude, longitude, isPositionValid } = event
  if (kindOf(event) === 'empty' || isPositionValid === false || latitude === null || longitude === null) return false
  return isPlace(latitude, longitude)
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

/** What is wrong with the dates of the latest events: what was kept is as old as it says. Null: nothing, or too few events to know. */
export function dateFaultOf(events: readonly SeenEvent[]): DateFault | null {
  return dateFault(events.filter((event) => kindOf(event) !== 'backlog').flatMap(datedArrival))
}

function datedArrival({ eventAtMs, arrivedAtMs }: SeenEvent): DatedArrival[] {
  return eventAtMs === null || arrivedAtMs === null ? [] : [{ eventAtMs, arrivedAtMs }]
}

/** Dated by another epoch, by a week number that has started again, or by another year: its age is no delay. */
function isMisdated(event: SeenEvent): boolean {
  return dateFault(datedArrival(event)) !== null
}

/** Where a device was, by its valid positions; a date that cannot be right gives way to the arrival. */
export function placeReportsOf(events: readonly SeenEvent[]): PlaceReport[] {
  return events.filter(isPlaced).flatMap((event) => {
    const atMs = isMisdated(event) ? event.arrivedAtMs : (event.eventAtMs ?? event.arrivedAtMs)
    return atMs === null
      ? []
      : [{ atMs, latitude: event.latitude ?? 0, longitude: event.longitude ?? 0, speedKmh: event.speedKmh }]
  })
}

/** How often the latest event from the receiver has arrived; null: once. */
export function repeatsOfLatest(events: readonly SeenEvent[]): { times: number; sinceMs: number } | null {
  const told = events.filter((event) => kindOf(event) !== 'connection')
  return repeatsOf(
    told.map(({ eventAtMs, arrivedAtMs, type, label, latitude, longitude }) => ({
      eventAtMs,
      arrivedAtMs,
      name: `${type === duplicateType ? '' : String(type)} ${String(label)} ${String(latitude)} ${String(longitude)}`
    }))
  )
}

/** How late an event was delivered; null also for a buffered one, which is late for another reason. */
export function ownDelay(event: SeenEvent): number | null {
  return kindOf(event) === 'backlog' || isMisdated(event) ? null : delayOf(event)
}
