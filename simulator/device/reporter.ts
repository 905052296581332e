import type { DeviceReport, ReportListener, ReportType } from '../report.ts'
import type { VehicleChange } from '../vehicle.ts'
import { isEngineBusDetected, isRegistered, rssiDbmOf, type Unit } from './unit.ts'

const keptUnsent = 500
/** A line that chatters is reported once in this time. */
const sameLineMs = 500
const keepAliveEvery = 6

/** Sends the device's events to the gateway; keeps them while there is no network, as a device does. */
export class Reporter {
  readonly #unit: Unit
  readonly #everyMs: number
  readonly #send: ReportListener
  readonly #unsent: DeviceReport[] = []
  readonly #lineAtMs = new Map<string, number>()
  #sequence = 0
  #periodics = 0
  #stopChanges: (() => void) | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(unit: Unit, everyMs: number, send: ReportListener) {
    this.#unit = unit
    this.#everyMs = everyMs
    this.#send = send
  }

  start(): void {
    this.#report(110, 1, 'conn')
    this.reportPosition()
    this.#stopChanges = this.#unit.vehicle.onChange((change) => this.#reportChange(change))
    this.#timer = setInterval(() => this.reportPosition(), this.#everyMs)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#stopChanges?.()
  }

  /** The regular event; every sixth is followed by a keep-alive. */
  reportPosition(): void {
    this.#report(10, 0, 'prdtst')
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

  #report(type: ReportType, code: number, label: string): void {
    const report = makeReport(this.#unit, ++this.#sequence, type, code, label)
    if (!isRegistered(this.#unit)) {
      this.#unsent.push(report)
      if (this.#unsent.length > keptUnsent) this.#unsent.shift()
      return
    }
    for (const late of this.#unsent.splice(0)) this.#send(late.type === 10 ? { ...late, type: 13 } : late)
    this.#send(report)
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
  const hasFix = !unit.faults.has('noFix')
  const isPosition = kind === 10 || kind === 11
  return {
    imei: unit.identity.imei,
    deviceTimeMs: unit.vehicle.now(),
    sequence,
    type: isPosition && !hasFix ? 20 : kind,
    code,
    label,
    lat: hasFix ? state.fix.latitude : 0,
    lon: hasFix ? state.fix.longitude : 0,
    validPosition: hasFix,
    speedKmh: hasFix ? state.fix.speedKmh : 0,
    headDeg: hasFix ? state.fix.bearingDeg : 0,
    hdop: hasFix ? state.fix.hdop : 99.9,
    vdop: hasFix ? state.fix.vdop : 99.9,
    sv: hasFix ? state.fix.satellites : 0,
    csq: isRegistered(unit) ? (rssiDbmOf(unit) + 113) / 2 : 99,
    io: {
      ign: state.ignition,
      pwr: state.power,
      in1: state.inputs.IN1,
      in2: state.inputs.IN2,
      in3: state.inputs.IN3,
      in4: state.inputs.IN4,
      in5: state.inputs.IN5,
      in6: state.inputs.IN6,
      in7: state.inputs.IN7,
      out1: state.outputs.OUT1,
      out2: state.outputs.OUT2,
      out3: state.outputs.OUT3,
      out4: state.outputs.OUT4,
      out1Short: state.shorts.OUT1,
      out2Short: state.shorts.OUT2,
      out3Short: state.shorts.OUT3,
      out4Short: state.shorts.OUT4
    },
    iccid: unit.faults.has('noSim') ? '' : unit.identity.iccid,
    supplyMv: state.supplyMv,
    engineOn: state.engineOn,
    rpm: state.rpm,
    distanceM: state.distanceM,
    ignitionS: state.ignitionS,
    idleS: state.idleS,
    ecu: {
      detected: isEngineBusDetected(unit),
      parameters: unit.ecuParameters.map(({ PARAM_NAME }) => PARAM_NAME)
    }
  }
}
