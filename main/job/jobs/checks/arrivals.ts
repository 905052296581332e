import { firstDeviceMs, impossibleTimes } from '../../../base/reading/contradictions.ts'
import { isEventOfDevice } from '../../../base/reading/eventOfDevice.ts'
import { dateFaultOf, kindOf, repeatsOfLatest, type ReportedEvent } from '../../../base/reading/reportedEvents.ts'
import { sayDateFault, sayLate, sayRepeats, type SaidContradiction } from '../../../base/reading/sayContradictions.ts'
import { askGateway } from '../engine/askGateway.ts'
import type { EventsRequest, GatewayEvent, GatewayPort } from '../engine/ports.ts'

/** A clock may be off by this without being wrong by years. */
const aheadMs = 3_600_000
/** The clocks of gateway and computer differ a little. */
const apartMs = 60_000
const eventsForDelay = 5

/** The events of the device that arrived since a time, whatever their date; the newest arrival first. */
export async function findArrivals(
  { imei, vehicleId, sinceMs, nowMs }: { imei: string; vehicleId: number | null; sinceMs: number; nowMs: number },
  { gateway, signal }: { gateway: Pick<GatewayPort, 'readEvents'>; signal: AbortSignal }
): Promise<GatewayEvent[]> {
  const found: GatewayEvent[] = []
  const times = [...impossibleTimes(nowMs + aheadMs), { fromMs: firstDeviceMs, toMs: nowMs + aheadMs }]
  for (const { fromMs, toMs } of times) {
    const request: EventsRequest = { imei, vehicleId, sinceMs: fromMs, untilMs: toMs, by: 'arrival' }
    const reply = await askGateway(() => gateway.readEvents(request, signal))
    if (reply.kind === 'answer') found.push(...reply.value.filter((event) => isEventOfDevice(event, imei)))
  }
  return byArrival(found).filter((event) => arrivedAtMs(event) >= sinceMs - apartMs)
}

/** What the latest arrivals contradict, and by which of them; null: nothing, or too few to know. */
export function contradictionOf(
  arrivals: readonly GatewayEvent[],
  { delayPassS, now }: { delayPassS: number; now: Date }
): (SaidContradiction & { event: GatewayEvent }) | null {
  const [event] = arrivals
  if (event === undefined) return null
  const fault = dateFaultOf(arrivals.map(asReported))
  const said = fault === null ? (sayRepetition(arrivals, now) ?? sayDelay(arrivals, delayPassS)) : sayDateFault(fault)
  return said && { ...said, event }
}

/** The latest of these events has arrived again and again; null: it has not. */
export function sayRepetition(events: readonly GatewayEvent[], now: Date): SaidContradiction | null {
  const arrivals = byArrival(events)
  const repeats = repeatsOfLatest(arrivals.map(asReported))
  const [event] = arrivals
  if (repeats === null || event === undefined) return null
  const gatewayAheadMs = event.ageS > 0 ? event.eventAtMs + event.ageS * 1000 - now.getTime() : 0
  return sayRepeats({ ...repeats, sinceMs: Math.round((repeats.sinceMs - gatewayAheadMs) / 1000) * 1000 })
}

/** What was kept in a buffer is late for another reason. */
function sayDelay(arrivals: readonly GatewayEvent[], delayPassS: number): SaidContradiction | null {
  const delays = arrivals
    .flatMap((event) => (kindOf(event) === 'backlog' ? [] : (event.delayS ?? [])))
    .slice(0, eventsForDelay)
    .sort((a, b) => a - b)
  const delayS = delays[Math.floor(delays.length / 2)]
  return delayS === undefined || delayS <= delayPassS ? null : sayLate(delayS, 'lateOrClock')
}

/** When the gateway processed it; never, if it does not say so. */
export function arrivedAtMs({ eventAtMs, delayS }: GatewayEvent): number {
  return delayS === null ? -Infinity : eventAtMs + delayS * 1000
}

function byArrival(events: readonly GatewayEvent[]): GatewayEvent[] {
  return [...events].sort((a, b) => arrivedAtMs(b) - arrivedAtMs(a))
}

export function asReported(event: GatewayEvent): ReportedEvent {
  return { ...event, arrivedAtMs: event.delayS === null ? null : arrivedAtMs(event) }
}
