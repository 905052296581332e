import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { RouteState } from '../records/places.ts'
import type { RouteProgressView, TripView } from '../../../preload/contract/vehicles/rawdata.ts'
import type { GatewayClient } from '../client.ts'
import type { Fields } from '../decoders/fields.ts'
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
  async function part<T>(name: string, ask: () => Promise<T[]>): Promise<T[]> {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'CANCELLED' || error.code === 'NOT_AUTHENTICATED') throw error
      problems.push(message('reading.ofPart', { part: name, problem: error.sentence }))
      return []
    }
  }
  const [trips, routes] = await Promise.all([
    part('Trips', async () => {
      const range = { from: new Date(nowMs - sinceDays * dayMs), to: new Date(nowMs + 60_000), vehicles: [vehicleId] }
      const { value } = await gateway.trips.list(range, { signal, priority: 'screen' })
      return ((value as { data?: Fields[] }).data ?? []).map(tripOf)
    }),
    part('Routes', async () => {
      const { value } = await gateway.routes.states({ ids: [vehicleId] }, { signal, priority: 'screen' })
      return (value.data ?? []).map((state) => routeOf(state as RouteState))
    })
  ])
  return { trips: trips.sort((a, b) => (b.startedAt ?? '').localeCompare(a.startedAt ?? '')), routes, problems, readAt: new Date().toISOString() }
}

function tripOf(record: Fields): TripView {
  const { meanSpeedMs, startedAt, ...trip } = readTrip(record)
  return { ...trip, startedAt: utcIso(startedAt), meanSpeedKmh: meanSpeedMs === null ? null : Math.round(meanSpeedMs * kmhPerMs * 10) / 10 }
}

function routeOf(state: RouteState): RouteProgressView {
  const { startMs, endMs, ...progress } = readRouteState(state)
  const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())
  return { ...progress, startsAt: iso(startMs), endsAt: iso(endMs) }
}

/** Times without a zone are UTC. */
function utcIso(text: string | null): string | null {
  if (text === null) return null
  const ms = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}
