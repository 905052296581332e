import type { Asset, GatewayState, JsonRecord, Vehicle } from '../state.ts'
import type { GatewayDeviceOptions } from '../types.ts'

const dayMs = 86_400_000
const beganDaysAgo = 620
/** The earlier device was removed, and the present one was installed. */
const earlierDeviceUntil = 240
const presentDeviceFrom = 217
const silentDays = { from: 62, until: 53 }

/**
 * Nearly two years of a vehicle: an earlier device and a time without one, trailers, drivers, reports, and a last day
 * of small things.
 */
export function addHistory(state: GatewayState, vehicle: Vehicle, device: GatewayDeviceOptions, nowMs: number): void {
  const earlier = 356_000_000_000_000 + 1_000 * state.nextId('earlier device') + 17
  const ago = (days: number): number => nowMs - days * dayMs
  vehicle.deviceHistory.splice(
    0,
    vehicle.deviceHistory.length,
    { imei: earlier, startMs: ago(beganDaysAgo), endMs: ago(earlierDeviceUntil) },
    { imei: Number(device.imei), startMs: ago(presentDeviceFrom), endMs: null }
  )
  addLinks(state, vehicle, ago)
  addReports(state, vehicle, device, { earlier, nowMs })
  addLastDay(state, vehicle, device, nowMs)
}

function addLinks(state: GatewayState, vehicle: Vehicle, ago: (days: number) => number): void {
  const isFirst = state.links.length === 0
  const ofType = (type: string): Asset[] => state.assets.filter((asset) => asset.type === type)
  const [trailers, drivers] = [ofType('trailer'), ofType('driver')]
  const shift = isFirst ? 0 : 2
  const link = (asset: Asset | undefined, from: number, until: number | null): void => {
    if (asset)
      state.links.push({
        primary: vehicle.id,
        secondary: asset.id,
        startMs: ago(from),
        endMs: until === null ? null : ago(until),
        userId: 0
      })
  }
  link(trailers[shift], 560, 345)
  link(trailers[shift + 1], 205, 3)
  link(drivers[shift], 612, 468)
  link(drivers[shift + 1], 468, 375)
  link(drivers[shift], 375, earlierDeviceUntil)
  link(drivers[shift + 2], 214, 136)
  link(drivers[shift + 1], 136, 2)
}

function addReports(
  state: GatewayState,
  vehicle: Vehicle,
  device: GatewayDeviceOptions,
  { earlier, nowMs }: { earlier: number; nowMs: number }
): void {
  for (let day = beganDaysAgo; day > 1; day--) {
    const isSilent =
      (day <= earlierDeviceUntil && day >= presentDeviceFrom) || (day <= silentDays.from && day > silentDays.until)
    if (isSilent) continue
    const imei = day > earlierDeviceUntil ? earlier : Number(device.imei)
    const count = 2 + Math.floor(state.random() * 5)
    for (let n = 0; n < count; n++) {
      const atMs = Math.floor((nowMs - day * dayMs) / dayMs) * dayMs + (6 + n * 2) * 3_600_000
      add(state, vehicle, imei, atMs, {
        ...placeOf(device, state.random(), state.random()),
        type: 10,
        code: 0,
        label: 'prdtst',
        ignition: true,
        speed: 12
      })
    }
  }
}

/** A short drive home with an event of each kind, some of them delivered late. */
function addLastDay(state: GatewayState, vehicle: Vehicle, device: GatewayDeviceOptions, nowMs: number): void {
  const at = (minutes: number, away: number): [number, JsonRecord] => [
    nowMs - minutes * 60_000,
    placeOf(device, away, away * 0.6)
  ]
  const tell = (minutes: number, away: number, fields: JsonRecord, lateS = 3): void => {
    const [ms, place] = at(minutes, away)
    add(state, vehicle, Number(device.imei), ms, { ...place, code: 0, ignition: true, ...fields }, lateS)
  }
  tell(52, 1, { type: 110, code: 1, label: 'conn', valid_position: false })
  tell(51, 1, { type: 11, code: 10, label: 'ignon', speed: 0 })
  tell(49, 0.95, { type: 11, code: 12, label: 'motion', speed: 4 })
  for (let n = 0; n < 10; n++)
    tell(
      47 - n * 2,
      0.9 - n * 0.07,
      { type: n > 3 && n < 7 ? 13 : 10, label: 'prdtst', speed: 11 + (n % 4) },
      n > 3 && n < 7 ? 420 - n * 20 : 3
    )
  tell(27, 0.16, { type: 11, code: 30, label: 'harshbrk', speed: 3.4 }, 4)
  tell(25, 0.1, { type: 11, code: 11, label: 'pwroff', speed: 0 }, 430)
  tell(21, 0.1, { type: 11, code: 11, label: 'pwron', speed: 0 }, 125)
  tell(19, 0, { type: 11, code: 12, label: 'stop', speed: 0 })
  tell(18, 0, { type: 11, code: 10, label: 'ignoff', speed: 0, ignition: false })
}

function placeOf({ lat, lon }: GatewayDeviceOptions, north: number, east: number): JsonRecord {
  return {
    lat: lat + north * 0.02,
    lon: lon + east * 0.03,
    valid_position: true,
    head: 200,
    hdop: 0.9,
    vdop: 1.2,
    sv: 11,
    cf_rssi: 22
  }
}

function add(state: GatewayState, vehicle: Vehicle, imei: number, atMs: number, fields: JsonRecord, lateS = 3): void {
  const arrivedMs = atMs + lateS * 1000
  state.events.push({
    id: 900_000 + state.nextId('event'),
    vid: vehicle.id,
    imei,
    deviceTimeMs: atMs,
    systemTimeMs: arrivedMs,
    systemMicros: 0,
    visibleMs: arrivedMs,
    fields
  })
}
