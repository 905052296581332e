import type {
  AccessoryView,
  EcuValue,
  LineState,
  TagReading,
  TyreView
} from '../../../../preload/contract/gateway/accessories.ts'
import type { Json } from '../../../../preload/contract/define.ts'
import { message, type Message } from '../../../../preload/contract/messages.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { bareMac } from '../../../../preload/base/messages/hiddenMarks.ts'
import type { GatewayClient } from '../client.ts'
import { analogTemperatureC } from '../decoders/analogTemperature.ts'
import { readAssistance } from '../decoders/assistance.ts'
import { readBluetoothTag } from '../decoders/bluetoothTag.ts'
import { describeEcuFlag, readEcuFields, readEcuParameters } from '../decoders/engineBus.ts'
import { numberIn, textIn, type Fields } from '../decoders/fields.ts'
import { readIosState } from '../decoders/inputsOutputs.ts'
import { readTyres } from '../decoders/tyrePressure.ts'
import { demandRecordOf } from '../vehicles/deviceRecord.ts'
import { deviceImeiOf } from '../vehicles/entities.ts'
import { eventMs } from '../decoders/eventTimes.ts'
import { fixDoubts, movedM, type PlaceReport } from '../../../base/reading/contradictions.ts'
import { earliestMs } from '../../../base/reading/reportedEvents.ts'
import { isPlace } from '../../../../preload/base/maps/position.ts'
import type { EventReader } from '../events/eventReader.ts'
import type { Priority } from '../transport/rateLimit.ts'

const viewHours = 6
/** Places of this time must agree before a speed of 0 is believed. */
const standingWithinMs = 180_000
const isoOf = (ms: number | undefined | null): string | null =>
  ms === undefined || ms === null || ms < earliestMs ? null : new Date(ms).toISOString()

/** Documented units of engine-bus fields; descriptions of the bus itself name the others. */
const ecuUnits: Readonly<Record<string, { unit: string; divisor: number }>> = {
  battery: { unit: 'mV', divisor: 1 },
  distance: { unit: 'm', divisor: 1 },
  idle_fuel: { unit: 'L', divisor: 10 }
}
/** The counters have their own units and are not current values. */
const counters = ['dist', 'eusage', 'eidle', 'tfuel', 'ifuel']

