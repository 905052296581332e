import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { RoadPoint, RoadTrip, VehicleRoad } from '../../../../preload/contract/gateway/vehicles/vehicleRoad.ts'
import { orProblem } from '../transport/orNull.ts'
import { isPlace } from '../../../../preload/base/maps/position.ts'
import type { GatewayClient } from '../client.ts'
import { delayOf, eventMs } from '../decoders/eventTimes.ts'
import { speedFactor, type Fields } from '../decoders/fields.ts'
import { timeFromOutside } from '../../../../preload/gateway/events/timeFromOutside.ts'
import { readTrip } from '../decoders/trip.ts'
import type { RawdataEvent } from '../records/data.ts'
import type { Sparse } from '../../../../preload/contract/device/deviceAreas.ts'
import { refuseRequest } from '../transport/refuse.ts'
import type { Priority } from '../transport/rateLimit.ts'

export interface RoadRange {
  vehicleId: number
  fromMs: number
  untilMs: number
  priority: Priority
}

const eventFields = ['lat', 'lon', 'valid_position', 'speed', 'comdelay', 'event_epoch', 'system_epoch']
/** Events in one request, and requests for one period: enough for a busy week, not for a fleet. */
const eventsOfPage = 5_000
const mostPages = 4
/** More points than any screen can show on a map. */
const mostPoints = 5_000
const longestMs = 31 * 86_400_000
/** A moving vehicle reports every few minutes: during a longer silence it may have been anywhere. */
const silenceMs = 10 * 60_000
const kmhPerMps = 3.6

/**
 * The positions of a vehicle at the gateway: events with a valid position, and trips. An unreadable part has a reason.
 */
export async function readVehicleRoad(
  client: () => Promise<GatewayClient>,
  range: RoadRange,
  signal: AbortSignal
): Promise<VehicleRoad> {
  if (range.untilMs <= range.fromMs || range.untilMs - range.fromMs > longestMs)
    throw refuseRequest(message('road.wrongTime'))
  const gateway = await client()
  const problems: Message[] = []
  const [events, trips] = await Promise.all([
    orProblem(problems, message('road.events'), () => readPlaces(gateway, range, signal)),
    orProblem(problems, message('road.trips'), () => readTrips(gateway, range, signal))
  ])
  if (events && !events.isWhole) problems.push(message('road.newestOnly', { n: events.points.length }))
  const points = events?.points ?? []
  return { points: thin(points), events: points.length, trips: trips ?? [], problems, readAt: new Date().toISOString() }
}

/** Page by page, newest first: one answer with everything could exceed the gateway's time limit. */
async function readPlaces(
  gateway: GatewayClient,
  { vehicleId, fromMs, untilMs, priority }: RoadRange,
  signal: AbortSignal
): Promise<{ points: RoadPoint[]; isWhole: boolean }> {
  const found = new Map<string, RoadPoint>()
  let toMs = untilMs
  for (let page = 0; page < mostPages; page++) {
    const { value } = await gateway.rawdata.query(
      // Requests use whole seconds, and the end of the range is included.
      {
        from: secondOf(fromMs, Math.floor),
        to: secondOf(toMs, Math.ceil),
        vehicles: [vehicleId],
        fields: eventFields,
        order: 'event_time',
        tail: eventsOfPage
      },
      { signal, priority }
    )
    const events = value.events ?? []
    const kmhPer = speedFactor(value.units)
    const times = events.map((event) => eventMs(event)).filter((atMs) => atMs !== undefined)
    for (const event of events) {
      const point = toPoint(event, kmhPer)
      if (point && point[0] >= fromMs && point[0] <= untilMs) found.set(`${point[0]} ${point[1]} ${point[2]}`, point)
    }
    const oldestMs = times.length > 0 ? Math.min(...times) : fromMs
    const isAll = events.length < eventsOfPage
    // A page that reaches no further back would be requested forever.
    if (isAll || oldestMs <= fromMs || oldestMs >= toMs)
      return { points: inOrder(found), isWhole: isAll || oldestMs <= fromMs }
    toMs = oldestMs
  }
  return { points: inOrder(found), isWhole: false }
}

/** `GET /trips` of the same period; a timeline cannot show records without a start. */
async function readTrips(
  gateway: GatewayClient,
  { vehicleId, fromMs, untilMs, priority }: RoadRange,
  signal: AbortSignal
): Promise<RoadTrip[]> {
  const { value } = await gateway.trips.list(
    { from: secondOf(fromMs, Math.floor), to: secondOf(untilMs, Math.ceil), vehicles: [vehicleId] },
    { signal, priority }
  )
  return ((value as { data?: Fields[] }).data ?? [])
    .map(readTrip)
    .flatMap(({ kind, startedAt, durationS, distanceM, meanSpeedMs }): RoadTrip[] => {
      const startMs = timeFromOutside(startedAt)
      if (startMs === undefined) return []
      const meanSpeedKmh = meanSpeedMs === null ? null : Math.round(meanSpeedMs * kmhPerMps * 10) / 10
      return [
        {
          kind,
          fromMs: startMs,
          untilMs: durationS === null ? null : startMs + durationS * 1000,
          distanceM,
          meanSpeedKmh
        }
      ]
    })
    .sort((a, b) => b.fromMs - a.fromMs)
}

function toPoint(event: Sparse<RawdataEvent>, kmhPer: number | null): RoadPoint | undefined {
  const { lat, lon, valid_position: isValid, speed } = event
  const atMs = eventMs(event)
  if (
    isValid !== true ||
    atMs === undefined ||
    typeof lat !== 'number' ||
    typeof lon !== 'number' ||
    !isPlace(lat, lon)
  )
    return undefined
  return [
    atMs,
    lat,
    lon,
    kmhPer !== null && typeof speed === 'number' && speed >= 0 ? Math.round(speed * kmhPer * 10) / 10 : null,
    delayOf(event, atMs),
    false
  ]
}

function inOrder(found: ReadonlyMap<string, RoadPoint>): RoadPoint[] {
  const points = [...found.values()].sort((a, b) => a[0] - b[0])
  return points.map(([atMs, ...rest], index): RoadPoint => {
    const before = points[index - 1]
    return [atMs, rest[0], rest[1], rest[2], rest[3], before !== undefined && atMs - before[0] > silenceMs]
  })
}

/** Every second, third, ... point; silences and both ends stay. */
function thin(points: RoadPoint[]): RoadPoint[] {
  const step = Math.ceil(points.length / mostPoints)
  return step <= 1
    ? points
    : points.filter((point, index) => point[5] || index % step === 0 || index === points.length - 1)
}

function secondOf(ms: number, round: (value: number) => number): Date {
  return new Date(round(ms / 1000) * 1000)
}
