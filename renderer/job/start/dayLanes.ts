import type { WorkStretch } from '../../../preload/contract/app/day.ts'
import { hourOf } from '../../../preload/base/messages/zone.ts'

/** A period of work on the hours of a day. */
export interface DayBlock {
  stretch: WorkStretch
  fromHour: number
  untilHour: number
  lane: number
}

export interface DayScale {
  fromHour: number
  toHour: number
}

/**
 * Shorter blocks are drawn with this length, extended backwards: large enough for a finger, and never in the future.
 */
const shortestHour = 0.35

/** The minimum hours of a working day, extended by all hours with work. */
export function scaleOf(stretches: readonly WorkStretch[], nowMs: number, timeZone: string): DayScale {
  const hours = [
    ...stretches.flatMap(({ from, until }) => [
      hourOf(Date.parse(from), timeZone),
      hourOf(Date.parse(until), timeZone)
    ]),
    hourOf(nowMs, timeZone)
  ]
  const fromHour = Math.max(0, Math.min(8, ...hours.map((hour) => Math.floor(hour))))
  // Room for the time beside the "now" mark.
  const toHour = Math.min(24, Math.max(18, ...hours.map((hour) => Math.ceil(hour + 0.7))))
  return { fromHour: fromHour - (fromHour % 2), toHour: toHour + (toHour % 2) }
}

/** Simultaneous work is drawn one below the other. */
export function layDay(stretches: readonly WorkStretch[], timeZone: string): { blocks: DayBlock[]; lanes: number } {
  const ends: number[] = []
  const blocks = stretches.map((stretch): DayBlock => {
    const untilHour = Math.max(shortestHour, hourOf(Date.parse(stretch.until), timeZone))
    const fromHour = Math.min(hourOf(Date.parse(stretch.from), timeZone), untilHour - shortestHour)
    const free = ends.findIndex((end) => end <= fromHour)
    const lane = free < 0 ? ends.length : free
    ends[lane] = untilHour
    return { stretch, fromHour, untilHour, lane }
  })
  return { blocks, lanes: Math.max(1, ends.length) }
}