/** A vehicle's accessories at the gateway: engine bus, tyres, temperatures, driver assistance, lines. */
export function createAccessoryViews(client: () => Promise<GatewayClient>, events: EventReader) {
  async function deviceOf(vehicleId: number, signal: AbortSignal): Promise<string | null> {
    const { value } = await (await client()).vehicles.get({ id: vehicleId }, { signal, priority: 'screen' })
    return deviceImeiOf(value)
  }

  async function readLines(imei: string, signal: AbortSignal) {
    const { value } = await (await client()).devices.get({ imei, select: 'ios_state' }, { signal, priority: 'screen' })
    demandRecordOf(value, imei)
    const state = readIosState((value.ios_state ?? {}) as Fields)
    return {
      lines: linesOf(state),
      isExpanderConnected: state.expander.isConnected,
      at: isoOf(state.epochS === null ? null : state.epochS * 1000)
    }
  }

  /** Screens read it repeatedly; `person`: someone waits for this answer. */
  async function read(vehicleId: number, signal: AbortSignal, priority: Priority = 'screen'): Promise<AccessoryView> {
    const nowMs = await events.nowMs()
    const imei = await deviceOf(vehicleId, signal)
    const wanted = (name: string): boolean => /^(ecu_|ea_[abc]$|adas_|io_ign$|sv$|hdop$)/.test(name)
    const [recent, bus, lines] = await Promise.all([
      attempt(() =>
        events.read(vehicleId, wanted, { sinceMs: nowMs - viewHours * 3_600_000, tail: 60, priority }, signal)
      ),
      attempt(async () => (await client()).remote.ecuState({ vid: vehicleId }, { signal, priority: 'screen' })),
      imei === null
        ? { value: null, failure: { code: 'NOT_FOUND', message: message('accessories.noDeviceInVehicle') } }
        : attempt(() => readLines(imei, signal))
    ])
    const rows = recent.value ?? []
    const newest = rows.at(-1)
    const newestMs = newest ? eventMs(newest) : undefined
    const ofTyres = rows.findLast(
      (event) => textIn(event, 'ecu_tires_psi') !== null || textIn(event, 'ecu_tpms_provision') !== null
    )
    const ofTemperatures = rows.findLast((event) =>
      ['ea_a', 'ea_b', 'ea_c'].some((name) => numberIn(event, name) !== null)
    )
    const ofSpeed = rows.findLast((event) => speedKmhOf(event) !== null)
    const ofIgnition = rows.findLast((event) => typeof event['io_ign'] === 'boolean')
    const ofBus = rows.findLast((event) =>
      Object.keys(event).some((name) => /^ecu_.+_flag$/.test(name) && typeof event[name] === 'string')
    )
    const tyres = readTyres(ofTyres ?? {})
    const state = bus.value?.value
    return {
      readAt: new Date().toISOString(),
      imei,
      event:
        newest && newestMs !== undefined
          ? {
              at: new Date(newestMs).toISOString(),
              ageS: Math.round((nowMs - newestMs) / 1000),
              type: numberIn(newest, 'type'),
              label: textIn(newest, 'label'),
              speedKmh: speedKmhOf(ofSpeed ?? {}),
              validPosition: typeof ofSpeed?.['valid_position'] === 'boolean' ? ofSpeed['valid_position'] : null,
              speedAt: isoOf(ofSpeed && eventMs(ofSpeed)),
              movedM: movedWithoutSpeedM(rows),
              isFixDoubted:
                fixDoubts({
                  extras: {
                    satsActive: numberIn(ofSpeed ?? {}, 'sv') ?? undefined,
                    hdop: numberIn(ofSpeed ?? {}, 'hdop') ?? undefined
                  }
                }).length > 0,
              ignition: ofIgnition ? ofIgnition['io_ign'] === true : null,
              ignitionAt: isoOf(ofIgnition && eventMs(ofIgnition))
            }
          : null,
      eventFailure: recent.failure,
      engineBus: state
        ? {
            protocol: state.protocol_name ?? '',
            firmware:
              state.ecu_fw_full ?? (state.ecu_fw === undefined || state.ecu_fw === null ? '' : String(state.ecu_fw)),
            isDetected: state.detected ?? null,
            isEngineOn: state.engineison ?? null,
            isUpgrading: state.upgrading ?? null,
            updatedAt: isoOf(typeof state.ecu_updateepoch === 'number' ? state.ecu_updateepoch * 1000 : null),
            raw: state as Json
          }
        : null,
      engineBusFailure: bus.failure,
      ecuValues: ofBus ? ecuValuesOf(ofBus, state?.params) : [],
      ecuAt: isoOf(ofBus && eventMs(ofBus)),
      tyres: tyreViews(tyres),
      tyreSystem: tyres.provision
        ? {
            system: tyres.provision.system ?? '',
            state: tyres.provision.state ?? '',
            axles: tyres.provision.axles,
            modules: tyres.provision.modules
          }
        : null,
      tyresAt: isoOf(ofTyres && eventMs(ofTyres)),
      tyreProblems: tyres.unreadable,
      temperatures: ['a', 'b', 'c'].flatMap((sensor) => {
        const millivolts = numberIn(ofTemperatures ?? {}, `ea_${sensor}`)
        return millivolts === null
          ? []
          : [{ sensor: sensor.toUpperCase(), millivolts, celsius: analogTemperatureC(millivolts) }]
      }),
      temperaturesAt: isoOf(ofTemperatures && eventMs(ofTemperatures)),
      assistance: readAssistance(rows.findLast((event) => readAssistance(event).length > 0) ?? {}),
      lines: lines.value?.lines ?? [],
      isExpanderConnected: lines.value?.isExpanderConnected ?? null,
      linesAt: lines.value?.at ?? null,
      linesFailure: lines.failure
    }
  }

  /** The newest reading of each tag, newest first. */
  async function readTags(vehicleId: number, sinceMs: number, signal: AbortSignal): Promise<TagReading[]> {
    const rows = await events.read(vehicleId, (name) => name.startsWith('btt_'), { sinceMs, tail: 1_000 }, signal)
    const byMac = new Map<string, TagReading>()
    for (const row of rows) {
      const tag = readBluetoothTag(row)
      const at = eventMs(row)
      if (tag && at !== undefined) byMac.set(bareMac(tag.mac), { ...tag, at: new Date(at).toISOString() })
    }
    return [...byMac.values()].sort((a, b) => b.at.localeCompare(a.at))
  }

  return { read, readTags, readLines, deviceOf }
}

/**
 * How far the newest place is from those of the last minutes, where all of them say a speed of 0; null without
 * movement.
 */
