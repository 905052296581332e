import { isEventOfDevice } from '../../reading/eventOfDevice.ts'
import type { Fitting, RoadEvent } from '../engine/ports.ts'
import type { GatewayTimes } from './gatewayTimes.ts'

/** The back office may tell the gateway of an exchange or a removal some days before the technician comes. */
const preparedMs = 7 * 86_400_000
/** Two answers of one moment may be this far apart: both carry whole seconds. */
const sameMomentMs = 60_000

export type Removal =
  /** `atMs`: when it went, where the history says so; without it this job has seen the device there. */
  | { kind: 'gone'; atMs: number | null }
  | { kind: 'there' }
  /** It is not there now, and nothing says that it ever was. */
  | { kind: 'neverThere' }
  /** It left long before this job: that was another removal. */
  | { kind: 'longAgo'; atMs: number }
  /** It was there once; nothing says when it left. */
  | { kind: 'undated' }
  | { kind: 'unreadable' }

/** Whether a device has left its vehicle for this job; `wasSeenThere`: by this job, when its history does not say so. */
export function removalOf(fitting: Fitting, imei: string, { wasSeenThere, jobBeganMs }: { wasSeenThere: boolean; jobBeganMs: number }): Removal {
  const { now } = fitting
  if (now.kind === 'device' && now.imei === imei) return { kind: 'there' }
  const stays = fitting.stays.filter((stay) => stay.imei === imei)
  const ends = stays.flatMap(({ untilMs }) => (untilMs === null ? [] : [untilMs]))
  const endMs = ends.length === stays.length && ends.length > 0 ? Math.max(...ends) : null
  // A record that does not say what is in the vehicle is made good only by a history in which each stay has its end.
  if (now.kind === 'unreadable' && endMs === null) return { kind: 'unreadable' }
  // What this job has seen there did not leave before this job.
  if (wasSeenThere) return { kind: 'gone', atMs: endMs !== null && endMs >= jobBeganMs - sameMomentMs ? endMs : null }
  if (stays.length === 0) return { kind: 'neverThere' }
  if (endMs === null) return { kind: 'undated' }
  return isLongAgo(endMs, jobBeganMs) ? { kind: 'longAgo', atMs: endMs } : { kind: 'gone', atMs: endMs }
}

export function isLongAgo(atMs: number, jobBeganMs: number): boolean {
  return atMs < jobBeganMs - preparedMs
}

/** Events of a device after a moment, by their own time and by their arrival: what was under way then does not count. */
export function eventsAfter(events: readonly RoadEvent[], imei: string, sinceMs: number): RoadEvent[] {
  return events.filter((event) => isEventOfDevice(event, imei) && event.eventAtMs > sinceMs && arrivalOf(event) > sinceMs)
}

export function arrivalOf({ arrivedAtMs, eventAtMs }: RoadEvent): number {
  return arrivedAtMs ?? eventAtMs
}

/**
 * How long the gateway is listened to after a change: for one settling time events of the device that went may still
 * come, in the one after it there must be none.
 */
export function isSettled(sinceMs: number, { nowMs }: Pick<GatewayTimes, 'nowMs'>, settleMs: number): boolean {
  return nowMs() >= sinceMs + 2 * settleMs
}

/** The device that was in the vehicle before this one, by the history; null where it names none. */
export function deviceBefore(fitting: Fitting, imei: string): { imei: string; untilMs: number | null } | null {
  const own = fitting.stays.find((stay) => stay.imei === imei)
  const others = fitting.stays.filter((stay) => stay.imei !== imei && (own === undefined || own.fromMs === null || stay.fromMs === null || stay.fromMs <= own.fromMs))
  const [newest] = others.toSorted((a, b) => (b.fromMs ?? 0) - (a.fromMs ?? 0))
  return newest ? { imei: newest.imei, untilMs: newest.untilMs } : null
}

/** When this device came or the other one went, by the history; `seenMs`: when this job saw the other one still there. */
export function exchangedAtMs(fitting: Fitting, imei: string, before: { untilMs: number | null }, seenMs: number | undefined): number | null {
  const own = fitting.stays.find((stay) => stay.imei === imei && stay.untilMs === null) ?? fitting.stays.find((stay) => stay.imei === imei)
  const atMs = own?.fromMs ?? before.untilMs
  return atMs === null || (seenMs !== undefined && atMs < seenMs - sameMomentMs) ? null : atMs
}
