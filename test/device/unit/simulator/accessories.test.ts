import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { analogTemperatureC } from '../../../../main/gateway/client/decoders/analogTemperature.ts'
import { readTyres, type Tyres } from '../../../../main/gateway/client/decoders/tyrePressure.ts'
import { startSimulation, type Simulation, type SimulationOptions } from '../../../../simulator/simulation.ts'

let sim: Simulation
beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: Date.UTC(2026, 10, 20, 9) }))
afterEach(async () => {
  vi.useRealTimers()
  await sim.stop()
})

async function open(options: SimulationOptions = {}) {
  sim = await startSimulation({ gateway: true, gatewayDelayMs: 0, reportEveryMs: 1_000, ...options })
  const [device] = sim.devices
  const { gateway } = sim
  if (!device || !gateway) throw new Error('no device or no gateway')
  const signIn = await fetch(`${gateway.url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: gateway.user, password: gateway.password })
  })
  const { auth } = (await signIn.json()) as { auth: string }
  const get = async (path: string) =>
    (await fetch(gateway.url + path, { headers: { Authenticate: auth } })).json() as Promise<ReturnType<JSON['parse']>>
  const vid = gateway.state.vehicles.find((vehicle) => String(vehicle.device) === device.imei)?.id ?? 0
  return {
    device,
    gateway,
    vehicle: device.vehicle,
    get,
    vid,
    events: async (fields: string, tail = 1) =>
      (await get(`/rawdata?vehicles=${vid}&types=10,11&duration=PT1H&fields=${fields}&tail=${tail}`)).events
  }
}

const pass = (ms: number) => void vi.advanceTimersByTime(ms)

test('a key that the gateway knows brings its asset into every event from then on, an unknown one brings nothing', async () => {
  const { vehicle, gateway, events } = await open()
  const [fob] = gateway.state.ibuttons
  vehicle.accessories.tapKeyFob('FFFFFFFFFFFFFFFF')
  expect(await events('aid,label')).toMatchObject([{ label: 'ibutton', aid: null }])
  vehicle.accessories.tapKeyFob(fob?.id ?? '')
  expect(await events('aid,label')).toMatchObject([{ label: 'ibutton', aid: fob?.entity }])
  pass(3_000)
  expect(await events('aid,label')).toMatchObject([{ label: 'prdtst', aid: fob?.entity }])
})

test('nothing of an accessory arrives while the device has no network, and comes late when it has one again', async () => {
  const { device, vehicle, events } = await open()
  device.setFault('wrongApn', true)
  vehicle.accessories.hearTag('A4:C1:38:00:11:22', { batteryPercent: 8, celsius: -4.5 })
  pass(2_000)
  expect(await events('label,btt_mac')).toMatchObject([{ btt_mac: null }])
  device.setFault('wrongApn', false)
  pass(1_000)
  const heard = await events('btt_mac,btt_battery,btt_temp,btt_presence,comdelay', 10)
  expect(heard).toContainEqual(
    expect.objectContaining({ btt_mac: 'A4C138001122', btt_battery: 8, btt_temp: -45, btt_presence: true, comdelay: 3 })
  )
  vehicle.accessories.loseTag('A4C138001122')
  pass(2_000)
  expect(await events('btt_mac')).toMatchObject([{ btt_mac: null }])
})

test('tyre modules tell of the wheel that they sit in, also when two were exchanged', async () => {
  const { vehicle, events } = await open({ fitted: true })
  const fields = 'ecu_tires_psi,ecu_tires_tmp,ecu_tpms_warnings,ecu_tpms_provision'
  const read = async () => readTyres((await events(fields))[0])
  pass(1_000)
  const fitted = await read()
  vehicle.accessories.swapTyres(16, 19)
  vehicle.accessories.setTyre(1, { alarm: 2, psi: 60 })
  pass(1_000)
  const exchanged = await read()
  const sensors = ({ provision }: Tyres) =>
    Object.fromEntries((provision?.sensors ?? []).map(({ location, sensorId }) => [location, sensorId]))
  expect(sensors(fitted)).toMatchObject({ 16: '0000184520', 19: '0000184523' })
  expect(sensors(exchanged)).toMatchObject({ 16: '0000184523', 19: '0000184520', 17: '0000184521' })
  expect(exchanged.pressuresPsi.find(({ location }) => location === 1)).toMatchObject({ psi: 60 })
  expect(exchanged.warnings.find(({ location }) => location === 1)).toMatchObject({
    isAlarming: true,
    alarm: 'under-inflation alarm'
  })
  expect(exchanged.unreadable).toEqual([])
})

test('probes answer in the documented millivolts, expander lines and bus parameters as they are now', async () => {
  const { vehicle, events, get, device } = await open({ fitted: true })
  vehicle.accessories.setProbe('b', { celsius: -10 })
  vehicle.accessories.setProbe('c', { millivolts: 12 })
  vehicle.accessories.setExpanderInput(3, true)
  vehicle.turnKey('crank')
  pass(3_000)
  const [event] = await events('ea_a,ea_b,ea_c,$io_exp,ecu_coolant_temp,ecu_coolant_temp_flag,ecu_distance')
  expect(event).toMatchObject({
    ea_c: 12,
    io_exp_state: true,
    io_exp_in3: true,
    io_exp_in1: false,
    io_exp_out2: false,
    ecu_coolant_temp_flag: 'T',
    ecu_distance: vehicle.dashboard().odometerM
  })
  expect([analogTemperatureC(event.ea_a), analogTemperatureC(event.ea_b)]).toEqual([
    expect.closeTo(0, 1),
    expect.closeTo(-10, 1)
  ])
  expect((await get(`/devices/${device.imei}?select=ios_state`)).ios_state).toMatchObject({
    io_exp_in3: true,
    io_exp_state: true
  })
  vehicle.bus.setParameter('ECU_COOLANT_TEMP', 'quiet')
  pass(1_000)
  expect((await events('ecu_coolant_temp_flag'))[0]).toMatchObject({ ecu_coolant_temp_flag: 'O' })
  vehicle.bus.silence(true)
  pass(1_000)
  expect((await events('ecu_rpm,ecu_rpm_flag'))[0]).toMatchObject({ ecu_rpm: null, ecu_rpm_flag: 'D' })
})

test('a camera takes a picture of what is before it: the road, the cargo, or the inside of a cover', async () => {
  const { vehicle, get, vid } = await open({ fitted: true })
  const sizes = async () => {
    await get(`/vehicles/${vid}/plugins/photocam/capture`)
    pass(3_000)
    const { photos } = await get(`/vehicles/${vid}/plugins/photocam/last`)
    return (photos as { source: number; status_no: number; size?: number }[]).map(({ source, status_no, size }) => [
      source,
      status_no,
      size
    ])
  }
  const clear = await sizes()
  expect(clear).toEqual([
    [0, 4, expect.any(Number)],
    [1, 4, expect.any(Number)]
  ])
  vehicle.accessories.coverCamera(0, true)
  vehicle.accessories.failCamera(1, 5)
  const covered = await sizes()
  expect(covered).toEqual([
    [0, 4, expect.any(Number)],
    [1, 5, undefined]
  ])
  expect(Number(covered[0]?.[2])).toBeLessThan(Number(clear[0]?.[2]) / 2)
})

test('a test drive is the same at the device and at the gateway, and is a trip there', async () => {
  const { vehicle, gateway, events, get, vid } = await open()
  const before = vehicle.dashboard().odometerM
  vehicle.startDrive({ forS: 120, kmh: 50 })
  pass(60_000)
  const { fix } = vehicle.state()
  expect((await events('lat,lon,speed'))[0]).toMatchObject({ lat: fix.latitude, lon: fix.longitude })
  pass(120_000)
  expect(vehicle.state()).toMatchObject({ key: 'off', isMoving: false })
  const driven = vehicle.dashboard().odometerM - before
  expect(driven).toBeGreaterThan(1_000)
  const trips = (await get(`/trips?vehicles=${vid}&duration=PT1H`)) as { moving: boolean; distance: number }[]
  expect(trips.filter(({ moving }) => moving)).toMatchObject([{ distance: driven }])
  expect(gateway.violations).toEqual([])
})