function movedWithoutSpeedM(rows: readonly Fields[]): number | null {
  const placed = rows.flatMap((row): PlaceReport[] => {
    const [latitude, longitude, atMs, speedKmh] = [
      numberIn(row, 'lat'),
      numberIn(row, 'lon'),
      eventMs(row),
      speedKmhOf(row)
    ]
    if (
      latitude === null ||
      longitude === null ||
      atMs === undefined ||
      row['valid_position'] !== true ||
      !isPlace(latitude, longitude)
    )
      return []
    return [{ atMs, latitude, longitude, speedKmh }]
  })
  const newest = placed.at(-1)
  const latest = placed.filter(({ atMs }) => newest !== undefined && newest.atMs - atMs <= standingWithinMs)
  // A vehicle that has just stopped was elsewhere with a speed.
  const since = latest.findLastIndex(({ speedKmh }) => speedKmh !== 0) + 1
  return movedM(latest.slice(since))
}

function speedKmhOf(event: Fields): number | null {
  const speed = numberIn(event, 'speed', 0)
  return speed === null ? null : Math.round(speed * 36) / 10
}

type Attempted<T> = { value: T; failure: null } | { value: null; failure: { code: string; message: Message } }

/** An unreadable part must not hide the others. */
async function attempt<T>(ask: () => Promise<T>): Promise<Attempted<T>> {
  try {
    return { value: await ask(), failure: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CANCELLED' || error.code === 'NOT_AUTHENTICATED') throw error
    return { value: null, failure: { code: error.code, message: error.sentence } }
  }
}

function ecuValuesOf(event: Fields, params: unknown): EcuValue[] {
  const described = new Map(readEcuParameters(params).map((one) => [one.name.replace(/^ecu_/i, '').toLowerCase(), one]))
  return readEcuFields(event)
    .filter(({ name, flag }) => flag !== undefined || !counters.includes(name))
    .filter(({ name }) => !counters.includes(name))
    .map(({ name, value, flag }) => {
      const parameter = described.get(name)
      const known = Object.hasOwn(ecuUnits, name) ? ecuUnits[name] : undefined
      const divisor = known?.divisor ?? parameter?.divisor ?? 1
      return {
        name,
        description: parameter?.description ?? '',
        value: typeof value === 'number' ? Math.round((value / divisor) * 1000) / 1000 : value,
        divisor,
        unit: known?.unit ?? '',
        flag: flag?.flag ?? null,
        meaning: flag?.meaning ?? message('engineBus.noFlag'),
        remedy: describeEcuFlag(flag?.flag)?.remedy ?? null
      }
    })
    .sort((a, b) => Number(b.flag === 'T') - Number(a.flag === 'T') || a.name.localeCompare(b.name))
}

function tyreViews(tyres: ReturnType<typeof readTyres>): TyreView[] {
  const byLocation = new Map<number, TyreView>()
  const at = ({ location, axle, position }: { location: number; axle: number; position: number }): TyreView => {
    const known = byLocation.get(location)
    if (known) return known
    const made: TyreView = {
      location,
      axle,
      position,
      psi: null,
      celsius: null,
      alarm: null,
      isAlarming: false,
      isDefective: false,
      looseness: null,
      isBatteryLow: false,
      sensorId: null
    }
    byLocation.set(location, made)
    return made
  }
  for (const sensor of tyres.provision?.sensors ?? []) at(sensor).sensorId = sensor.sensorId
  for (const one of tyres.pressuresPsi) at(one).psi = one.psi
  for (const one of tyres.temperaturesC) at(one).celsius = one.celsius
  for (const { alarm, isAlarming, isDefective, looseness, isBatteryLow, ...place } of tyres.warnings) {
    Object.assign(at(place), { alarm, isAlarming, isDefective, looseness, isBatteryLow })
  }
  return [...byLocation.values()].sort((a, b) => a.axle - b.axle || a.position - b.position)
}

function linesOf(state: ReturnType<typeof readIosState>): LineState[] {
  const line = (
    name: string,
    kind: LineState['kind'],
    number: number,
    on: boolean | null,
    isShorted: boolean | null = null
  ): LineState => ({ name, kind, number, on, isShorted })
  return [
    line('PWR', 'power', 0, state.power),
    line('IGN', 'ignition', 0, state.ignition),
    ...state.inputs.map((on, index) => line(`IN${index + 1}`, 'input', index + 1, on)),
    ...state.outputs.map((on, index) =>
      line(`OUT${index + 1}`, 'output', index + 1, on, state.outputShorts[index] ?? null)
    ),
    ...state.expander.inputs.map((on, index) => line(`EXP IN${index + 1}`, 'expanderInput', index + 1, on)),
    ...state.expander.outputs.map((on, index) =>
      line(`EXP OUT${index + 1}`, 'expanderOutput', index + 1, on, state.expander.outputShorts[index] ?? null)
    )
  ]
}
