import type { PhotoView } from '../../../../preload/contract/gateway/accessories.ts'
import type { Json } from '../../../../preload/contract/define.ts'
import type { PhotoEventView } from '../../../../preload/contract/gateway/photos.ts'

export interface TyrePlace {
  location: number
  /** From the front, from 0. */
  axle: number
  /** From the left, facing forward, from 0. */
  position: number
}

/** The tyre monitor of one event. Each part is null where the event has no such field. */
export interface TyresSeen {
  pressuresPsi: (TyrePlace & { psi: number })[] | null
  temperaturesC: (TyrePlace & { celsius: number })[] | null
  warnings:
    | (TyrePlace & {
        alarm: string
        isAlarming: boolean
        isDefective: boolean
        looseness: string
        isBatteryLow: boolean
      })[]
    | null
  provision: {
    state: 'ok' | 'malfunction' | 'deactivated' | null
    axles: number
    modules: number
    sensors: (TyrePlace & { sensorId: string })[]
  } | null
}

export interface TagSeen {
  /** 12 capital hexadecimal characters. */
  mac: string
  batteryPercent: number | null
  /** Where the gateway tells a voltage: how full the cell is does not follow from it. */
  batteryMv: number | null
  temperatureC: number | null
}

export type ProbeName = 'a' | 'b' | 'c'

/** What one event of the vehicle says of its accessories. Times are epoch ms, by the clocks of device and gateway. */
export interface AccessoryEvent {
  eventAtMs: number
  arrivedAtMs: number | null
  label: string | null
  /** Of the driver or trailer that the vehicle is associated with. */
  assetId: number | null
  tag: TagSeen | null
  tyres: TyresSeen
  /** Celsius is null outside the range of the sensor. */
  probes: Partial<Record<ProbeName, { millivolts: number; celsius: number | null }>>
  expander: { isConnected: boolean | null; inputs: (boolean | null)[] }
  odometerM: number | null
  /** Names of fields that are there, but not as documented. */
  unreadable: string[]
  raw: Json
}

/** Events of one device, oldest first. */
export interface AccessoryEvents {
  events: AccessoryEvent[]
  /** Events of the vehicle that name another device, or none. */
  ofOthers: number
  fields: ReadonlySet<string>
  nowMs: number
}

export interface TriggerSeen {
  name: string
  labels: string[]
  /** It names this vehicle, or a group that the vehicle is in; null where that cannot be told. */
  isForVehicle: boolean | null
}

export interface PhotosSeen {
  photos: PhotoView[]
  event: PhotoEventView | null
}

/** The vehicle whose device it is; without an id it is found by its device. */
export interface OfVehicle {
  imei: string
  vehicleId: number | null
}

/** What steps about accessories ask of the gateway. Every call throws AppError when the gateway cannot be asked. */
export interface AccessoryPort {
  /** Of the last 15 minutes, or between `sinceMs` and `untilMs`. */
  readEvents(
    request: { imei: string; vehicleId: number | null; sinceMs?: number; untilMs?: number },
    signal: AbortSignal
  ): Promise<AccessoryEvents>
  /** The keys that are registered and whose they are; null where this user may not see them. */
  readKeys(signal: AbortSignal): Promise<{ id: string; assetId: number | null }[] | null>
  /** Null where the gateway does not show it. */
  nameOfAsset(assetId: number, signal: AbortSignal): Promise<string | null>
  /**
   * Whether the history of the vehicle that has this device names the asset since then; `sure` when it could be read.
   */
  findLink(
    request: {
      imei: string
      vehicleId: number | null
      assetId: number
      sinceMs: number
      afterMs?: number | undefined
      wording: 1 | 2
    },
    signal: AbortSignal
  ): Promise<{ found: boolean; sure: boolean }>
  /** Null where this gateway gives no list: it is only implied by the document. */
  readTriggers(
    request: OfVehicle,
    signal: AbortSignal
  ): Promise<{ triggers: TriggerSeen[]; isComplete: boolean } | null>
  /** The counters of the vehicle in metres and seconds, by the gateway's names; null where they are not shown. */
  readCounters(request: OfVehicle, signal: AbortSignal): Promise<Record<string, number> | null>
  /** What the cameras show last; null where no vehicle has the device. */
  lastPhotos(request: OfVehicle, signal: AbortSignal): Promise<PhotosSeen | null>
  /** Takes a photo, although it is a GET: once, nothing here repeats it. */
  capturePhoto(
    request: OfVehicle,
    signal: AbortSignal
  ): Promise<{ message: string; deviceIsOnline: boolean | null; raw: Json }>
}
