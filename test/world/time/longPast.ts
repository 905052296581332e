import type { GatewayState, JsonRecord, RawEvent, Vehicle } from '../../../simulator/gateway/state.ts'

const minuteMs = 60_000

export interface LongPast {
  vehicle: Vehicle
  imei: number
  untilMs: number
  n: number
  /** The interval between events; default one minute. */
  everyMs?: number
  /** A period without network: minutes before the end, duration; its events are delivered afterwards. */
  outages?: readonly { endedMinutesAgo: number; lastedMinutes: number }[]
  /** A period without reports. */
  silences?: readonly { endedMinutesAgo: number; lastedMinutes: number }[]
  /** Every n-th event arrives twice, alternately as a duplicate by type and as an identical event. */
  twiceEvery?: number
}

/** Many events of one vehicle: drives and stops, periods without network, silent periods, duplicates. */
export function addLongPast(state: GatewayState, past: LongPast): void {
  const { vehicle, imei, untilMs, n, everyMs = minuteMs, outages = [], silences = [], twiceEvery = 0 } = past
  const within = (
    atMs: number,
    { endedMinutesAgo, lastedMinutes }: { endedMinutesAgo: number; lastedMinutes: number }
  ): boolean =>
    atMs > untilMs - (endedMinutesAgo + lastedMinutes) * minuteMs && atMs < untilMs - endedMinutesAgo * minuteMs
  let delivered = 0
  for (let index = 0; index < n; index++) {
    const atMs = untilMs - (n - 1 - index) * everyMs
    if (silences.some((one) => within(atMs, one))) continue
    const outage = outages.find((one) => within(atMs, one))
    if (!outage) delivered = 0
    const backMs = outage ? untilMs - outage.endedMinutesAgo * minuteMs + 2_000 + 400 * delivered++ : 0
    const arrivedMs = outage ? backMs : atMs + 2_000 + (index % 5) * 400
    const fields = fieldsAt(index, atMs, outage !== undefined)
    put(state, { vehicle, imei }, { atMs, arrivedMs, fields })
    if (twiceEvery > 0 && index % twiceEvery === twiceEvery - 1) {
      const isByType = Math.floor(index / twiceEvery) % 2 === 0
      put(
        state,
        { vehicle, imei },
        { atMs, arrivedMs: arrivedMs + 5_000, fields: isByType ? { ...fields, type: 301 } : { ...fields } }
      )
    }
  }
}

function fieldsAt(index: number, atMs: number, isOut: boolean): JsonRecord {
  const minute = Math.floor(atMs / minuteMs) % 180
  const isDriving = minute > 20 && minute < 150
  const turn = index / 40
  if (!isDriving && index % 3 !== 0) return { type: 100, code: 0, label: null, valid_position: false }
  const place = {
    lat: 40.42 + 0.02 * Math.sin(turn / 6),
    lon: -3.7 + 0.03 * Math.cos(turn / 6),
    head: Math.round((turn * 20) % 360)
  }
  const isBraking = isDriving && index % 211 === 0
  return {
    ...place,
    type: isOut ? 13 : isDriving ? 10 : 11,
    code: isBraking ? 30 : 0,
    label: isBraking ? 'harshbrk' : 'prdtst',
    valid_position: index % 97 !== 0,
    speed: isDriving ? 8 + 6 * Math.sin(turn) + (index % 4) : 0,
    hdop: 0.9,
    sv: 8 + (index % 4),
    cf_rssi: isOut ? null : 14 + Math.round(6 * Math.sin(turn / 3)),
    ecu_battery: isDriving ? 14_050 + (index % 3) * 30 : 12_600,
    ecu_battery_flag: 'T'
  }
}

function put(
  state: GatewayState,
  { vehicle, imei }: { vehicle: Vehicle; imei: number },
  { atMs, arrivedMs, fields }: { atMs: number; arrivedMs: number; fields: JsonRecord }
): void {
  const event: RawEvent = {
    id: 900_000 + state.nextId('event'),
    vid: vehicle.id,
    imei,
    deviceTimeMs: Math.floor(atMs / 1000) * 1000,
    systemTimeMs: arrivedMs,
    systemMicros: 0,
    visibleMs: arrivedMs,
    fields
  }
  state.events.push(event)
}
