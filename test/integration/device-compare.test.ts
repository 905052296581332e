import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { CompareId, CompareRow, DeviceCompare } from '../../preload/contract/deviceCompare.ts'
import { createDeviceCompare, type DeviceComparison } from '../../main/workspace/deviceCompare.ts'
import { createGatewayWitness } from '../../main/workspace/gatewayWitness.ts'
import { limitsOf } from '../../main/workspace/limits.ts'
import type { SimulatedDevice, SimulatedGateway } from '../../simulator/simulation.ts'
import { openWorkspaceBench, type WorkspaceBench } from '../support/workspaceBench.ts'

let bench: WorkspaceBench
let device: SimulatedDevice
let gateway: SimulatedGateway
let key: string

beforeEach(async () => {
  bench = await openWorkspaceBench({ gateway: true, gatewayDelayMs: 0, reportEveryMs: 1_000 })
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
  const result = await bench.call('gateway.signIn', { url: gateway.url, user: gateway.user, password: gateway.password })
  expect(result.kind).toBe('signedIn')
}
const compare = () => bench.call('workspace.compare', { key })
const relations = ({ rows }: DeviceCompare) => Object.fromEntries(rows.map(({ id, relation }) => [id, relation])) as Record<CompareId, CompareRow['relation']>
const rowOf = ({ rows }: DeviceCompare, id: CompareId) => rows.find((row) => row.id === id) as CompareRow
const deviceAtGateway = () => gateway.state.devices.find(({ imei }) => String(imei) === device.imei) as (typeof gateway.state.devices)[number]

/** The comparison as it would be later on: a gateway that was asked is asked again without anybody waiting for it. */
function onAnotherClock(): { comparison: DeviceComparison; now(): number; go(ms: number): void } {
  let aheadMs = 0
  const now = () => Date.now() + aheadMs
  const { connections, desk, shipped } = bench.core
  const profile = shipped.profiles.get('standard')
  if (!profile) throw new Error('no profile')
  const comparison = createDeviceCompare({
    imeiOf: () => device.imei,
    read: async (_key, operations, signal) => (await desk.workspace.read({ key, view: 'test', operations: [...operations], everyMs: 1_000 }, signal)).readings,
    witness: createGatewayWitness(connections.installation, now),
    limits: () => limitsOf(profile),
    gatewayAheadMs: () => 0,
    gatewayName: () => Promise.resolve('here'),
    reportFault: (error) => bench.faults.push(error),
    now
  })
  return { comparison, now, go: (ms) => (aheadMs += ms) }
}
const { signal } = new AbortController()

it('both say the same of a parked vehicle, and what only one can say is no failure of the other', async () => {
  await signIn()
  const { comparison, go } = onAnotherClock()
  const compared = await vi.waitFor(async () => {
    go(20_000)
    const answer = await comparison.compare(key, signal)
    expect(relations(answer).position).not.toBe('deviceOnly')
    return answer
  }, 20_000)
  expect(compared.gateway).toEqual({ state: 'answers', why: null })
  expect(compared.vehicle).toMatchObject({ id: expect.any(Number) as number, name: expect.any(String) as string })
  expect(relations(compared)).toMatchObject({
    identity: 'agree',
    sim: 'agree',
    position: 'agree',
    speed: 'agree',
    power: 'agree',
    ignition: 'agree',
    engine: 'deviceOnly',
    in1: 'agree',
    out1: 'agree',
    clock: 'agree',
    distance: 'gatewayOnly'
  })
  expect(rowOf(compared, 'position').gateway).toMatchObject({ id: 'deviceCompare.apart' })
  expect(rowOf(compared, 'ignition').gatewayAt).not.toBeNull()
  expect(compared.delays.length).toBeGreaterThan(0)
})

it('a line that the gateway shows otherwise differs while its word is fresh, and is old when it is not', async () => {
  await signIn()
  const { comparison, now, go } = onAnotherClock()
  async function expectIgnition(relation: CompareRow['relation'], ageS: number): Promise<void> {
    await vi.waitFor(async () => {
      go(20_000)
      const at = deviceAtGateway()
      Object.assign(at.io, { io_ign: !device.vehicle.state().ignition })
      at.ioEpoch = Math.floor(now() / 1000) - ageS
      expect(rowOf(await comparison.compare(key, signal), 'ignition').relation).toBe(relation)
    }, 20_000)
  }
  await expectIgnition('differ', 0)
  await expectIgnition('old', 3_600)
})

it('a line that changed here after the gateway heard of it is no contradiction', async () => {
  await signIn()
  const { comparison, go } = onAnotherClock()
  await comparison.compare(key, signal)
  const at = deviceAtGateway()
  const before = { values: { ...at.io }, epoch: at.ioEpoch }
  device.vehicle.setInput('IN1', true)
  go(5_000)
  const answer = await comparison.compare(key, signal)
  expect(before.values['io_in1']).toBe(false)
  expect(rowOf(answer, 'in1')).toMatchObject({ relation: 'old', device: { values: { isOn: 'yes' } }, gateway: { values: { isOn: 'no' } } })
})

it('while nobody is signed in to the gateway the device speaks alone, and says why', async () => {
  const compared = await compare()
  expect(compared.gateway.state).toBe('signedOut')
  expect(compared.gateway.why).not.toBeNull()
  expect(compared.vehicle).toBeNull()
  expect(new Set(Object.values(relations(compared)))).toEqual(new Set(['deviceOnly', 'neither']))
  await signIn()
  expect((await compare()).gateway.state).toBe('answers')
})

it('a device that is away leaves the word to the gateway', async () => {
  await signIn()
  const { comparison, go } = onAnotherClock()
  await vi.waitFor(async () => {
    go(20_000)
    expect(relations(await comparison.compare(key, signal)).position).toBe('agree')
  }, 20_000)
  go(5_000)
  device.setFault('reset', true)
  const compared = await comparison.compare(key, signal)
  device.setFault('reset', false)
  expect(relations(compared)).toMatchObject({ identity: 'gatewayOnly', position: 'gatewayOnly', ignition: 'gatewayOnly', engine: 'neither', distance: 'gatewayOnly' })
})

it('what the gateway said before it went away stays, and a device that it does not show is told so', async () => {
  await signIn()
  const { comparison, go } = onAnotherClock()
  await vi.waitFor(async () => {
    go(20_000)
    expect(relations(await comparison.compare(key, signal)).position).toBe('agree')
  }, 20_000)
  gateway.setOnline(false)
  const away = await vi.waitFor(async () => {
    go(400_000)
    const answer = await comparison.compare(key, signal)
    expect(answer.gateway.state).toBe('away')
    return answer
  }, 20_000)
  gateway.setOnline(true)
  expect(relations(away)).toMatchObject({ identity: 'agree', position: 'old', power: 'old' })

  gateway.setFault({ operation: 'devices.get', status: 404 })
  const other = onAnotherClock()
  expect((await other.comparison.compare(key, signal)).gateway.state).toBe('notShown')
})

it('the gateway is asked for lines and events no more often than every 15 s, however often somebody looks', async () => {
  await signIn()
  const asked = () => gateway.requests.filter(({ operation }) => operation === 'devices.get' || operation === 'rawdata.query').length
  const { comparison, go } = onAnotherClock()
  await vi.waitFor(async () => expect((await comparison.compare(key, signal)).newest).not.toBeNull())
  const before = asked()
  for (let look = 0; look < 5; look++) {
    go(2_000)
    await comparison.compare(key, signal)
  }
  expect(asked()).toBe(before)
})
