import { gapsBetween, rhythmOf, type Rhythm } from '../../../preload/gateway/reporting.ts'
import { kindOf, type ReportedEvent } from './reportedEvents.ts'

/** A receiver at rest reports some noise. */
export const restingKmh = 5
const duplicateType = 301

export type RhythmEvent = Pick<
  ReportedEvent,
  'eventAtMs' | 'arrivedAtMs' | 'type' | 'label' | 'latitude' | 'longitude'
> & {
  speedKmh: number | null
}

/**
 * The usual time between two reports, by the arrivals of these events, in any order. What was buffered or sent twice
 * arrives by another rhythm. An event does not show the ignition: its changes do, and movement.
 */
export function rhythmOfEvents(events: readonly RhythmEvent[]): Rhythm {
  return rhythmOf(gapsBetween(reportsOf(events)))
}

/** The last of them by arrival, and whether the vehicle was driving. */
export function lastReportOf(events: readonly RhythmEvent[]): { atMs: number; isDriving: boolean | null } | null {
  return reportsOf(events).at(-1) ?? null
}

function reportsOf(events: readonly RhythmEvent[]): { atMs: number; isDriving: boolean | null }[] {
  let isOn: boolean | null = null
  return events
    .flatMap((event) => {
      const atMs = event.arrivedAtMs ?? event.eventAtMs
      return atMs === null || kindOf(event) === 'backlog' || event.type === duplicateType ? [] : [{ ...event, atMs }]
    })
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ atMs, label, speedKmh }) => {
      if (label === 'ignon' || label === 'ignoff') isOn = label === 'ignon'
      return { atMs, isDriving: speedKmh !== null && speedKmh > restingKmh ? true : isOn }
    })
}
