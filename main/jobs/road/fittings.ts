import type { Fitting, RoadEvent } from '../ports.ts'

/** Events of a moment before and after may cross: clocks of devices and gateways differ. */
const crossingMs = 60_000

export type Removal =
  /** `atMs`: when it went, where the history says so. */
  | { kind: 'gone'; atMs: number | null }
  | { kind: 'there' }
  /** It is not there now, and nothing says that it ever was. */
  | { kind: 'neverThere' }
  | { kind: 'unreadable' }

/** Whether a device has left its vehicle; `wasSeenThere`: by this job, when its history does not say so. */
export function removalOf(fitting: Fitting, imei: string, wasSeenThere: boolean): Removal {
  const { now } = fitting
  if (now.kind === 'device' && now.imei === imei) return { kind: 'there' }
  const stays = fitting.stays.filter((stay) => stay.imei === imei)
  const ends = stays.flatMap(({ untilMs }) => (untilMs === null ? [] : [untilMs]))
  // A record that does not say what is in the vehicle is made good only by a history in which each stay has its end.
  if (now.kind === 'unreadable' && (stays.length === 0 || ends.length < stays.length)) return { kind: 'unreadable' }
  if (stays.length === 0 && !wasSeenThere) return { kind: 'neverThere' }
  return { kind: 'gone', atMs: ends.length === stays.length && ends.length > 0 ? Math.max(...ends) : null }
}

/** Events of a device that went on coming for the vehicle after it was taken out: by their own time and by their arrival. */
export function eventsAfter(events: readonly RoadEvent[], imei: string, sinceMs: number): RoadEvent[] {
  return events.filter((event) => event.imei === imei && event.eventAtMs > sinceMs + crossingMs && (event.arrivedAtMs ?? event.eventAtMs) > sinceMs + crossingMs)
}

/** The device that was in the vehicle before this one, by the history; null where it names none. */
export function deviceBefore(fitting: Fitting, imei: string): { imei: string; untilMs: number | null } | null {
  const own = fitting.stays.find((stay) => stay.imei === imei)
  const others = fitting.stays.filter((stay) => stay.imei !== imei && (own === undefined || own.fromMs === null || stay.fromMs === null || stay.fromMs <= own.fromMs))
  const [newest] = others.toSorted((a, b) => (b.fromMs ?? 0) - (a.fromMs ?? 0))
  return newest ? { imei: newest.imei, untilMs: newest.untilMs } : null
}
