import type { GatewayDistance, RoadEvent } from '../../../main/job/jobs/engine/ports.ts'
import { virtualImei, type VirtualJob } from './virtualJob.ts'

/**
 * The gateway's side of a drive on the virtual clock: an event every ten seconds, the trip and the counter with them.
 */
export interface TestDrive {
  readonly events: RoadEvent[]
  /** Lets the clock run on, with the gateway hearing of the vehicle. */
  pass(seconds: number): Promise<void>
}

export interface DriveFaults {
  /** Between two events; 10 s where nothing is said. */
  everyS?: number
  delayS?: number
  change?(event: RoadEvent): RoadEvent
  trip?(real: GatewayDistance): GatewayDistance | null
  counter?(real: GatewayDistance): GatewayDistance | null
}

export function hearDrive(
  bench: VirtualJob,
  {
    everyS = 10,
    delayS = 2,
    change = (event) => event,
    trip = (real) => real,
    counter = (real) => real
  }: DriveFaults = {}
): TestDrive {
  const events: (RoadEvent & { distanceM: number })[] = []

  function hear(): void {
    const { fix, distanceM } = bench.vehicle.state()
    const eventAtMs = Math.floor(Date.now() / 1000) * 1000
    const place = { latitude: fix.latitude, longitude: fix.longitude, isPositionValid: true, speedKmh: fix.speedKmh }
    const event: RoadEvent = {
      eventAtMs,
      arrivedAtMs: eventAtMs + delayS * 1000,
      imei: virtualImei,
      type: 10,
      delayS,
      ...place,
      raw: { device_id: Number(virtualImei), event_epoch: eventAtMs / 1000 }
    }
    events.push({ ...change(event), distanceM })
  }

  function there({ fromMs, untilMs }: { fromMs: number; untilMs: number }) {
    return events.filter(
      (event) => event.eventAtMs >= fromMs && event.eventAtMs <= untilMs && (event.arrivedAtMs ?? 0) <= Date.now()
    )
  }

  function distanceOf(range: { fromMs: number; untilMs: number }): GatewayDistance | null {
    const heard = there(range)
    const [first, last] = [heard[0], heard.at(-1)]
    return first && last
      ? { distanceM: last.distanceM - first.distanceM, fromMs: first.eventAtMs, untilMs: last.eventAtMs, raw: null }
      : null
  }

  bench.gateway.road.readEvents = (range) => ({ events: there(range), isWhole: true })
  bench.gateway.road.readTrips = (range) => {
    const real = distanceOf(range)
    return real && trip(real)
  }
  bench.gateway.road.readDistance = (range) => {
    const real = distanceOf(range)
    return real && counter(real)
  }
  return {
    events,
    async pass(seconds) {
      for (let second = 0; second < seconds; second++) {
        if (Math.floor(Date.now() / 1000) % everyS === 0) hear()
        await bench.pass(1_000)
      }
    }
  }
}
