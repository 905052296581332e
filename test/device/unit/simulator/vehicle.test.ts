import { describe, expect, test } from 'vitest'
import { Vehicle, type VehicleChange, type VehicleOptions } from '../../../../simulator/vehicle.ts'

function makeVehicle(options: VehicleOptions = {}) {
  let nowMs = Date.UTC(2026, 5, 1)
  const vehicle = new Vehicle({ seed: 7, ...options, now: () => nowMs })
  return { vehicle, pass: (ms: number) => (nowMs += ms) }
}

describe('a simulated vehicle', () => {
  test('rests at 12.6 V, dips while cranking, charges at 14.1 V with the engine on', () => {
    const { vehicle, pass } = makeVehicle()
    expect(vehicle.state().supplyMv).toBeCloseTo(12_600, -2)
    vehicle.turnKey('crank')
    pass(500)
    expect(vehicle.state().supplyMv).toBeGreaterThan(9_000)
    expect(vehicle.state().supplyMv).toBeLessThan(10_000)
    expect(vehicle.state().rpm).toBeLessThan(400)
    pass(1_000)
    expect(vehicle.state()).toMatchObject({ engineOn: true, key: 'on' })
    expect(vehicle.state().supplyMv).toBeGreaterThan(13_900)
    expect(vehicle.state().an1Mv).toBe(vehicle.state().supplyMv)
  })

  test('shows TIG about a second after the engine starts and loses it when the engine stops', () => {
    const { vehicle, pass } = makeVehicle()
    vehicle.turnKey('crank')
    pass(1_500)
    expect(vehicle.state()).toMatchObject({ engineOn: true, ignitionByRipple: false })
    pass(1_500)
    expect(vehicle.state().ignitionByRipple).toBe(true)
    vehicle.turnKey('off')
    expect(vehicle.state()).toMatchObject({ engineOn: false, ignitionByRipple: false, ignition: false })
  })

  test('does not start while OUT1 interrupts the starter, and starts once OUT1 is off', () => {
    const { vehicle, pass } = makeVehicle()
    vehicle.setOutput('OUT1', true)
    vehicle.turnKey('crank')
    pass(1_000)
    expect(vehicle.state().supplyMv).toBeGreaterThan(12_000)
    pass(5_000)
    expect(vehicle.state()).toMatchObject({ engineOn: false, starterBlocked: true, key: 'on' })
    vehicle.setOutput('OUT1', false)
    vehicle.turnKey('crank')
    pass(2_000)
    expect(vehicle.state()).toMatchObject({ engineOn: true, starterBlocked: false })
  })

  test('keeps a running engine on when OUT1 comes on', () => {
    const { vehicle, pass } = makeVehicle()
    vehicle.turnKey('crank')
    pass(2_000)
    vehicle.setOutput('OUT1', true)
    pass(5_000)
    expect(vehicle.state().engineOn).toBe(true)
  })

  test('drives off after starting its engine, moves along its bearing, and stands again', () => {
    const { vehicle, pass } = makeVehicle()
    const parked = vehicle.state().fix
    vehicle.drive(true)
    pass(3_000)
    expect(vehicle.state().fix.speedKmh).toBeLessThan(15)
    pass(57_000)
    const driving = vehicle.state()
    expect(driving).toMatchObject({ isMoving: true, engineOn: true })
    expect(driving.fix.speedKmh).toBeGreaterThan(30)
    expect(driving.distanceM).toBeGreaterThan(400)
    expect(
      Math.abs(driving.fix.latitude - parked.latitude) + Math.abs(driving.fix.longitude - parked.longitude)
    ).toBeGreaterThan(0.002)
    vehicle.drive(false)
    pass(20_000)
    expect(vehicle.state()).toMatchObject({ isMoving: false, engineOn: true })
  })

  test('cannot drive with the starter interrupted', () => {
    const { vehicle, pass } = makeVehicle()
    vehicle.setOutput('OUT1', true)
    vehicle.drive(true)
    pass(30_000)
    expect(vehicle.state()).toMatchObject({ isMoving: false, engineOn: false })
  })

  test('with its feed cut has no external power and no ripple, and lives on its internal battery', () => {
    const { vehicle, pass } = makeVehicle()
    vehicle.turnKey('crank')
    pass(4_000)
    vehicle.cutPower(true)
    expect(vehicle.state()).toMatchObject({ power: false, ignitionByRipple: false, an1Mv: 0, engineOn: true })
    const before = vehicle.state().internalBatteryMv
    expect(before).toBeCloseTo(4_100, -1)
    pass(3_600_000)
    expect(vehicle.state().internalBatteryMv).toBeLessThan(before)
  })

  test('clips AN1 at 28 V on a charging 24 V truck', () => {
    const { vehicle, pass } = makeVehicle({ systemVolts: 24 })
    vehicle.turnKey('crank')
    pass(3_000)
    expect(vehicle.state().supplyMv).toBeGreaterThan(28_000)
    expect(vehicle.state().an1Mv).toBe(28_000)
  })

  test('shows each wiring fault on the lines that it breaks', () => {
    const { vehicle, pass } = makeVehicle()
    vehicle.setWiringFault('ignitionWireMissing', true)
    vehicle.setWiringFault('pwrDropsWhileCranking', true)
    vehicle.setWiringFault('shortOnOut1', true)
    vehicle.setOutput('OUT1', true)
    vehicle.turnKey('crank')
    pass(500)
    expect(vehicle.state()).toMatchObject({
      power: false,
      ignition: false,
      shorts: { OUT1: true },
      starterBlocked: false
    })
    pass(4_000)
    expect(vehicle.state()).toMatchObject({ power: true, ignition: false, ignitionByRipple: true })
    vehicle.setWiringFault('chatter', true)
    const seen = Array.from({ length: 40 }, () => {
      pass(150)
      return vehicle.state().inputs.IN1
    })
    const flips = seen.filter((on, index) => index > 0 && on !== seen[index - 1]).length
    expect(flips).toBeGreaterThan(8)
  })

  test('tells its changes in the order in which they happen, with their times', () => {
    const { vehicle, pass } = makeVehicle()
    const changes: VehicleChange[] = []
    const stop = vehicle.onChange((change) => changes.push(change))
    vehicle.turnKey('crank')
    pass(3_000)
    vehicle.advance()
    expect(changes.map(({ line, value }) => [line, value])).toEqual([
      ['key', 'crank'],
      ['IGN', true],
      ['key', 'on'],
      ['engine', true],
      ['TIG', true]
    ])
    expect(changes[4]!.atMs - changes[3]!.atMs).toBe(1_000)
    stop()
    vehicle.setInput('IN2', true)
    expect(changes).toHaveLength(5)
  })

  test('is the same for the same seed, however often it is read', () => {
    const one = makeVehicle({ story: 'installation-fast' })
    const other = makeVehicle({ story: 'installation-fast' })
    for (let i = 0; i < 400; i++) {
      one.pass(70)
      one.vehicle.state()
    }
    other.pass(28_000)
    expect(other.vehicle.state()).toEqual(one.vehicle.state())
    expect(makeVehicle({ seed: 8 }).vehicle.state().fix).not.toEqual(makeVehicle().vehicle.state().fix)
  })
})
