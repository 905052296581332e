import { message, type Message } from '../../../preload/contract/messages.ts'
import type { Evidence, GatewayEvidence, SeenEvent } from '../../../preload/contract/support/evidence.ts'
import type { PlaceReport } from '../../base/reading/contradictions.ts'
import type { DiagnosisLimits } from './limits.ts'
import { isEventOfDevice } from '../../base/reading/eventOfDevice.ts'
import { isMisdated, isPlaced, kindOf } from '../../base/reading/reportedEvents.ts'

/** The events of this device, newest arrival first. */
export function ownEvents({ imei, gateway }: Evidence): SeenEvent[] {
  const own = imei ?? gateway?.vehicle?.value?.imei ?? null
  return (gateway?.events?.value ?? []).filter((event) => isEventOfDevice(event, own))
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

/**
 * When an event was, on our clock: by its own date, or by its arrival where that date cannot be trusted; it does not
 * change with the time of the question.
 */
export function momentOf(
  event: SeenEvent,
  { gateway, limits }: { gateway: GatewayEvidence | null; limits: DiagnosisLimits },
  isByArrival: boolean
): number | null {
  const { eventAtMs, arrivedAtMs } = event
  const delayS = delayOf(event)
  const isDated =
    kindOf(event) === 'backlog' ? !isMisdated(event) : delayS !== null && Math.abs(delayS) <= limits.delayPassS
  const atMs = isByArrival || !isDated ? (arrivedAtMs ?? eventAtMs) : eventAtMs
  return atMs === null ? null : Math.round(atMs - (gateway?.aheadS ?? 0) * 1000)
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

/** How late an event was delivered; null also for a buffered one, which is late for another reason. */
export function ownDelay(event: SeenEvent): number | null {
  return kindOf(event) === 'backlog' || isMisdated(event) ? null : delayOf(event)
}
