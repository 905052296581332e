import { cpSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCore, type Core, sourceResourcesFolder } from '../../../main/app/core.ts'
import { createHandlers, routeCall } from '../../../main/app/router.ts'
import type { CallInput, CallName, CallOutput } from '../../../preload/contract/index.ts'
import { openExchange } from '../../world/data/exchange.ts'
import { openJobBench, until } from '../../world/device/jobBench.ts'
import { imei, reportParked } from '../../world/data/parkedReport.ts'
import { quickShipped, standardStep } from '../../world/device/quickProfile.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import type { SimulatedGateway } from '../../../simulator/gateway/gateway.ts'
import { openGateway } from '../../world/gateway/vehicleCalls.ts'
import { openWorkspaceBench } from '../../world/device/workspaceBench.ts'

const limit = { timeout: 360_000 }

/** A device whose position can be held back, so that everything else waits behind that answer. */
async function openHeldDevice() {
  const bench = await openWorkspaceBench()
  onTestFinished(() => bench.stop())
  const [device] = bench.simulation.devices
  const exchange = await openExchange(device!)
  onTestFinished(() => exchange.stop())
  let held: PromiseWithResolvers<void> | undefined
  exchange.before((_method, path) => (path === '/gps/position' ? held?.promise : undefined))
  const { devices, discovery } = bench.core.connections
  await devices.keep(device!.imei, { user: device!.user, password: device!.password }, false)
  const added = await discovery.addAddress(exchange.address, { signal: AbortSignal.timeout(10_000) })
  if (added.kind !== 'added') throw new Error('The device was not added')
  const { key } = added.device
  devices.pick(exchange.address, device!.imei)
  const watch = () => bench.call('workspace.watchOutput', { key, out: 'OUT1' })
  await expect.poll(async () => (await watch()).missing, { timeout: 45_000 }).toEqual([])
  const timer = setInterval(() => void watch().catch(() => undefined), 300)
  onTestFinished(() => clearInterval(timer))
  return {
    bench,
    device: device!,
    address: exchange.address,
    key,
    watch,
    hold: () => void (held = Promise.withResolvers<void>()),
    release() {
      held?.resolve()
      held = undefined
    },
    commands: () => exchange.passed.map(({ path }) => path).filter((path) => path.startsWith('/IO/OUT'))
  }
}

describe('An “on” that waits behind a slow answer of the device', limit, () => {
  it.each(['Off', 'All off'] as const)('never leaves after %s', async (how) => {
    const { bench, device, address, key, watch, hold, release, commands } = await openHeldDevice()
    await bench.call('workspace.armOutput', { key, out: 'OUT1' })
    await expect.poll(async () => (await watch()).leftMs ?? 9_000, { timeout: 45_000, interval: 20 }).toBeLessThan(700)
    hold()
    await until('“on” is in the ledger', () => bench.core.outputs.ledger().length > 0, limit.timeout)
    expect(commands()).toEqual([])
    await (how === 'Off' ? bench.call('workspace.switchOff', { key, out: 'OUT1' }) : bench.call('outputs.allOff', {}))
    release()
    await until('nothing is in the ledger', () => bench.core.outputs.ledger().length === 0, limit.timeout)
    // Whatever still waited in the queue of the device has its turn before this answer.
    await bench.core.connections.devices.open(address, device.imei).io.all()
    expect(new Set(commands())).toEqual(new Set(['/IO/OUT1/false']))
    expect(device.vehicle.state().outputs.OUT1).toBe(false)
  })
})

