import { beforeAll, afterAll, describe, expect, it, vi } from 'vitest'
import { readForm } from '../../../../main/device/client/forms.ts'
import { correctGpsEpoch, readSignal } from '../../../../main/device/client/facts.ts'
import { createSpeedUnit } from '../../../../main/device/client/speedUnit.ts'
import { createDeviceClient } from '../../../../main/device/client/client.ts'
import { readBluetoothTag } from '../../../../main/gateway/client/decoders/bluetoothTag.ts'
import { numberIn, speedFactor, type Fields } from '../../../../main/gateway/client/decoders/fields.ts'
import { readTyres } from '../../../../main/gateway/client/decoders/tyrePressure.ts'
import { checkBaseAddress } from '../../../../main/gateway/client/transport/address.ts'
import { vehicleCounters } from '../../../../main/gateway/client/records/data.ts'
import { associationsOf } from '../../../../main/gateway/client/vehicles/associations.ts'
import { readDeviceState } from '../../../../main/gateway/client/vehicles/deviceState.ts'
import { readFields } from '../../../../main/base/reading/fields.ts'
import { formRows, type FormRow } from '../../../../main/base/reading/formTable.ts'
import { sameSim } from '../../../../main/base/reading/simNumber.ts'
import { timeFromOutside } from '../../../../preload/gateway/events/timeFromOutside.ts'
import { isFix, isPlace } from '../../../../preload/base/maps/position.ts'
import { simulatedForms, type SimulatedForm } from '../../../../simulator/forms.ts'
import { startSimulation, type Simulation } from '../../../../simulator/simulation.ts'

const nowMs = 1_795_867_200_000

/** The reader of each form that is not carried out as it stands in the table. */
const readers: Record<string, (told: never) => unknown> = {
  fix: (told: unknown[]) => told.map(isFix),
  timestamp: (told: number) => correctGpsEpoch(told, nowMs),
  speed: (told: number) => told,
  speedUnitOfWay(told: number) {
    const factorFor = createSpeedUnit()
    const at = (s: number) =>
      factorFor(
        { coords: { latitude: 4.7 + (told * s) / 111_195, longitude: -74, speed: told }, extras: { fix: 3 } },
        s
      )
    return told * Math.max(...[0, 4, 8, 12, 16, 20].map(at))
  },
  signal: (told: string) => readSignal(told),
  sim: ([one, other]: [string, string]) => sameSim(one, other),
  time: (told: unknown) => timeFromOutside(told),
  history: (told: unknown[]) =>
    associationsOf({ associations: told }).entries.map(({ id, from, until }) => [id, from, until]),
  speedUnit: (told: string) => speedFactor({ speed: told }),
  place: ([latitude, longitude]: [number, number]) => isPlace(latitude, longitude),
  hdop: (told: number[]) => told.map((hdop) => numberIn({ hdop }, 'hdop', 0, 100)),
  tyres(told: Fields) {
    const { pressuresPsi, provision, warnings } = readTyres(told)
    return {
      psi: pressuresPsi.map(({ psi }) => psi),
      sensors: provision?.sensors.map(({ sensorId }) => sensorId) ?? [],
      alarms: warnings.filter(({ isAlarming }) => isAlarming).map(({ location }) => location)
    }
  },
  tag: (told: number) => ({
    batteryPercent: readBluetoothTag({ btt_mac: '00AABBCCDDEE', btt_battery: told })?.batteryPercent
  }),
  address: (told: string) => checkBaseAddress(told, '/api'),
  counters(told: unknown) {
    const read = readFields(vehicleCounters, { vehicle: { plain: told } })
    return 'value' in read && read.problems.length === 0
      ? Object.fromEntries(Object.entries(read.value.vehicle?.plain ?? {}).filter(([, value]) => value !== null))
      : read
  }
}

function readRow({ where, rule, told }: FormRow): unknown {
  if (rule.kind === 'path') return readDeviceState(told)
  if (rule.kind !== 'reader') return readForm(where, told).value
  const read = readers[rule.reader] as ((told: unknown) => unknown) | undefined
  if (!read) throw new Error(`${rule.reader} is no reader`)
  return read(told)
}

describe('Every form of the table', () => {
  it.each(formRows.map((row) => [row.id, row] as const))('%s is read as it says', (_id, row) => {
    if (row.rule.kind === 'path') expect(readRow(row)).toMatchObject(row.read as object)
    else expect(readRow(row)).toEqual(row.read)
  })

  it('has an id of its own, and says where it was seen', () => {
    expect(new Set(formRows.map(({ id }) => id)).size).toBe(formRows.length)
    for (const { source, reading, form, spokenBy, notSpoken } of formRows) {
      expect([source, reading, form].every((text) => text.length > 0)).toBe(true)
      expect(spokenBy.length > 0, 'spoken by the simulator, or with the reason why not').toBe(notSpoken === undefined)
    }
  })
})

