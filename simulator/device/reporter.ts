import type { DeviceReport, ReportedLines, ReportListener, ReportType } from '../report.ts'
import type { VehicleChange, VehicleState } from '../vehicle.ts'
import type { AccessoryEvent } from '../vehicle/accessories.ts'
import {
  busParameters,
  eventClockMs,
  fixOfUnit,
  hasAddress,
  identityOf,
  isEngineBusDetected,
  isRegistered,
  rssiDbmOf,
  simOf,
  type Unit
} from './unit.ts'

const keptUnsent = 500
/** A bouncing line is reported once in this time. */
const sameLineMs = 500
const keepAliveEvery = 6
/** The delay of each report with the fault `lateDelivered`. */
const lateMs = 240_000
/** The distance of the wrong position with the fault `reportsElsewhere`: about five kilometres. */
const elsewhereDeg = 0.05
/** The distance of another device with the same IMEI, with the fault `secondDevice`: about 230 kilometres. */
const secondDeviceDeg = 1.5

/** Sends the device's events to the gateway, and buffers them without a network, like a real device. */
export class Reporter {
  readonly #unit: Unit
  readonly #everyMs: number
  readonly #send: ReportListener
  readonly #unsent: DeviceReport[] = []
  readonly #lineAtMs = new Map<string, number>()
  #sequence = 0
  #periodics = 0
  readonly #held: { report: DeviceReport; dueMs: number }[] = []
  #stopChanges: (() => void) | undefined
  #stopEvents: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined
  #repeated: DeviceReport | undefined

  constructor(unit: Unit, everyMs: number, send: ReportListener) {
    this.#unit = unit
    this.#everyMs = everyMs
    this.#send = send
  }

  start(): void {
    this.#report(110, 1, 'conn')
    this.reportPosition()
    this.#stopChanges = this.#unit.vehicle.onChange((change) => this.#reportChange(change))
    this.#stopEvents = this.#unit.vehicle.accessories.onEvent((event) => this.#reportAccessory(event))
    this.#timer = setInterval(() => this.reportPosition(), this.#everyMs)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#stopChanges?.()
    this.#stopEvents?.()
  }

