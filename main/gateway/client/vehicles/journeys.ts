import { message, type Message } from '../../../../preload/contract/messages.ts'
import type { RouteProgressView, TripView } from '../../../../preload/contract/gateway/vehicles/rawdata.ts'
import type { GatewayClient } from '../client.ts'
import { type Fields } from '../decoders/fields.ts'
import { timeFromOutside } from '../../../../preload/gateway/events/timeFromOutside.ts'
import { orProblem } from '../transport/orNull.ts'
import type { RouteState } from '../records/places.ts'
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
  return {
    trips: (trips ?? []).sort((a, b) => (b.startedAt ?? '').localeCompare(a.startedAt ?? '')),
    routes: routes ?? [],
    problems,
    readAt: new Date().toISOString()
  }
}

function tripOf(record: Fields): TripView {
  const { meanSpeedMs, startedAt, ...trip } = readTrip(record)
  return {
    ...trip,
    startedAt: isoOf(timeFromOutside(startedAt)),
    meanSpeedKmh: meanSpeedMs === null ? null : Math.round(meanSpeedMs * kmhPerMs * 10) / 10
  }
}

function routeOf(state: RouteState): RouteProgressView {
  const { startMs, endMs, ...progress } = readRouteState(state)
  return { ...progress, startsAt: isoOf(startMs), endsAt: isoOf(endMs) }
}

function isoOf(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString()
}

/** A route state item ("Route state item", "Route state"): `exited_path` null, true, false have three meanings. */
export function readRouteState(state: RouteState) {
  const epoch = (value: unknown): number | null =>
    typeof value === 'number' && Number.isFinite(value) ? value * 1000 : null
  return {
    name: state.name ?? '',
    isFinal: state.finalized === true,
    checkpointsDone: state.finalized_cpt ?? 0,
    checkpointsTotal: state.checkpoints?.length ?? 0,
    /** neverOn: never inside the path. left: was outside at some point. kept: stayed inside. */
    path:
      state.exited_path === true
        ? ('left' as const)
        : state.exited_path === false
          ? ('kept' as const)
          : ('neverOn' as const),
    isOutsideNow: state.is_outside_path ?? null,
    startMs: epoch(state.start_epoch),
    endMs: epoch(state.end_epoch)
  }
}
