import type { VehicleEvent } from '../../../preload/contract/gateway/vehicles/vehicles.ts'

/** The latest of several equal events in a row, and their number; the longest delay of them counts. */
export interface EventGroup {
  event: VehicleEvent
  n: number
}

/** Equal events that follow each other become one: a parked vehicle would fill the list with its position. */
export function groupEvents(events: readonly VehicleEvent[]): EventGroup[] {
  const groups: EventGroup[] = []
  for (const event of events) {
    const last = groups.at(-1)
    if (last && isSame(last.event, event)) {
      last.n += 1
      const delayS = Math.max(last.event.delayS ?? -Infinity, event.delayS ?? -Infinity)
      last.event = { ...last.event, delayS: Number.isFinite(delayS) ? delayS : null }
    } else groups.push({ event, n: 1 })
  }
  return groups
}

function isSame(a: VehicleEvent, b: VehicleEvent): boolean {
  return JSON.stringify([a.what, a.detail, a.type, a.label]) === JSON.stringify([b.what, b.detail, b.type, b.label])
}
