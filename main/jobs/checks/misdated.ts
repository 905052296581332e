import { dateFault, impossibleTimes, type DateFault } from '../../reading/contradictions.ts'
import { isEventOfDevice } from '../../reading/eventOfDevice.ts'
import { askGateway } from '../engine/askGateway.ts'
import type { CheckContext } from '../engine/check.ts'
import type { GatewayEvent } from '../engine/ports.ts'

/** A clock may be off by this without being wrong by years. */
const aheadMs = 3_600_000
/** The clocks of gateway and computer differ a little. */
const apartMs = 60_000

/** The newest event of the device that arrives now, but is dated at a time at which no device made one. */
export async function findMisdated(
  context: CheckContext
): Promise<{ event: GatewayEvent; fault: DateFault } | undefined> {
  const { imei } = context.job.device
  const nowMs = context.now().getTime()
  const found: GatewayEvent[] = []
  for (const { fromMs, toMs } of impossibleTimes(nowMs + aheadMs)) {
    const reply = await askGateway(() =>
      context.gateway.readEvents(
        { imei, vehicleId: context.job.vehicle?.id ?? null, sinceMs: fromMs, untilMs: toMs },
        context.signal
      )
    )
    if (reply.kind === 'answer') found.push(...reply.value.filter((event) => isEventOfDevice(event, imei)))
  }
  const sinceMs = nowMs - context.profile.delivered.eventAgeWarnS * 1000 - apartMs
  const [event] = found.filter((one) => arrivedAtMs(one) >= sinceMs).sort((a, b) => arrivedAtMs(b) - arrivedAtMs(a))
  const fault = event && dateFaultOf(event)
  return fault ? { event, fault } : undefined
}

/** When the gateway processed it; never, if it does not say so. */
export function arrivedAtMs({ eventAtMs, delayS }: GatewayEvent): number {
  return delayS === null ? -Infinity : eventAtMs + delayS * 1000
}

/** What is wrong with the date of an event; null: it may be right. */
export function dateFaultOf(event: Pick<GatewayEvent, 'eventAtMs' | 'delayS'>): DateFault | null {
  return event.delayS === null
    ? null
    : dateFault([{ eventAtMs: event.eventAtMs, arrivedAtMs: event.eventAtMs + event.delayS * 1000 }])
}
