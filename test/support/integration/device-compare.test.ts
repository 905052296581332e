import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { DeviceCompare } from '../../../preload/contract/device/deviceCompare.ts'
import type { Fact, FactName, Verdict } from '../../../preload/contract/support/facts.ts'
import { createDiagnoses, type Diagnoses } from '../../../main/support/diagnosis/diagnoses.ts'
import { diagnosisLimits } from '../../../main/support/diagnosis/limits.ts'
import { createDiagnosisGateway } from '../../../main/gateway/client/diagnosisGateway.ts'
import type { SimulatedDevice, SimulatedGateway } from '../../../simulator/simulation.ts'
import { openWorkspaceBench, type WorkspaceBench } from '../../world/device/workspaceBench.ts'

let bench: WorkspaceBench
let device: SimulatedDevice
let gateway: SimulatedGateway
let key: string
const ends: (() => void)[] = []

beforeEach(async () => {
  bench = await openWorkspaceBench({ gateway: true, gatewayDelayMs: 0, reportEveryMs: 1_000 })
  device = bench.simulation.devices[0] as SimulatedDevice
  gateway = bench.simulation.gateway as SimulatedGateway
  key = bench.keys[0] as string
})
afterEach(async () => {
  for (const end of ends.splice(0)) end()
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
const compare = () => bench.call('workspace.compare', { key })
const verdicts = ({ facts }: DeviceCompare) =>
  Object.fromEntries(facts.map(({ fact, verdict }) => [fact, verdict])) as Record<FactName, Verdict | undefined>
const factOf = ({ facts }: DeviceCompare, name: FactName) => facts.find(({ fact }) => fact === name) as Fact
const deviceAtGateway = () =>
  gateway.state.devices.find(({ imei }) => String(imei) === device.imei) as (typeof gateway.state.devices)[number]

/** The comparison as it would be later on: a gateway that was asked is asked again without anybody waiting for it. */
function onAnotherClock(): { comparison: Pick<Diagnoses, 'compare'>; now(): number; go(ms: number): void } {
  let aheadMs = 0
  const now = () => Date.now() + aheadMs
  const { connections, workspaceDevices: desk, shipped } = bench.core
  const profile = shipped.profiles.get('standard')
  if (!profile) throw new Error('no profile')
  const comparison = createDiagnoses({
    door: (name) => desk.door(name),
    nearby: () => key,
    gateway: createDiagnosisGateway(() => connections.gateway.client()),
    gatewayName: () => Promise.resolve('here'),
    expected: () => ({ apn: null, simId: null, from: null }),
    limits: () => diagnosisLimits(profile),
    tolerances: () => profile.comparison,
    installed: () => null,
    imeiOf: () => null,
    reportFault: (error) => bench.faults.push(error),
    now
  })
  ends.push(() => comparison.stop())
  return { comparison, now, go: (ms) => (aheadMs += ms) }
}

it('both say the same of a parked vehicle, and what only one can say is no failure of the other', async () => {
  await signIn()
  const { comparison, go } = onAnotherClock()
  const compared = await vi.waitFor(async () => {
    go(20_000)
    const answer = await comparison.compare(key)
    expect(verdicts(answer).position).not.toBe('onlyDevice')
    return answer
  }, 20_000)
  expect(compared.gateway).toEqual({ state: 'answers', why: null })
  expect(compared.vehicle).toMatchObject({ id: expect.any(Number) as number, name: expect.any(String) as string })
  expect(verdicts(compared)).toMatchObject({
    imei: 'agree',
    hostName: 'agree',
    vehicleDevice: 'agree',
    sim: 'agree',
    position: 'agree',
    speed: 'agree',
    power: 'agree',
    ignition: 'agree',
    engine: 'notExposed',
    in4: 'notExposed',
    in1: 'agree',
    out1: 'agree',
    clock: 'agree',
    distance: 'onlyGateway'
  })
  expect(factOf(compared, 'position').apart).toMatchObject({ unit: 'm' })
  expect(factOf(compared, 'ignition').gateway?.readAt).not.toBeNull()
  expect(compared.delays.length).toBeGreaterThan(0)
})

it('a line that the gateway shows otherwise differs while its word is fresh, and is old when it is not', async () => {
  await signIn()
  const { comparison, now, go } = onAnotherClock()
  async function expectIgnition(verdict: Verdict, ageS: number): Promise<void> {
    await vi.waitFor(async () => {
      go(20_000)
      const at = deviceAtGateway()
      Object.assign(at.io, { io_ign: !device.vehicle.state().ignition })
      at.ioEpoch = Math.floor(now() / 1000) - ageS
      expect(factOf(await comparison.compare(key), 'ignition').verdict).toBe(verdict)
    }, 20_000)
  }
  await expectIgnition('differ', 0)
  await expectIgnition('stale', 3_600)
})

it('while nobody is signed in to the gateway the device speaks alone, and says why', async () => {
  const compared = await compare()
  expect(compared.gateway.state).toBe('signedOut')
  expect(compared.gateway.why).not.toBeNull()
  expect(compared.vehicle).toBeNull()
  expect(new Set(Object.values(verdicts(compared)))).toEqual(new Set(['onlyDevice', 'notExposed']))
  await signIn()
  expect((await compare()).gateway.state).toBe('answers')
})

it('a device that is away leaves the word to the gateway', async () => {
  await signIn()
  const { comparison, go } = onAnotherClock()
  await vi.waitFor(async () => {
    go(20_000)
    expect(verdicts(await comparison.compare(key)).position).toBe('agree')
  }, 20_000)
  device.setFault('reset', true)
  const compared = await vi.waitFor(async () => {
    go(5_000)
    const seen = await comparison.compare(key)
    // Each of its readings is asked for by itself, and goes by itself.
    expect(verdicts(seen)).toMatchObject({
      imei: 'onlyGateway',
      position: 'onlyGateway',
      ignition: 'onlyGateway',
      distance: 'onlyGateway'
    })
    return seen
  }, 20_000)
  device.setFault('reset', false)
  expect(factOf(compared, 'engine')).toBeUndefined()
})

it('what the gateway said before it went away stays, and a device that it does not show is told so', async () => {
  await signIn()
  const { comparison, go } = onAnotherClock()
  await vi.waitFor(async () => {
    go(20_000)
    expect(verdicts(await comparison.compare(key)).position).toBe('agree')
  }, 20_000)
  gateway.setOnline(false)
  const away = await vi.waitFor(async () => {
    go(400_000)
    const answer = await comparison.compare(key)
    expect(answer.gateway.state).toBe('away')
    return answer
  }, 20_000)
  gateway.setOnline(true)
  expect(verdicts(away)).toMatchObject({ imei: 'agree', position: 'stale', power: 'stale' })

  gateway.setFault({ operation: 'devices.get', status: 404 })
  const other = onAnotherClock()
  await vi.waitFor(async () => {
    other.go(1_000)
    expect(factOf(await other.comparison.compare(key), 'imei')).toMatchObject({ verdict: 'onlyDevice', gateway: null })
  }, 20_000)
})

it('the gateway is asked for lines and events no more often than every 15 s, however often somebody looks', async () => {
  await signIn()
  const asked = () =>
    gateway.requests.filter(({ operation }) => operation === 'devices.get' || operation === 'rawdata.query').length
  const { comparison, go } = onAnotherClock()
  await vi.waitFor(async () => expect((await comparison.compare(key)).newest).not.toBeNull(), 15_000)
  const before = asked()
  for (let look = 0; look < 5; look++) {
    go(2_000)
    await comparison.compare(key)
  }
  expect(asked()).toBe(before)
})