interface Heard {
  device(path: string): Record<string, unknown> | null
  gateway(path: string): unknown
}

const at = (record: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], record)
const number = (told: unknown): number => Number(told)
const events = (heard: Heard): Record<string, unknown>[] =>
  (heard.gateway('rawdata') as { events: Record<string, unknown>[] }).events
const timeTexts = (heard: Heard): string[] => [
  ...events(heard).flatMap(({ event_time: time, system_time: system }) => [String(time), String(system)]),
  ...(heard.gateway('trips') as Record<string, unknown>[]).map(({ start_time: time }) => String(time))
]
const history = (heard: Heard): Record<string, unknown>[] =>
  (at(heard.gateway('vehicle'), 'associations') as Record<string, unknown>[] | undefined) ?? []
const tyres = (heard: Heard, name: string): string =>
  events(heard)
    .map((event) => event[name])
    .findLast((told) => typeof told === 'string') ?? ''

/** Whether a simulated yard spoke a form: by the rows whose rule does not already tell it. */
const detectors: Record<string, (heard: Heard) => boolean> = {
  'battery.millivolts': ({ device }) => number(device('/IO/all')?.['BAT']) > 1_000,
  'battery.volts': ({ device }) => number(device('/IO/all')?.['BAT']) < 5,
  'lines.text': ({ device }) => typeof device('/IO/all')?.['IGN'] === 'string',
  'memory.bytes': ({ device }) => number(at(device('/system-info'), 'ram.total')) > 1e8,
  'memory.kilobytes': ({ device }) => number(at(device('/system-info'), 'ram.total')) < 1e7,
  'rootfs.bytes': ({ device }) => number(at(device('/system-info'), 'rootfs.total')) > 1e8,
  'rootfs.kilobytes': ({ device }) => number(at(device('/system-info'), 'rootfs.total')) < 1e7,
  'datafs.bytes': ({ device }) => number(at(device('/system-info'), 'datafs.total')) > 1e8,
  'datafs.kilobytes': ({ device }) => number(at(device('/system-info'), 'datafs.total')) < 1e7,
  'frequency.kilohertz': ({ device }) => number(at(device('/system-info'), 'cpu.currF')) > 1e5,
  'frequency.megahertz': ({ device }) => number(at(device('/system-info'), 'cpu.currF')) < 1e4,
  'system.osVersion': ({ device }) => typeof device('/system-info')?.['osVersion'] === 'string',
  'system.apexVersion': ({ device }) => typeof device('/system-info')?.['apexVersion'] === 'string',
  'eth.withoutConnected': ({ device }) => !('connected' in (device('/eth/state') ?? {})),
  'wifi.withoutConnected': ({ device }) => !('connected' in (device('/wifi/state') ?? {})),
  'wifi.escapedScan': ({ device }) => JSON.stringify(device('/wifi/scan')).includes('Ana\\\\xe2\\\\x80\\\\x99s iPhone'),
  'wifi.escapedList': ({ device }) => JSON.stringify(device('/wifi/list')).includes('Ana\\\\xe2\\\\x80\\\\x99s iPhone'),
  'wifi.escapedState': ({ device }) => String(device('/wifi/state joined')?.['ssid']).startsWith('Ana\\xe2'),
  'storage.nothing': ({ device }) => device('/storage/hgetall/accel_configuration') === null,
  'fix.mode': ({ device }) => at(device('/gps/position'), 'extras.fix') === 3,
  'fix.oldPlace': ({ device }) =>
    at(device('/gps/position without fix'), 'extras.fix') === 1 &&
    at(device('/gps/position without fix'), 'coords.latitude') !== 0,
  'position.leftOut': ({ device }) => at(device('/gps/position'), 'extras.criteria') === false,
  'timestamp.unix': ({ device }) =>
    Math.abs(number(device('/gps/position')?.['timestamp']) * 1000 - Date.now()) < 60_000,
  'timestamp.gps': ({ device }) => number(device('/gps/position')?.['timestamp']) < 1.6e9,
  'timestamp.milliseconds': ({ device }) => number(device('/gps/position')?.['timestamp']) > 1e12,
  'speed.kmh': ({ device }) => typeof at(device('/gps/position'), 'coords.speed') === 'number',
  'signal.dbm': ({ device }) => number(device('/storage/hgetall/modem_information')?.['RSSI']) < 0,
  'signal.csq': ({ device }) => number(device('/storage/hgetall/modem_information')?.['RSSI']) >= 0,
  'sim.digits': ({ device }) => /^89\d{16,18}$/.test(String(device('/storage/hgetall/modem_information')?.['SIM_ID'])),
  'sim.padded': ({ device }) => /^89\d{17}F$/.test(String(device('/storage/hgetall/modem_information')?.['SIM_ID'])),
  'sim.swapped': ({ device }) => /^98/.test(String(device('/storage/hgetall/modem_information')?.['SIM_ID'])),
  'time.utc': (heard) => timeTexts(heard).some((time) => /(Z|[+-]\d\d:\d\d)$/.test(time)),
  'time.bare': (heard) => timeTexts(heard).some((time) => /T\d\d:\d\d:\d\d$/.test(time)),
  'time.micros': (heard) => timeTexts(heard).some((time) => /\.\d{6}/.test(time)),
  'time.space': (heard) => timeTexts(heard).some((time) => /^\d{4}-\d\d-\d\d \d/.test(time)),
  'time.epoch': (heard) => events(heard).some(({ event_epoch: epoch }) => typeof epoch === 'number'),
  'history.spans': (heard) => history(heard).every((row) => !('association' in row)),
  'history.flags': (heard) => history(heard).some((row) => row['association'] === true && 'device' in row),
  'history.flagsOfClient': (heard) => history(heard).some((row) => row['association'] === true && 'device_id' in row),
  'speedUnit.meter': ({ gateway }) => at(gateway('rawdata'), 'units.speed') === 'meter/second',
  'tyres.padded': (heard) => /^\d{6}(,\d{6})*$/.test(tyres(heard, 'ecu_tires_psi')),
  'tyres.unpadded': (heard) =>
    tyres(heard, 'ecu_tires_psi')
      .split(',')
      .some((entry) => entry.length === 5),
  'tyres.conditions': (heard) => /^\d{10}/.test(tyres(heard, 'ecu_tpms_conditions')),
  'tag.percent': (heard) =>
    events(heard).some(({ btt_battery: battery }) => typeof battery === 'number' && battery <= 100),
  'tag.millivolts': (heard) =>
    events(heard).some(({ btt_battery: battery }) => typeof battery === 'number' && battery > 1_000),
  'address.withApi': ({ gateway }) => gateway('belowApi') !== 404,
  'address.site': ({ gateway }) => gateway('belowApi') !== 404,
  'address.apiHost': ({ gateway }) => gateway('atRoot') !== 404,
  'counters.null': ({ gateway }) =>
    Object.values((at(gateway('counters'), 'vehicle.plain') ?? {}) as object).includes(null)
}

