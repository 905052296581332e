import type { GatewayState, JsonRecord, RawEvent, Vehicle } from '../../../simulator/gateway/state.ts'

/** A vehicle whose device is not in the yard, so that nothing else reports for it; its number at the gateway. */
export function addRichVehicle(state: GatewayState, nth = 0): number {
  const reporting = new Set(state.events.map(({ imei }) => imei))
  const vehicle = state.vehicles.filter(
    ({ device, groups }) => device !== null && !reporting.has(device) && !groups.includes(3)
  )[nth]
  if (!vehicle) throw new Error('No vehicle is left for a day of its own.')
  addRichDay(state, {
    vehicle,
    imei: vehicle.device ?? 0,
    untilMs: Date.now() - 1_000 - nth * 90_000,
    home: [40.38 + nth * 0.01, -3.65],
    nth
  })
  return vehicle.id
}

interface Past {
  vehicle: Vehicle
  imei: number
  /** The time of the last event. */
  untilMs: number
  /** Where the vehicle stands at first. */
  home: readonly [latitude: number, longitude: number]
  /** Only the first vehicle loses GPS; each next one is slower and has a weaker signal. */
  nth: number
}

const minuteMs = 60_000
/** Metres of a degree of latitude. */
const degreeM = 111_195
/**
 * The stops, as metres east and north of the first, with the minutes of standing there and the km/h of the way to the
 * next.
 */
const stops = [
  { east: 0, north: 0, minutes: 14, kmh: 34 },
  { east: -1_900, north: -300, minutes: 18, kmh: 22 },
  { east: -1_200, north: -420, minutes: 16, kmh: 78 },
  { east: 2_600, north: 1_500, minutes: 12, kmh: 46 },
  { east: 700, north: 820, minutes: 20, kmh: 0 }
] as const

/**
 * About two hours of a vehicle that end now: five stops, four trips at different speeds, braking, a tag heard again and
 * again, events that were buffered, and GPS that is lost on the last trip and does not come back.
 */
function addRichDay(state: GatewayState, { vehicle, imei, untilMs, home, nth }: Past): void {
  const told: { sinceMs: number; fields: JsonRecord; lateMs?: number }[] = []
  const placeAt = (east: number, north: number) => ({
    lat: home[0] + north / degreeM,
    lon: home[1] + east / (degreeM * Math.cos((home[0] * Math.PI) / 180))
  })
  let sinceMs = 0
  const say = (fields: JsonRecord, lateMs?: number): void =>
    void told.push({ sinceMs, fields, ...(lateMs !== undefined && { lateMs }) })
  let isLost = false
  const position = (east: number, north: number, speedKmh: number, index: number): JsonRecord => ({
    ...(isLost ? { lat: 0, lon: 0 } : placeAt(east, north)),
    type: 10,
    code: 0,
    label: null,
    valid_position: !isLost,
    speed: speedKmh / 3.6,
    head: 80,
    hdop: isLost ? 99 : 0.9,
    sv: isLost ? 0 : 10 + (index % 5 === 0 ? 1 : 0),
    cf_rssi: 18 - nth * 3 + Math.round(3 * Math.sin(told.length / 9))
  })
  stops.forEach(({ east, north, minutes, kmh: usualKmh }, stop) => {
    const kmh = usualKmh * (1 - nth * 0.15)
    for (let index = 0; index < minutes; index++, sinceMs += minuteMs) say(position(east, north, 0, index))
    const next = stops[stop + 1]
    if (!next) return
    say({ ...position(east, north, 0, 1), type: 11, code: 10, label: 'ignon' })
    // Along two streets, as a vehicle drives.
    const corner = [next.east, north] as const
    const legs = [
      [east, north, ...corner],
      [...corner, next.east, next.north]
    ] as const
    for (const [fromEast, fromNorth, toEast, toNorth] of legs) {
      const steps = Math.max(2, Math.round(Math.hypot(toEast - fromEast, toNorth - fromNorth) / (kmh / 3.6) / 10))
      for (let step = 0; step < steps; step++, sinceMs += 10_000) {
        if (stop === 3 && step === 8 && nth === 0) isLost = true
        const share = step / steps
        const speedKmh = Math.round(kmh * (0.55 + 0.6 * Math.sin(Math.PI * share)))
        const isBuffered = stop === 2 && step > 5 && step < 22
        say(
          {
            ...position(
              fromEast + (toEast - fromEast) * share,
              fromNorth + (toNorth - fromNorth) * share,
              speedKmh,
              step
            ),
            ...(isBuffered && { type: 13, cf_rssi: null })
          },
          isBuffered ? (24 - step) * 10_000 : undefined
        )
        if (stop === 1 && step % 2 === 0)
          say({
            ...position(
              fromEast + (toEast - fromEast) * share,
              fromNorth + (toNorth - fromNorth) * share,
              speedKmh,
              step
            ),
            type: 11,
            code: 40,
            label: 'btt',
            btt_mac: 'AA:BB:CC:00:00:12'
          })
        if (stop === 2 && step === 24)
          say({
            ...position(
              fromEast + (toEast - fromEast) * share,
              fromNorth + (toNorth - fromNorth) * share,
              speedKmh,
              step
            ),
            type: 11,
            code: 30,
            label: 'harshbrk'
          })
      }
    }
    say({ ...position(next.east, next.north, 0, 1), type: 11, code: 10, label: 'ignoff' })
  })
  for (const { sinceMs: atMs, fields, lateMs = 1_500 } of told) {
    const deviceTimeMs = Math.floor((untilMs - sinceMs + atMs) / 1_000) * 1_000
    const event: RawEvent = {
      id: 960_000 + state.nextId('event'),
      vid: vehicle.id,
      imei,
      deviceTimeMs,
      systemTimeMs: deviceTimeMs + lateMs,
      systemMicros: 0,
      visibleMs: deviceTimeMs + lateMs,
      fields
    }
    state.events.push(event)
  }
}
