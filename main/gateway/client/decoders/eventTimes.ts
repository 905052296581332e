import { numberIn, type Fields } from './fields.ts'
import { timeFromOutside } from '../../../../preload/gateway/events/timeFromOutside.ts'

/**
 * When an event happened, by the device's clock; an epoch of 0, as of a device without a fix, is not a time. Undefined
 * without one.
 */
export function eventMs(event: Fields): number | undefined {
  return timeMs(event, 'event_epoch', 'event_time')
}

/** When it arrived, by the gateway's clock. */
export function arrivedMs(event: Fields): number | undefined {
  return timeMs(event, 'system_epoch', 'system_time')
}

/**
 * The seconds from one to the other, as the gateway tells them or as these times do; in tenths, because more would only
 * look exact.
 */
export function delayOf(event: Fields, happenedMs: number | undefined): number | null {
  const atMs = arrivedMs(event)
  const delayS =
    numberIn(event, 'comdelay') ?? (atMs === undefined || happenedMs === undefined ? null : (atMs - happenedMs) / 1000)
  return delayS === null ? null : Math.round(delayS * 10) / 10
}

function timeMs(event: Fields, epochName: string, textName: string): number | undefined {
  const epochS = numberIn(event, epochName, 1)
  return epochS === null ? timeFromOutside(event[textName]) : epochS * 1000
}