describe('“I saw it off” for an output that Fitter has on', limit, () => {
  it('is refused, and every way to switch it off still works', async () => {
    const bench = await openWorkspaceBench()
    onTestFinished(() => bench.stop())
    const [key] = bench.keys
    const [device] = bench.simulation.devices
    const watch = () => bench.call('workspace.watchOutput', { key: key!, out: 'OUT1' })
    await expect.poll(async () => (await watch()).missing, { timeout: 45_000 }).toEqual([])
    await bench.call('workspace.armOutput', { key: key!, out: 'OUT1' })
    await expect.poll(async () => (await watch()).phase, { timeout: 45_000 }).toBe('on')
    const [entry] = (await bench.call('outputs.ledger', {})).outputs
    expect(entry).toMatchObject({ state: 'on', mayConfirmOff: false })
    await expect(bench.call('outputs.confirmOff', { id: entry!.id, reason: 'looks off' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: { id: 'outputs.wordWhileOn' }
    })
    expect((await bench.call('outputs.ledger', {})).outputs).toMatchObject([{ output: 'OUT1' }])
    expect((await bench.call('outputs.allOff', {})).outputs).toEqual([])
    expect(device!.vehicle.state().outputs.OUT1).toBe(false)
  })
})

describe('The word of a person during a job', limit, () => {
  it('is written with the person as its witness, and not with the device that did not answer', async () => {
    const bench = await openJobBench({ shipped: quickShipped([standardStep('output-1')]) })
    onTestFinished(() => bench.close())
    const [device] = bench.sim.devices
    const id = bench.create()
    await bench.jobs.start(id, AbortSignal.timeout(60_000))
    bench.answerWith({ arm: { armed: true } })
    const run = bench.jobs.runStep(id, 'output-1')
    await until('OUT1 reads back on', () => bench.lives.some(({ prompt }) => prompt?.kind === 'effect'))
    device!.setFault('reset', true)
    await until('it may be on', () => bench.outputs.ledger().some(({ mayConfirmOff }) => mayConfirmOff))
    await bench.outputs.confirmOff(bench.outputs.ledger()[0]!.id, 'fuse pulled')
    await run
    const seen = bench.jobs
      .journal(id)
      .filter(({ type }) => type === 'evidence')
      .map(({ data }) => JSON.stringify(data))
    expect(seen.some((data) => data.includes('output.personSawOff') && data.includes('"person"'))).toBe(true)
    expect(seen.filter((data) => data.includes('output.offAgain'))).toEqual([])
    device!.setFault('reset', false)
  })
})

async function openGatewayYard() {
  const gateway = await openGateway({ delayMs: 20 })
  const yard = await openAtGateway(gateway, tempFolder())
  const vehicleId = gateway.state.vehicles.find(({ device }) => String(device) === imei)!.id
  const next = reportParked()
  const timer = setInterval(() => gateway.receive(next()), 300)
  onTestFinished(() => clearInterval(timer))
  await expect
    .poll(async () => (await yard.call('remoteOutputs.story', { vehicleId })).conditions.every(({ holds }) => holds), {
      timeout: 45_000
    })
    .toBe(true)
  const set = (on: boolean) => yard.call('remoteOutputs.set', { vehicleId, otype: 'e', out: 1, on, confirmed: true })
  const sent = () => gateway.state.effects.filter(({ operation }) => operation === 'remote.output')
  return { gateway, ...yard, set, sent }
}

/** A Fitter of the window on this folder, signed in to the gateway. */
async function openAtGateway(gateway: SimulatedGateway, dataFolder: string) {
  const faults: unknown[] = []
  const core: Core = createCore({
    dataFolder,
    resourcesFolder: sourceResourcesFolder,
    inMemorySecrets: true,
    background: true,
    reportFault: (error) => faults.push(error)
  })
  onTestFinished(() => core.stop())
  const handlers = createHandlers({
    core,
    training: null,
    frontEnd: 'browser',
    version: '0.0.0',
    workplace: 'real',
    dataFolder,
    enter: () => Promise.resolve(),
    takePlace: () => Promise.resolve(),
    openPage: () => Promise.resolve(),
    reportFault: (error: unknown) => faults.push(error)
  } as Parameters<typeof createHandlers>[0])
  async function call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
    const result = await routeCall(handlers, name, input, (error) => faults.push(error))
    if (!result.ok) throw Object.assign(new Error(`${name}: ${JSON.stringify(result.error)}`), result.error)
    return result.value as never
  }
  const account = gateway.accounts.find(({ role }) => role === 'installer')!
  await call('gateway.signIn', {
    url: gateway.url,
    user: account.user,
    password: account.password,
    scheme: { kind: 'normal' }
  })
  return { core, call, dataFolder }
}

describe('Through the gateway', limit, () => {
  it('what a Fitter that was killed left on is switched off as soon as the next one is signed in', async () => {
    const { gateway, core, dataFolder, set, sent } = await openGatewayYard()
    await set(true)
    await until('the gateway took "on"', () => sent().length === 1)
    // The folder as it lies on the disk when the process is gone: nothing was switched off.
    const left = tempFolder()
    cpSync(dataFolder, left, { recursive: true })
    await core.stop()
    const before = sent().length
    const next = await openAtGateway(gateway, left)
    expect(next.core.outputs.ledger()).toMatchObject([{ path: 'gateway' }])
    await until('the gateway took "off"', () => sent().length > before)
    expect(JSON.stringify(sent().at(-1))).toContain('false')
  })

  it.each(['Off', 'All off'] as const)(
    '%s ends an “on” that still reads its conditions: nothing is switched on afterwards',
    async (how) => {
      const { gateway, core, call, set, sent } = await openGatewayYard()
      gateway.setFault({ hang: true, operation: 'vehicles.get', times: 1 })
      const before = gateway.requests.length
      const on = set(true).then(
        () => 'sent',
        (error: { message: { id: string } }) => error.message.id
      )
      await until('the conditions are read', () =>
        gateway.requests.slice(before).some(({ operation }) => operation === 'vehicles.get')
      )
      const off = how === 'Off' ? set(false) : call('outputs.allOff', {})
      expect(await on).toBe('gatewayOutputs.switchedOffMeanwhile')
      await off
      expect(sent().filter((effect) => JSON.stringify(effect).includes('true'))).toEqual([])
      expect(core.outputs.ledger().filter(({ state }) => state === 'on' || state === 'goingOn')).toEqual([])
    }
  )

  it('“I saw it off” is refused while the gateway shows it on, and the limit still switches it off', async () => {
    const { core, call, set } = await openGatewayYard()
    await set(true)
    await until('it is on', () => core.outputs.ledger().some(({ state }) => state === 'on'), limit.timeout)
    const [entry] = core.outputs.ledger()
    await expect(call('outputs.confirmOff', { id: entry!.id, reason: 'looks off' })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: { id: 'outputs.wordWhileOn' }
    })
    expect(core.outputs.ledger()).toMatchObject([{ state: 'on', offAt: expect.any(String) as string }])
    await call('outputs.switchOff', { id: entry!.id })
    await until('it is off', () => core.outputs.ledger().length === 0, limit.timeout)
  })
})
