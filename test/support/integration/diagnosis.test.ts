import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Diagnosis } from '../../../preload/contract/support/diagnosis.ts'
import type { SimulatedDevice, SimulatedGateway } from '../../../simulator/simulation.ts'
import { openWorkspaceBench, type WorkspaceBench } from '../../world/device/workspaceBench.ts'

let bench: WorkspaceBench
let device: SimulatedDevice
let gateway: SimulatedGateway
let key: string

beforeEach(async () => {
  bench = await openWorkspaceBench({ gateway: true, gatewayDelayMs: 0, reportEveryMs: 500, fitted: true })
  device = bench.simulation.devices[0] as SimulatedDevice
  gateway = bench.simulation.gateway as SimulatedGateway
  key = bench.keys[0] as string
})
afterEach(async () => {
  const { faults } = bench
  await bench.stop()
  expect(faults).toEqual([])
})

async function signIn(): Promise<void> {
  const result = await bench.call('gateway.signIn', {
    url: gateway.url,
    user: gateway.user,
    password: gateway.password
  })
  expect(result.kind).toBe('signedIn')
}
const states = ({ chain }: Diagnosis) => Object.fromEntries(chain.map(({ link, state }) => [link, state]))

it('walks the whole chain of a vehicle that reports, by both witnesses', async () => {
  await signIn()
  const seen = await vi.waitFor(async () => {
    const seen = await bench.call('diagnosis.look', { subject: { key } })
    expect(seen.isWhole).toBe(true)
    expect(seen.lastReport).not.toBeNull()
    return seen
  }, 20_000)
  expect(seen.brokenAt).toBeNull()
  expect(new Set(Object.values(states(seen)))).toEqual(new Set(['ok']))
  expect(seen.gateway?.state).toBe('answers')
  expect(seen.subject).toMatchObject({ deviceKey: key, imei: device.imei, vehicleId: expect.any(Number) as number })
})

it('says of the links behind the network that nobody knows, while no gateway is asked', async () => {
  const seen = await vi.waitFor(async () => {
    const seen = await bench.call('diagnosis.look', { subject: { key } })
    expect(seen.isWhole).toBe(true)
    return seen
  }, 20_000)
  expect(states(seen)).toEqual({
    power: 'ok',
    sim: 'ok',
    registration: 'ok',
    address: 'ok',
    apn: 'ok',
    gatewayEvent: 'unknown',
    fix: 'ok',
    vehicle: 'unknown',
    visible: 'unknown'
  })
  expect(seen.brokenAt).toBeNull()
})

it('a moment of the session is shown again as it was, by the same functions, and what nobody saw is not', async () => {
  await signIn()
  const look = (atMs: number | null = null) => bench.call('diagnosis.look', { subject: { key }, atMs })
  const input1 = ({ facts }: Diagnosis) => facts.find(({ fact }) => fact === 'in1')
  const before = await vi.waitFor(async () => {
    const seen = await look()
    expect(seen.isWhole).toBe(true)
    expect(input1(seen)).toMatchObject({ device: { value: false }, verdict: 'agree' })
    return seen
  }, 20_000)
  device.vehicle.setInput('IN1', true)
  const after = await vi.waitFor(async () => {
    const seen = await look()
    expect(input1(seen)?.device?.value).toBe(true)
    return seen
  }, 20_000)
  const again = await look(Date.parse(before.at))
  expect(again).toEqual({ ...before, recorded: { fromMs: expect.any(Number) as number, toMs: Date.parse(after.at) } })
  await expect(
    bench.call('diagnosis.look', { subject: { vehicleId: 999_999 }, atMs: Date.now() })
  ).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
