import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { Drive } from '../../../../preload/contract/job/drive.ts'
import type { TrackPoint } from '../../../../preload/contract/device/track.ts'
import { isEventOfDevice } from '../../../base/reading/eventOfDevice.ts'
import { askGateway, type GatewayAnswer } from '../engine/askGateway.ts'
import type { GatewayDistance, GatewayPort, RoadEvent } from '../engine/ports.ts'
import type { TripAnswers } from './scoreTrip.ts'
import { thinTrack } from './track.ts'

/** Device and gateway round to whole seconds independently. */
const edgeMs = 2_000
const mostDrawn = 240
const mostKept = 400

export type TripReply =
  | { kind: 'answer'; answers: TripAnswers; isWhole: boolean; problems: Message[] }
  | Extract<GatewayAnswer<never>, { kind: 'away' }>
  | { kind: 'no'; why: Message }

export interface TripQuestion {
  imei: string
  vehicleId: number | null
  fromMs: number
  untilMs: number
}

/** All gateway data about a trip. Trips and counters may be refused; without events there is no result. */
export async function askTrip(
  gateway: Pick<GatewayPort, 'road'>,
  question: TripQuestion,
  signal: AbortSignal
): Promise<TripReply> {
  const { imei, vehicleId, fromMs, untilMs } = question
  const range = { fromMs: fromMs - edgeMs, untilMs: untilMs + edgeMs }
  const events = await askGateway(() => gateway.road.readEvents({ vehicleId, imei, ...range }, signal))
  if (events.kind === 'no') return { kind: 'no', why: events.why }
  if (events.kind === 'away') return events
  const problems: Message[] = []
  async function distance(
    ask: (
      request: { vehicleId: number; fromMs: number; untilMs: number },
      signal: AbortSignal
    ) => Promise<GatewayDistance | null>
  ): Promise<GatewayDistance | null> {
    if (vehicleId === null) return null
    const reply = await askGateway(() => ask({ vehicleId, ...range }, signal))
    if (reply.kind === 'answer') return reply.value
    problems.push(reply.why)
    return null
  }
  const [trip, counter] = [await distance(gateway.road.readTrips), await distance(gateway.road.readDistance)]
  return {
    kind: 'answer',
    // A vehicle's events may come from its earlier device: only those that name this device count.
    answers: { events: events.value.events.filter((event) => isEventOfDevice(event, imei)), trip, counter },
    isWhole: events.value.isWhole,
    problems
  }
}

/** For the map on the step's screen and in the report. */
export function driveOf(points: readonly TrackPoint[], events: readonly RoadEvent[]): Drive {
  const heard = events.flatMap((event): TrackPoint[] =>
    event.isPositionValid === true && event.latitude !== null && event.longitude !== null
      ? [[event.eventAtMs, event.latitude, event.longitude, event.speedKmh, false]]
      : []
  )
  return { device: thinTrack(points, mostDrawn), gateway: thinTrack(heard, mostDrawn) }
}

/** The part of the gateway's answers that the log stores: limited in size, however long the trip was. */
export function evidenceOf({ events, trip, counter }: TripAnswers): {
  events: unknown[]
  eventsInAll: number
  trip: unknown
  counter: unknown
} {
  return {
    events: events.slice(-mostKept).map(({ raw }) => raw),
    eventsInAll: events.length,
    trip: trip?.raw ?? null,
    counter: counter?.raw ?? null
  }
}

export function sayAnswers({ events, trip, counter }: TripAnswers): Message {
  return message('testTrip.heard', {
    events: events.length,
    trip: sayDistance(trip),
    counter: sayDistance(counter)
  })
}

function sayDistance(there: GatewayDistance | null): Message {
  return there === null || there.distanceM === null
    ? message('testTrip.notThere')
    : message('meters.distance', { distanceM: Math.round(there.distanceM) })
}
