import { probeMv } from './probes.ts'
import { truckTyres, tyreFields, type Tyre } from './tyres.ts'

export type { Tyre }

export interface TagReading {
  batteryPercent?: number
  celsius?: number
  humidityPercent?: number
  lightPercent?: number
  isMoving?: boolean
}

/** A camera in the vehicle: 0..3, 99 the flash camera. */
export interface Camera {
  source: number
  isCovered: boolean
  failsWith: number | null
}

export type ProbeName = 'a' | 'b' | 'c'
export type ExpanderLine = 1 | 2 | 3 | 4

/** An event at an accessory that the device reports at once. */
export interface AccessoryEvent {
  label: string
  fields: Record<string, unknown>
  keyFob?: string
}

/** The accessories of a vehicle; none until they are added. */
export class Accessories {
  readonly #listeners = new Set<(event: AccessoryEvent) => void>()
  readonly #tags = new Map<string, TagReading>()
  readonly #probes = new Map<ProbeName, number>()
  readonly #others: Record<string, unknown> = {}
  #tyres: Tyre[] = []
  #expander: Record<ExpanderLine, boolean> | null = null
  #cameras: Camera[] = []

  fitAll(): void {
    this.fitTyres(truckTyres)
    this.setProbe('a', { celsius: 0 })
    this.setProbe('b', { celsius: 20 })
    this.fitExpander()
    this.fitCameras([0, 1])
    this.hearTag('A4C138001122')
    this.fitOther({ adas_distance_from_front_vehicle: 32, adas_headway_measurement: 2.4 })
  }

  /** Another accessory, which adds these fields to every event with a position. */
  fitOther(fields: Record<string, unknown>): void {
    Object.assign(this.#others, fields)
  }

  tapKeyFob(id: string): void {
    this.#tell({ label: 'ibutton', fields: {}, keyFob: id })
  }

  /** A tag comes close to the device: received at once, and then with each regular report. */
  hearTag(mac: string, reading: TagReading = {}): void {
    const bare = bareMac(mac)
    this.#tags.set(bare, { ...this.#tags.get(bare), ...reading })
    this.#tell(tagEvent(bare, this.#tags.get(bare) ?? {}))
  }

  /** The tag is out of range, or its battery is empty. */
  loseTag(mac: string): void {
    this.#tags.delete(bareMac(mac))
  }

  fitTyres(tyres: readonly Tyre[]): void {
    this.#tyres = tyres.map((tyre) => ({ ...tyre }))
  }

  setTyre(location: number, change: Partial<Omit<Tyre, 'location'>>): void {
    Object.assign(this.#tyreAt(location), change)
  }

  /** Two modules are mounted in each other's wheels: each reports the wheel that it is in. */
  swapTyres(one: number, other: number): void {
    const [a, b] = [this.#tyreAt(one), this.#tyreAt(other)]
    ;[a.sensor, b.sensor] = [b.sensor, a.sensor]
  }

  tyres(): readonly Tyre[] {
    return this.#tyres
  }

  /** Null: not connected, so that the field is missing. */
  setProbe(name: ProbeName, reading: { celsius: number } | { millivolts: number } | null): void {
    if (reading === null) this.#probes.delete(name)
    else this.#probes.set(name, 'celsius' in reading ? probeMv(reading.celsius) : reading.millivolts)
  }

  fitExpander(): void {
    this.#expander = { 1: false, 2: false, 3: false, 4: false }
  }

  setExpanderInput(line: ExpanderLine, on: boolean): void {
    if (!this.#expander) throw new Error('no expander is fitted')
    this.#expander[line] = on
    this.#tell({ label: `expin${line}${on ? 'on' : 'off'}`, fields: {} })
  }

  /** Inputs 1..4 of the expander; null without one. */
  expanderInputs(): boolean[] | null {
    return this.#expander && Object.values(this.#expander)
  }

  fitCameras(sources: number[]): void {
    this.#cameras = sources.map((source) => ({ source, isCovered: false, failsWith: null }))
  }

  coverCamera(source: number, isCovered: boolean): void {
    this.#cameraAt(source).isCovered = isCovered
  }

  failCamera(source: number, failsWith: number | null): void {
    this.#cameraAt(source).failsWith = failsWith
  }

  cameras(): readonly Camera[] {
    return this.#cameras
  }

  /** The device reports a custom event, such as a driver-assistance label. */
  reportEvent(label: string, fields: Record<string, unknown> = {}): void {
    this.#tell({ label, fields })
  }

  fields(): Record<string, unknown> {
    return {
      ...this.#others,
      ...tyreFields(this.#tyres),
      ...Object.fromEntries([...this.#probes].map(([name, mv]) => [`ea_${name}`, mv]))
    }
  }

  heardTags(): AccessoryEvent[] {
    return [...this.#tags].map(([mac, reading]) => tagEvent(mac, reading))
  }

  onEvent(listener: (event: AccessoryEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell(event: AccessoryEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  #tyreAt(location: number): Tyre {
    const tyre = this.#tyres.find((one) => one.location === location)
    if (!tyre) throw new Error(`no tyre module at ${location}`)
    return tyre
  }

  #cameraAt(source: number): Camera {
    const camera = this.#cameras.find((one) => one.source === source)
    if (!camera) throw new Error(`no camera ${source}`)
    return camera
  }
}

function tagEvent(mac: string, reading: TagReading): AccessoryEvent {
  return {
    label: 'bttag',
    fields: {
      btt_mac: mac,
      btt_battery: reading.batteryPercent ?? 92,
      btt_humidity: reading.humidityPercent ?? 41,
      btt_light: reading.lightPercent ?? 12,
      btt_temp: Math.round((reading.celsius ?? 21.5) * 10),
      btt_motion: reading.isMoving ?? false,
      btt_button: false,
      btt_freefall: false,
      btt_impact: false,
      btt_presence: true,
      btt_reed: false,
      btt_wreason: reading.isMoving ? 'M' : 'C'
    }
  }
}

function bareMac(mac: string): string {
  return mac.replaceAll(/[^0-9A-Fa-f]/g, '').toUpperCase()
}
