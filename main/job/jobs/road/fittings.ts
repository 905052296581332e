import { isEventOfDevice } from '../../../base/reading/eventOfDevice.ts'
import type { Fitting, RoadEvent } from '../engine/ports.ts'
import type { GatewayTimes } from './gatewayTimes.ts'

/**
 * The gateway administrator may record an exchange or a removal at the gateway some days before the technician arrives.
 */
const preparedMs = 7 * 86_400_000
/** The possible difference between two answers about one moment: both use whole seconds. */
const sameMomentMs = 60_000

export type Removal =
  /** `atMs`: when the device was removed, if known; otherwise this job has seen it in the vehicle. */
  | { kind: 'gone'; atMs: number | null }
  | { kind: 'there' }
  /** The device is not in the vehicle now, and nothing shows that it ever was. */
  | { kind: 'neverThere' }
  /** It was removed long before this job: that was another removal. */
  | { kind: 'longAgo'; atMs: number }
  /** It was in the vehicle once; the time of its removal is unknown. */
  | { kind: 'undated' }
  | { kind: 'unreadable' }

/** Whether a device was removed for this job; `wasSeenThere` matters if the history does not show it. */
export function removalOf(
  fitting: Fitting,
  imei: string,
  { wasSeenThere, jobBeganMs }: { wasSeenThere: boolean; jobBeganMs: number }
): Removal {
  const { now } = fitting
  if (now.kind === 'device' && now.imei === imei) return { kind: 'there' }
  const stays = fitting.stays.filter((stay) => stay.imei === imei)
  const ends = stays.flatMap(({ untilMs }) => (untilMs === null ? [] : [untilMs]))
  const endMs = ends.length === stays.length && ends.length > 0 ? Math.max(...ends) : null
  // If the vehicle's record names no device, only a history in which each stay has an end can replace it.
  if (now.kind === 'unreadable' && endMs === null) return { kind: 'unreadable' }
  // A device that this job has seen in the vehicle was not removed before this job.
  if (wasSeenThere) return { kind: 'gone', atMs: endMs !== null && endMs >= jobBeganMs - sameMomentMs ? endMs : null }
  if (stays.length === 0) return { kind: 'neverThere' }
  if (endMs === null) return { kind: 'undated' }
  return isLongAgo(endMs, jobBeganMs) ? { kind: 'longAgo', atMs: endMs } : { kind: 'gone', atMs: endMs }
}

export function isLongAgo(atMs: number, jobBeganMs: number): boolean {
  return atMs < jobBeganMs - preparedMs
}

/**
 * Events of a device that happened and arrived after a moment; events that were still in transit at that moment do not
 * count.
 */
export function eventsAfter(events: readonly RoadEvent[], imei: string, sinceMs: number): RoadEvent[] {
  return events.filter(
    (event) => isEventOfDevice(event, imei) && event.eventAtMs > sinceMs && arrivalOf(event) > sinceMs
  )
}

export function arrivalOf({ arrivedAtMs, eventAtMs }: RoadEvent): number {
  return arrivedAtMs ?? eventAtMs
}

/** For one settling time late events of the removed device are allowed; in the next one there must be none. */
export function isSettled(sinceMs: number, { nowMs }: Pick<GatewayTimes, 'nowMs'>, settleMs: number): boolean {
  return nowMs() >= sinceMs + 2 * settleMs
}

/** The device that was in the vehicle before this one, according to the history; null if the history names none. */
export function deviceBefore(fitting: Fitting, imei: string): { imei: string; untilMs: number | null } | null {
  const own = fitting.stays.find((stay) => stay.imei === imei)
  const others = fitting.stays.filter(
    (stay) =>
      stay.imei !== imei &&
      (own === undefined || own.fromMs === null || stay.fromMs === null || stay.fromMs <= own.fromMs)
  )
  const [newest] = others.toSorted((a, b) => (b.fromMs ?? 0) - (a.fromMs ?? 0))
  return newest ? { imei: newest.imei, untilMs: newest.untilMs } : null
}

/** When this device was installed or the other removed; `seenMs`: when this job saw the other one still installed. */
export function exchangedAtMs(
  fitting: Fitting,
  imei: string,
  before: { untilMs: number | null },
  seenMs: number | undefined
): number | null {
  const own =
    fitting.stays.find((stay) => stay.imei === imei && stay.untilMs === null) ??
    fitting.stays.find((stay) => stay.imei === imei)
  const atMs = own?.fromMs ?? before.untilMs
  return atMs === null || (seenMs !== undefined && atMs < seenMs - sameMomentMs) ? null : atMs
}
