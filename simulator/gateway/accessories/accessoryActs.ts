import { linkEntities } from '../records/links.ts'
import type { Device, GatewayState, JsonRecord, RawEvent } from '../state.ts'

export interface FittedAccessories {
  /** Added to the fields of every event with a position: tyres, temperatures, driver assistance, tags. */
  fields?: JsonRecord
  /** Lines of the expander in `ios_state` and in events, such as `io_exp_in1`. */
  expander?: Record<string, boolean | null>
  /** Camera indexes: 0..3, 99 the flash camera. */
  cameras?: number[]
}

export interface TagSighting {
  battery?: number
  humidity?: number
  light?: number
  /** Celsius. */
  celsius?: number
  motion?: boolean
  button?: boolean
  wakeReason?: string
}

export type AccessoryActs = ReturnType<typeof createAccessoryActs>

export function createAccessoryActs({ state, now, delayMs }: { state: GatewayState; now: () => number; delayMs: number }) {
  function find(imei: string): Device {
    const device = state.devices.find(candidate => String(candidate.imei) === imei)
    if (!device) throw new Error(`no device ${imei}`)
    return device
  }

  function report(device: Device, label: string, more: JsonRecord): void {
    const vehicle = state.vehicles.find(candidate => candidate.device === device.imei)
    if (!vehicle) return
    const last = state.events.findLast(event => event.vid === vehicle.id && typeof event.fields['lat'] === 'number')?.fields ?? {}
    const nowMs = now()
    const event: RawEvent = {
      id: 900_000 + state.nextId('event'),
      vid: vehicle.id,
      imei: device.imei,
      deviceTimeMs: nowMs,
      systemTimeMs: nowMs + Math.round(delayMs / 2),
      systemMicros: Math.floor(state.random() * 1000),
      visibleMs: nowMs + delayMs,
      fields: { ...last, ...device.fitted, type: 10, code: 60, label, ...more }
    }
    state.events.push(event)
  }

  return {
    /** A key is held to the reader; if the gateway knows the key, its asset is linked to the vehicle. */
    tapKey(imei: string, key: string): void {
      const device = find(imei)
      const vehicle = state.vehicles.find(candidate => candidate.device === device.imei)
      const fob = state.ibuttons.find(candidate => candidate.id.toUpperCase() === key.toUpperCase())
      const asset = fob && state.assets.find(candidate => candidate.id === fob.entity)
      if (vehicle && asset) linkEntities({ state, nowMs: now(), user: { id: 0 } }, vehicle.id, asset)
      report(device, 'ibutton', {})
    },
    /** A Bluetooth tag is received. */
    tagSeen(imei: string, mac: string, sighting: TagSighting = {}): void {
      const bare = mac.replaceAll(/[^0-9A-Fa-f]/g, '').toUpperCase()
      const owner = state.btTags.find(tag => tag.mac === bare)?.asset_id ?? null
      report(find(imei), 'bttag', {
        btt_mac: bare,
        btt_driver: owner,
        btt_battery: sighting.battery ?? 92,
        btt_humidity: sighting.humidity ?? 41,
        btt_light: sighting.light ?? 12,
        btt_temp: Math.round((sighting.celsius ?? 21.5) * 10),
        btt_motion: sighting.motion ?? true,
        btt_button: sighting.button ?? false,
        btt_freefall: false,
        btt_impact: false,
        btt_presence: true,
        btt_reed: false,
        btt_wreason: sighting.wakeReason ?? 'M'
      })
    },
    /** The device reports an event of its own, such as a driver-assistance label. */
    reportEvent(imei: string, label: string, fields: JsonRecord = {}): void {
      report(find(imei), label, fields)
    },
    fit(imei: string, { fields, expander, cameras }: FittedAccessories): void {
      const device = find(imei)
      if (fields) Object.assign(device.fitted, fields)
      if (expander) Object.assign(device.fittedLines, { io_exp_state: true }, expander)
      if (cameras) device.cameras = cameras
      Object.assign(device.io, device.fittedLines)
    },
    /** Every photo ends with this status instead of a picture; null: photos succeed. */
    failPhotos(imei: string, statusNo: number | null): void {
      find(imei).photosFailWith = statusNo
    }
  }
}