function isHeard({ id, rule }: FormRow, heard: Heard): boolean {
  const detector = detectors[id]
  if (detector) return detector(heard)
  if (rule.kind === 'path') return at(heard.gateway('device'), rule.path) !== undefined
  throw new Error(`${id} is in the table, and no test knows how the simulator has it`)
}

/** Everything that one simulated yard says. */
async function listen(form: SimulatedForm, seed: number): Promise<{ heard: Heard; simulation: Simulation }> {
  const simulation = await startSimulation({
    form,
    seed,
    gateway: true,
    fitted: true,
    openSystemInfo: true,
    gatewayDelayMs: 0,
    reportEveryMs: 200,
    history: true,
    story: 'parked'
  })
  const [device] = simulation.devices
  const { gateway } = simulation
  if (!device || !gateway) throw new Error('nothing was started')
  const answers = new Map<string, unknown>()
  const basic = `Basic ${Buffer.from(`${device.user}:${device.password}`).toString('base64')}`
  const ask = async (path: string): Promise<unknown> =>
    (await fetch(device.url + path, { headers: { authorization: basic } })).json()
  for (const path of [
    '/IO/all',
    '/system-info',
    '/eth/state',
    '/wifi/state',
    '/gps/position',
    '/storage/hgetall/modem_information',
    '/storage/hgetall/accel_configuration'
  ])
    answers.set(path, await ask(path))
  await ask(`/wifi/add/${encodeURIComponent('Ana’s iPhone')}/not-a-secret-phone`)
  for (const path of ['/wifi/scan', '/wifi/list']) answers.set(path, await ask(path))
  if (device.networks.some(({ ssid }) => ssid === 'Ana’s iPhone')) {
    await vi.waitFor(
      async () => {
        answers.set('/wifi/state joined', await ask('/wifi/state'))
        if (!(answers.get('/wifi/state joined') as { ssid: string }).ssid) throw new Error('it has not joined yet')
      },
      { timeout: 45_000 }
    )
  }
  device.setFault('noFix', true)
  answers.set('/gps/position without fix', await ask('/gps/position'))
  device.setFault('noFix', false)
  const { accessories } = device.vehicle
  accessories.hearTag('00AABBCCDDEE')
  accessories.setTyre(17, { psi: 72, alarm: 1 })
  await vi.waitFor(
    () => {
      const { events } = gateway.state
      if (
        !events.some(({ fields }) => 'btt_battery' in fields) ||
        !events.some(({ fields }) => String(fields['ecu_tires_psi']).includes('72'))
      )
        throw new Error('the accessories have not reported yet')
    },
    { timeout: 45_000 }
  )
  const signedIn = (await (
    await fetch(`${gateway.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: gateway.user, password: gateway.password })
    })
  ).json()) as { auth: string }
  const read = async (path: string): Promise<unknown> =>
    (await fetch(gateway.url + path, { headers: { Authenticate: signedIn.auth } })).json()
  const vehicle = gateway.state.vehicles.find(({ device: imei }) => String(imei) === device.imei)
  answers.set('device', await read(`/devices/${device.imei}`))
  answers.set('vehicle', await read(`/vehicles/${vehicle?.id}`))
  answers.set('counters', await read(`/vehicles/${vehicle?.id}/counters`))
  answers.set(
    'rawdata',
    await read(
      `/rawdata?vehicles=${vehicle?.id}&duration=PT60M&fields=event_time,system_time,event_epoch,ecu_tires_psi,ecu_tpms_conditions,btt_battery,speed`
    )
  )
  answers.set('trips', await read(`/trips?vehicles=${vehicle?.id}&duration=P30D`))
  const status = async (base: string): Promise<number> => (await fetch(`${base}/vehicles`)).status
  answers.set('belowApi', await status(gateway.url))
  answers.set('atRoot', await status(gateway.url.replace(/\/api$/, '')))
  return {
    heard: {
      device: (path) => answers.get(path) as Record<string, unknown> | null,
      gateway: (path) => answers.get(path)
    },
    simulation
  }
}

describe('The simulator', () => {
  /** Two seeds choose other forms of a mixed yard. */
  const yards: { form: SimulatedForm; seed: number }[] = [
    { form: 'document', seed: 1 },
    { form: 'maker', seed: 1 },
    { form: 'mixed', seed: 1 },
    { form: 'mixed', seed: 2 }
  ]
  const told: { form: SimulatedForm; heard: Heard; simulation: Simulation }[] = []
  beforeAll(async () => {
    told.push(...(await Promise.all(yards.map(async ({ form, seed }) => ({ form, ...(await listen(form, seed)) })))))
  }, 180_000)
  afterAll(() => Promise.all(told.map(({ simulation }) => simulation.stop())))

  it.each(
    formRows
      .filter(({ notSpoken }) => notSpoken === undefined)
      .flatMap((row) => row.spokenBy.map((form) => [row.id, form, row] as const))
  )('has %s in the form %s', (_id, form, row) => {
    expect(told.some((one) => one.form === form && isHeard(row, one.heard))).toBe(true)
  })

  it.each(simulatedForms)('in the form %s is read without a problem', async (form) => {
    for (const { simulation } of told.filter((one) => one.form === form)) {
      const [device] = simulation.devices
      if (!device) throw new Error('no device')
      const client = createDeviceClient({
        address: `${device.host}:${device.port}`,
        credentials: () => Promise.resolve(device)
      })
      const [lines, system, position, modem, eth, wifi] = await Promise.all([
        client.io.all(),
        client.system.info(),
        client.gps.position(),
        client.modem.information(),
        client.eth.state(),
        client.wifi.state()
      ])
      expect([lines, system, position, modem, eth, wifi].flatMap(({ problems }) => problems)).toEqual([])
      expect(lines.value.BAT).toBeGreaterThan(3_500)
      expect(lines.value.BAT).toBeLessThan(4_300)
      expect(system.value.ram?.total).toBeGreaterThan(1.03e9)
      expect(system.value.osVersion).toBeTypeOf('string')
      expect(Math.abs(correctGpsEpoch(position.value.timestamp ?? 0, Date.now()).unixMs - Date.now())).toBeLessThan(
        10_000
      )
      const { gateway } = simulation
      expect(gateway?.state.devices.some(({ iccid }) => sameSim(iccid, modem.value.SIM_ID ?? ''))).toBe(true)
    }
  })
})