  /** The regular event; every sixth is followed by a keep-alive. */
  reportPosition(): void {
    this.#report(10, 0, 'prdtst')
    for (const tag of this.#unit.vehicle.accessories.heardTags()) this.#reportAccessory(tag)
    if (++this.#periodics % keepAliveEvery === 0) this.#report(100, 2, 'keepalive')
  }

  #reportChange(change: VehicleChange): void {
    const event = eventOf(change)
    if (!event) return
    const lastMs = this.#lineAtMs.get(change.line)
    if (lastMs !== undefined && change.atMs - lastMs < sameLineMs) return
    this.#lineAtMs.set(change.line, change.atMs)
    this.#report(11, event.code, event.label)
  }

  #reportAccessory({ label, fields, keyFob }: AccessoryEvent): void {
    const report = makeReport(this.#unit, ++this.#sequence, 11, 60, label)
    const all = { ...report.accessories?.fields, ...fields }
    this.#deliver({
      ...report,
      accessories: {
        fields: all,
        expanderInputs: report.accessories?.expanderInputs ?? null,
        ...(keyFob !== undefined && { keyFob })
      }
    })
  }

  #report(type: ReportType, code: number, label: string): void {
    this.#deliver(makeReport(this.#unit, ++this.#sequence, type, code, label))
  }

  /** What a fault makes of the reports at the gateway; the device itself shows its place as it is. */
  #spoil(report: DeviceReport): DeviceReport {
    const { faults } = this.#unit
    this.#repeated = faults.has('repeatedEvent') ? (this.#repeated ?? report) : undefined
    if (this.#repeated) return this.#repeated
    if (report.type !== 10 && report.type !== 11) return report
    const { lat, lon } = report
    if (faults.has('onlyKeepAlives')) return { ...report, type: 100, code: 2, label: 'keepalive' }
    if (faults.has('scaledCoordinates')) return { ...report, lat: Math.round(lat * 1e5), lon: Math.round(lon * 1e5) }
    if (faults.has('exchangedCoordinates') && report.sequence % 4 === 0) return { ...report, lat: lon, lon: lat }
    if (faults.has('secondDevice') && report.sequence % 3 === 0)
      return { ...report, lat: lat + secondDeviceDeg, lon: lon + secondDeviceDeg }
    return report
  }

  #deliver(made: DeviceReport): void {
    const report = this.#spoil(made)
    if (!hasAddress(this.#unit) || this.#unit.faults.has('neverDelivered')) {
      this.#unsent.push(report)
      if (this.#unsent.length > keptUnsent) this.#unsent.shift()
      return
    }
    const nowMs = this.#unit.vehicle.now()
    const isLate = this.#unit.faults.has('lateDelivered')
    for (const missed of this.#unsent.splice(0)) this.#send(missed.type === 10 ? { ...missed, type: 13 } : missed)
    this.#held.push({ report, dueMs: isLate ? nowMs + lateMs : nowMs })
    for (let first = this.#held[0]; first && (!isLate || first.dueMs <= nowMs); first = this.#held[0]) {
      this.#held.shift()
      this.#send(first.report)
    }
  }
}

function eventOf({ line, value }: VehicleChange): { code: number; label: string } | undefined {
  const input = /^IN([1-7])$/.exec(line)
  if (input) return { code: 20 + Number(input[1]), label: `in${input[1]}${value ? 'on' : 'off'}` }
  const output = /^OUT([1-4])$/.exec(line)
  if (output) return { code: 40 + Number(output[1]), label: `out${output[1]}${value ? 'on' : 'off'}` }
  if (line === 'IGN') return { code: 10, label: value ? 'ignon' : 'ignoff' }
  if (line === 'PWR') return { code: 11, label: value ? 'pwron' : 'pwroff' }
  if (line === 'moving') return { code: 12, label: value ? 'motion' : 'stop' }
  return undefined
}

function makeReport(unit: Unit, sequence: number, kind: ReportType, code: number, label: string): DeviceReport {
  const state = unit.vehicle.state()
  const fix = fixOfUnit(unit)
  const away = fix && unit.faults.has('reportsElsewhere') ? elsewhereDeg : 0
  const isPosition = kind === 10 || kind === 11
  const { accessories, bus } = unit.vehicle
  return {
    imei: identityOf(unit).imei,
    deviceTimeMs: eventClockMs(unit),
    sequence,
    type: isPosition && !fix ? 20 : kind,
    code,
    label,
    lat: (fix?.latitude ?? 0) + away,
    lon: fix?.longitude ?? 0,
    validPosition: fix !== null,
    speedKmh: fix?.speedKmh ?? 0,
    headDeg: fix?.bearingDeg ?? 0,
    hdop: fix?.hdop ?? 99.9,
    vdop: fix?.vdop ?? 99.9,
    sv: fix?.satellites ?? 0,
    csq: isRegistered(unit) ? (rssiDbmOf(unit) + 113) / 2 : 99,
    io: readLines(state),
    iccid: simOf(unit)?.iccid ?? '',
    supplyMv: state.supplyMv,
    engineOn: state.engineOn,
    rpm: state.rpm,
    distanceM: state.distanceM,
    ignitionS: state.ignitionS,
    idleS: state.idleS,
    ecu: {
      detected: isEngineBusDetected(unit),
      parameters: busParameters(unit),
      states: bus.states()
    },
    odometerM: state.odometerM,
    accessories: { fields: accessories.fields(), expanderInputs: accessories.expanderInputs() }
  }
}

function readLines({ ignition, power, inputs, outputs, shorts }: VehicleState): ReportedLines {
  const inReport = (lines: Record<string, boolean>, ending = '') =>
    Object.fromEntries(Object.entries(lines).map(([name, on]) => [name.toLowerCase() + ending, on]))
  return {
    ign: ignition,
    pwr: power,
    ...inReport(inputs),
    ...inReport(outputs),
    ...inReport(shorts, 'Short')
  } as ReportedLines
}
