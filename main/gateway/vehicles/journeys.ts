import { message, type Message } from '../../../preload/contract/messages.ts'
import type { RouteState } from '../records/places.ts'
import type { RouteProgressView, TripView } from '../../../preload/contract/vehicles/rawdata.ts'
import type { GatewayClient } from '../client.ts'
import { epochMsOf, type Fields } from '../decoders/fields.ts'
import { orProblem } from '../transport/orNull.ts'
import { readRouteState } from '../decoders/routeState.ts'
import { readTrip } from '../decoders/trip.ts'

const dayMs = 86_400_000
const kmhPerMs = 3.6

/** Trips and stops of a vehicle, and the state of its routes. An unreadable part does not hide the other. */
export async function readJourneys(
  client: () => Promise<GatewayClient>,
  request: { vehicleId: number; sinceDays: number; nowMs: number },
  signal: AbortSignal
): Promise<{ trips: TripView[]; routes: RouteProgressView[]; problems: Message[]; readAt: string }> {
  const gateway = await client()
  const { vehicleId, sinceDays, nowMs } = request
  const problems: Message[] = []
  const [trips, routes] = await Promise.all([
    orProblem(problems, message('road.trips'), async () => {
      const range = { from: new Date(nowMs - sinceDays * dayMs), to: new Date(nowMs + 60_000), vehicles: [vehicleId] }
      const { value } = await gateway.trips.list(range, { signal, priority: 'screen' })
      return ((value as { data?: Fields[] }).data ?? []).map(tripOf)
    }),
    orProblem(problems, message('windowAccessories.route.title'), async () => {
      const { value } = await gateway.routes.states({ ids: [vehicleId] }, { signal, priority: 'screen' })
      return (value.data ?? []).map((state) => routeOf(state as RouteState))
    })
  ])
  return { trips: (trips ?? []).sort((a, b) => (b.startedAt ?? '').localeCompare(a.startedAt ?? '')), routes: routes ?? [], problems, readAt: new Date().toISOString() }
}

function tripOf(record: Fields): TripView {
  const { meanSpeedMs, startedAt, ...trip } = readTrip(record)
  return { ...trip, startedAt: isoOf(epochMsOf(startedAt)), meanSpeedKmh: meanSpeedMs === null ? null : Math.round(meanSpeedMs * kmhPerMs * 10) / 10 }
}

function routeOf(state: RouteState): RouteProgressView {
  const { startMs, endMs, ...progress } = readRouteState(state)
  return { ...progress, startsAt: isoOf(startMs), endsAt: isoOf(endMs) }
}

function isoOf(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString()
}
