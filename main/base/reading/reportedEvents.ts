import { isPlace } from '../../../preload/base/maps/position.ts'
import {
  dateFault,
  positionGapOf,
  repeatsOf,
  type DatedArrival,
  type DateFault,
  type PositionGap,
  type Repeats
} from './contradictions.ts'
import { groupOfEventType } from './eventType.ts'

/** An earlier time is the first moment of a clock that was never set. */
export const earliestMs = Date.UTC(2000)

const backlogType = 13
const emptyType = 20
const duplicateType = 301

/**
 * An event at the gateway. Times in epoch ms: `eventAtMs` by the device's clock, `arrivedAtMs` by the gateway's; null
 * where unknown.
 */
export interface ReportedEvent {
  eventAtMs: number | null
  arrivedAtMs: number | null
  type: number | null
  label: string | null
  latitude: number | null
  longitude: number | null
  isPositionValid: boolean | null
}

/** What an event proves: the connection, the delivery of buffered events, or the position. */
export function kindOf({
  type,
  latitude,
  longitude
}: Pick<ReportedEvent, 'type' | 'latitude' | 'longitude'>): 'connection' | 'position' | 'backlog' | 'empty' | 'other' {
  if (type === backlogType) return 'backlog'
  if (type === emptyType) return 'empty'
  if (type === duplicateType) return 'other'
  const group = type === null ? undefined : groupOfEventType(type)
  if (group === 'connection') return 'connection'
  if (group === 'gps') return 'position'
  return latitude !== null && longitude !== null ? 'position' : 'other'
}

/** Events with data from the receiver, with or without a position. */
export function isOfReceiver(event: Pick<ReportedEvent, 'type' | 'latitude' | 'longitude'>): boolean {
  return ['position', 'backlog', 'empty'].includes(kindOf(event))
}

/** Kinds of event that name a change of external power, whatever the fields of a gateway are. */
const powerLabels: Readonly<Record<string, boolean>> = { pwroff: false, pwrloss: false, pwron: true, pwrrstd: true }

/** External power at this event; null where it does not tell. */
export function powerIn(label: string | null, line: unknown): boolean | null {
  return typeof line === 'boolean' ? line : ((label === null ? undefined : powerLabels[label]) ?? null)
}

/** The event is itself the loss of external power. */
export function isPowerLoss({ label }: Pick<ReportedEvent, 'label'>): boolean {
  return label !== null && powerLabels[label] === false
}

/** It has a position: not an empty event, not one marked as invalid, not outside of the globe or at 0, 0. */
export function isPlaced(event: Omit<ReportedEvent, 'eventAtMs' | 'arrivedAtMs'>): boolean {
  const { latitude, longitude, isPositionValid } = event
  if (kindOf(event) === 'empty' || isPositionValid === false || latitude === null || longitude === null) return false
  return isPlace(latitude, longitude)
}

/**
 * What is wrong with the dates of the latest events, newest arrival first: what was kept is as old as it says. Null:
 * nothing, or too few events to know.
 */
export function dateFaultOf(events: readonly ReportedEvent[]): DateFault | null {
  return dateFault(events.filter((event) => kindOf(event) !== 'backlog').flatMap(datedArrival))
}

/** Dated by another epoch, by a week number that has started again, or by another year: its age is no delay. */
export function isMisdated(event: ReportedEvent): boolean {
  return dateFault(datedArrival(event)) !== null
}

function datedArrival({ eventAtMs, arrivedAtMs }: ReportedEvent): DatedArrival[] {
  return eventAtMs === null || arrivedAtMs === null ? [] : [{ eventAtMs, arrivedAtMs }]
}

/** How often the latest event from the receiver has arrived, newest arrival first; null: once. */
export function repeatsOfLatest(events: readonly ReportedEvent[]): Repeats | null {
  const told = events.filter((event) => kindOf(event) !== 'connection')
  return repeatsOf(
    told.map(({ eventAtMs, arrivedAtMs, type, label, latitude, longitude }) => ({
      eventAtMs,
      arrivedAtMs,
      name: `${type === duplicateType ? '' : String(type)} ${String(label)} ${String(latitude)} ${String(longitude)}`
    }))
  )
}

/** Connected, without data from the receiver for longer than `silentS`; events newest first, `ageOf` in seconds. */
export function positionGapIn<Event extends ReportedEvent>(
  events: readonly Event[],
  { ageOf, silentS, isKeyOn }: { ageOf(event: Event): number; silentS: number; isKeyOn: boolean | null }
): PositionGap | null {
  const newest = events.find(isOfReceiver)
  const positionAgeS = newest ? ageOf(newest) : null
  if (positionAgeS !== null && positionAgeS <= silentS) return null
  const connections = events.filter((event) => kindOf(event) === 'connection' && ageOf(event) <= silentS).length
  return positionGapOf({ connections, positionAgeS, isKeyOn })
}
