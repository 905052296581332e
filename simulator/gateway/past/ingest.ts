import type { DeviceReport, RemoteOutputCommand } from '../../report.ts'
import { ecuField } from '../rawdata/catalogue.ts'
import { linkEntities } from '../records/links.ts'
import { addDevice, addSim } from '../seed.ts'
import type { Device, GatewayState, JsonRecord, RawEvent, Vehicle } from '../state.ts'
import { formatTime } from '../time.ts'

interface IngestOptions {
  state: GatewayState
  delayMs: number
  now: () => number
  tellDevice: (command: RemoteOutputCommand) => unknown
}

/** Beyond this many events the oldest fifth is removed. */
const maxEvents = 100_000

/** Turns device reports into events, device state and counters. */
export function createIngest({ state, delayMs, now, tellDevice }: IngestOptions) {
  const waiting: { report: DeviceReport; device: Device; receivedMs: number; visibleMs: number }[] = []

  function receive(report: DeviceReport): void {
    const receivedMs = now()
    const imei = Number(report.imei)
    const device =
      state.devices.find((candidate) => candidate.imei === imei) ?? addDevice(state, report.imei, 'ft4', report.iccid)
    waiting.push({ report, device, receivedMs, visibleMs: receivedMs + delayMs })
    const commands = device.waitingOutputs.splice(0)
    for (const { out, state: on } of commands) tellDevice({ imei: report.imei, out, state: on })
  }

  /** Publishes events whose delay has passed; called before every answer. */
  function settle(): void {
    const nowMs = now()
    while (waiting[0] && waiting[0].visibleMs <= nowMs) {
      const { report, device, receivedMs, visibleMs } = waiting.shift() as (typeof waiting)[number]
      applyReport(state, report, device, receivedMs, visibleMs)
    }
  }

  return { receive, settle }
}

function applyReport(
  state: GatewayState,
  report: DeviceReport,
  device: Device,
  receivedMs: number,
  visibleMs: number
): void {
  const systemTimeMs = Math.round((receivedMs + visibleMs) / 2)
  device.lastReportMs = visibleMs
  device.reportCount++
  device.report = report
  // The record names the SIM that the device was registered with.
  device.iccid ||= report.iccid
  addSim(state, report.iccid, device.imei)
  Object.assign(device.io, readLines(report), readExpander(device, report.accessories?.expanderInputs ?? null))
  device.ioEpoch = Math.floor(report.deviceTimeMs / 1000)
  const vehicle = state.vehicles.find((candidate) => candidate.device === device.imei)
  const fields = {
    ...readFields(state, report, vehicle?.id ?? 0),
    ...(report.type === 100 || report.type === 110
      ? {}
      : { ...expanderFields(device), ...speakAccessories(state, report.accessories?.fields ?? {}) })
  }
  device.latest = updateLatest(device.latest, report, fields, systemTimeMs)
  if (!vehicle) return
  linkKeyOwner(state, vehicle, report.accessories?.keyFob, systemTimeMs)
  addTagOwner(state, fields)
  const event: RawEvent = {
    id: 900_000 + state.nextId('event'),
    vid: vehicle.id,
    imei: device.imei,
    deviceTimeMs: report.deviceTimeMs,
    systemTimeMs,
    systemMicros: Math.floor(state.random() * 1000),
    visibleMs,
    fields
  }
  state.events.push(event)
  if (state.events.length > maxEvents) state.events.splice(0, maxEvents / 5)
}

/** The asset of a known key is linked to the vehicle; nothing is known about other keys. */
function linkKeyOwner(state: GatewayState, vehicle: Vehicle, keyFob: string | undefined, nowMs: number): void {
  const fob =
    keyFob === undefined ? undefined : state.ibuttons.find((known) => known.id.toUpperCase() === keyFob.toUpperCase())
  const asset = fob && state.assets.find((candidate) => candidate.id === fob.entity)
  if (asset) linkEntities({ state, nowMs, user: { id: 0 } }, vehicle.id, asset)
}

/** The fields of accessories as other vendors have them: tyres without padding, the battery of a tag in millivolts. */
function speakAccessories(state: GatewayState, fields: Record<string, unknown>): JsonRecord {
  const spoken: JsonRecord = { ...fields }
  const rewrite = (name: string, to: (place: string, rest: string, index: number) => string): void => {
    if (typeof spoken[name] === 'string' && spoken[name] !== '')
      spoken[name] = spoken[name]
        .split(',')
        .map((entry, index) => to(entry.slice(0, 3), entry.slice(3), index))
        .join(',')
  }
  if (state.speaks('tyres.unpadded')) {
    rewrite('ecu_tires_psi', (place, rest) => place + String(Number(rest)))
    rewrite('ecu_tpms_provision', (place, rest, index) => (index === 0 ? place + rest : place + String(Number(rest))))
  }
  if (state.speaks('tyres.conditions') && typeof spoken['ecu_tpms_warnings'] === 'string') {
    const warnings = spoken['ecu_tpms_warnings']
      .split(',')
      .filter((entry) => !/^\d{3}00[03]0$/.test(entry) && entry !== '')
    spoken['ecu_tpms_conditions'] = warnings.map((entry) => `${entry.slice(0, 3)}1030141`).join(',')
    delete spoken['ecu_tpms_warnings']
  }
  if (state.speaks('tag.millivolts') && typeof spoken['btt_battery'] === 'number')
    spoken['btt_battery'] = 2_500 + spoken['btt_battery'] * 5
  return spoken
}

/** The gateway adds the tag's owner. */
function addTagOwner(state: GatewayState, fields: JsonRecord): void {
  if (typeof fields['btt_mac'] === 'string')
    fields['btt_driver'] = state.btTags.find((tag) => tag.mac === fields['btt_mac'])?.asset_id ?? null
}

