import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { SignalName } from '../../../preload/contract/device/signals.ts'
import type { SimulatedDevice } from '../../../simulator/simulation.ts'
import { openWorkspaceBench, type WorkspaceBench } from '../../world/device/workspaceBench.ts'

let bench: WorkspaceBench
let key: string
let device: SimulatedDevice

beforeAll(async () => {
  bench = await openWorkspaceBench({ devices: 1 })
  key = bench.keys[0] as string
  device = bench.simulation.devices[0] as SimulatedDevice
})
afterEach(() => expect(bench.faults).toEqual([]))
afterAll(() => bench.stop())

async function readOnce(operation: 'io.all' | 'gps.position' | 'modem.information' | 'system.info') {
  const { readings } = await bench.call('workspace.read', { key, view: 'signals', operations: [operation] })
  return readings[operation]
}
/** A reading of this very millisecond belongs to the next answer. */
function passMillisecond(): void {
  const atMs = Date.now()
  while (Date.now() === atMs);
}
async function valuesOf(name: SignalName, sinceMs = 0) {
  passMillisecond()
  const { signals } = await bench.call('workspace.signals', { key, names: [name], sinceMs })
  return signals[name]?.values ?? []
}

it('keeps what every reading of the device says in numbers, with the units of the document', async () => {
  for (const operation of ['io.all', 'modem.information', 'system.info', 'gps.position', 'gps.position'] as const)
    await readOnce(operation)
  passMillisecond()
  const { signals } = await bench.call('workspace.signals', { key })
  const io = (await readOnce('io.all'))?.value as { AN1: number; BAT: number }
  expect(signals.an1Mv?.values.at(-1)).toBeCloseTo(io.AN1, -3)
  expect(signals.batteryMv?.values).toHaveLength(1)
  expect(signals.signalDbm?.values[0]).toBeLessThan(0)
  expect(signals.satellites?.values).toHaveLength(2)
  expect(signals.uptimeS?.values[0]).toBeGreaterThan(0)
  expect(signals.restarts?.values).toEqual([0])
  expect(signals.answerMs?.values[0]).toBeGreaterThanOrEqual(0)
})

it('shows a reading that could not be made as a gap, and goes on after it', async () => {
  await readOnce('io.all')
  device.setFault('html', true, 'io.all')
  expect((await readOnce('io.all'))?.failure).not.toBeNull()
  device.setFault('html', false, 'io.all')
  expect((await valuesOf('an2Mv')).at(-1)).toBeNull()
  await readOnce('io.all')
  const values = await valuesOf('an2Mv')
  expect(values.at(-2)).toBeNull()
  expect(values.at(-1)).toEqual(expect.any(Number))
  expect(values.slice(0, -2)).not.toContain(null)
})

it('shows a field that could not be read as a gap, and never as zero', async () => {
  await readOnce('io.all')
  device.setFault('wrongTypes', true, 'io.all')
  const value = (await readOnce('io.all'))?.value as Record<string, unknown>
  device.setFault('wrongTypes', false, 'io.all')
  const absent = (['AN1', 'AN2', 'DAN', 'BAT'] as const).filter((name) => value[name] === undefined)
  expect(absent).not.toEqual([])
  const names = { AN1: 'an1Mv', AN2: 'an2Mv', DAN: 'danMv', BAT: 'batteryMv' } as const
  for (const name of absent) expect((await valuesOf(names[name])).at(-1)).toBeNull()
})

it('tells only what came since the answer before', async () => {
  await readOnce('io.all')
  await valuesOf('danMv')
  const { nowMs } = await bench.call('workspace.signals', { key })
  expect(await valuesOf('danMv', nowMs)).toEqual([])
  await readOnce('io.all')
  expect(await valuesOf('danMv', nowMs)).toHaveLength(1)
})

it('keeps what jobs and other parts read through the same door', async () => {
  await valuesOf('batteryMv')
  const { nowMs } = await bench.call('workspace.signals', { key })
  await bench.core.connections.devices.open(`${device.host}:${device.port}`, device.imei).io.all()
  expect(await valuesOf('batteryMv', nowMs)).toHaveLength(1)
})

it('says of a device that is unknown that it is not there', async () => {
  await expect(bench.call('workspace.signals', { key: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