/** The lines of a reported expander. Its outputs are off until a command switches them, and then keep their state. */
function readExpander({ io }: Device, inputs: boolean[] | null): Record<string, boolean | null> {
  if (!inputs) return {}
  const lines: Record<string, boolean | null> = { io_exp_state: true }
  for (const [index, on] of inputs.entries()) {
    const output = `io_exp_out${index + 1}`
    Object.assign(lines, { [`io_exp_in${index + 1}`]: on, [output]: io[output] ?? false, [`${output}_short`]: false })
  }
  return lines
}

/** What an event says of the expander: its lines as the gateway knows them now. */
function expanderFields({ io }: Device): JsonRecord {
  return io['io_exp_state'] ? Object.fromEntries(Object.entries(io).filter(([name]) => name.startsWith('io_exp_'))) : {}
}

/** The lines that the document lists in `ios_state`: fewer than the device has. */
function readLines(report: DeviceReport): Record<string, boolean | null> {
  const { io } = report
  return {
    io_pwr: io.pwr,
    io_ign: io.ign,
    io_in1: io.in1,
    io_in2: io.in2,
    io_in3: io.in3,
    io_out1: io.out1,
    io_out2: io.out2,
    io_out1_short: io.out1Short,
    io_out2_short: io.out2Short
  }
}

function readFields(state: GatewayState, report: DeviceReport, vid: number): JsonRecord {
  const base: JsonRecord = {
    ignition: report.io.ign,
    type: report.type,
    code: report.code,
    label: report.label,
    cf_rssi: report.csq,
    io_exp_state: false
  }
  // `ignition` is not a rawdata field: trips are computed from it.
  const counters = readCounters(state, report, vid)
  for (const name of ['dev_dist', 'dev_ign', 'dev_idle']) {
    const offset = state.counterOffsets.get(`${vid} ${name}`)
    counters[`vehicle_${name}`] = (counters[name] as number) + (offset?.value ?? 0)
  }
  if (report.type === 100 || report.type === 110) return base
  return {
    ...base,
    lat: report.lat,
    lon: report.lon,
    valid_position: report.validPosition,
    speed: report.speedKmh / 3.6,
    head: report.headDeg,
    hdop: report.hdop,
    vdop: report.vdop,
    sv: report.sv,
    ...counters,
    ...readEngineBus(report)
  }
}

export type CountedReport = Pick<DeviceReport, 'distanceM' | 'ignitionS' | 'idleS' | 'ecu'>

/** Counters of a vehicle at a report, in metres, seconds and litres; null when the engine bus has no value. */
export function readCounters(state: GatewayState, report: CountedReport, vid: number): JsonRecord {
  const start = (name: string, most: number): number => state.shape(`${name} of ${vid}`, most)
  const isDetected = report.ecu.detected
  const distance = start('distance', 180_000_000) + report.distanceM
  const ignition = start('ignition', 20_000_000) + report.ignitionS
  const idle = start('idle', 4_000_000) + report.idleS
  const fuel = distance / 3200
  const ecu = (value: number): number | null => (isDetected ? value : null)
  return {
    dev_dist: distance,
    dev_ign: ignition,
    dev_idle: idle,
    dev_ospeed: start('overspeed', 50_000),
    dev_orpm: start('overrpm', 20_000),
    ecu_dist: ecu(distance * 1.01),
    ecu_eusage: ecu(ignition * 0.97),
    ecu_eidle: ecu(idle),
    ecu_tfuel: ecu(fuel),
    ecu_ifuel: ecu(fuel * 0.06)
  }
}

/** Only flag T marks a valid value; other flags come with a stale value or none. */
function readEngineBus(report: DeviceReport): JsonRecord {
  const flag = !report.ecu.detected ? 'D' : report.engineOn ? 'T' : 'F'
  const values: Record<string, number> = {
    ecu_battery: report.supplyMv,
    ecu_distance: Math.round(report.odometerM ?? report.distanceM),
    ecu_idle_fuel: Math.round(report.idleS / 120),
    ecu_rpm: report.rpm
  }
  for (const name of report.ecu.parameters) values[ecuField(name)] ??= report.engineOn ? 40 + (report.sequence % 20) : 0
  const states = new Map(Object.entries(report.ecu.states ?? {}).map(([name, state]) => [ecuField(name), state]))
  const fields: JsonRecord = {}
  for (const [name, value] of Object.entries(values)) {
    const state = states.get(name)
    fields[name] = flag === 'D' || state === 'unavailable' ? null : state === 'frozen' || state === 'quiet' ? 40 : value
    fields[`${name}_flag`] =
      flag === 'D' || state === undefined || !(state in stateFlags)
        ? flag
        : stateFlags[state as keyof typeof stateFlags]
  }
  return fields
}

const stateFlags = { quiet: 'O', unavailable: 'U' } as const

function updateLatest(
  latest: JsonRecord | null,
  report: DeviceReport,
  fields: JsonRecord,
  systemTimeMs: number
): JsonRecord {
  const times = { event_time: formatTime(report.deviceTimeMs, 'UTC'), system_time: formatTime(systemTimeMs, 'UTC', 0) }
  const head = { type: report.type, code: report.code, label: report.label, ...times }
  if (report.type === 100 || report.type === 110) return { ...latest, ...head }
  const { lat, lon, valid_position, speed, hdop, sv } = fields
  return {
    ...latest,
    ...head,
    system_epoch: systemTimeMs / 1000,
    valid_position,
    cf_rssi: fields['cf_rssi'],
    loc: { lat, lon, valid_position, speed, head: report.headDeg, hdop, sv, ...times }
  }
}
