import { describe, expect, it, onTestFinished } from 'vitest'
import { createCore, type Core } from '../../../main/app/core.ts'
import { createHandlers, routeCall } from '../../../main/app/router.ts'
import type { CallInput, CallName, CallOutput } from '../../../preload/contract/index.ts'
import { startSimulation, type SimulatedDevice, type SimulationOptions } from '../../../simulator/simulation.ts'
import { hurriedResources } from '../../world/time/hurriedResources.ts'
import { until } from '../../world/device/jobBench.ts'
import { imei, reportParked } from '../../world/data/parkedReport.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { openGateway } from '../../world/gateway/vehicleCalls.ts'
import { openWorkspaceBench, type WorkspaceBench } from '../../world/device/workspaceBench.ts'

const limit = { timeout: 360_000 }

async function openBench(simulation: SimulationOptions = {}): Promise<WorkspaceBench> {
  const bench = await openWorkspaceBench(simulation, { resourcesFolder: hurriedResources() })
  onTestFinished(() => bench.stop())
  return bench
}

/** OUT1 of a device is on by hand, and somebody watches it. */
async function putOn(bench: WorkspaceBench, index = 0) {
  const key = bench.keys[index]!
  const watch = () => bench.call('workspace.watchOutput', { key, out: 'OUT1' })
  await expect.poll(async () => (await watch()).missing).toEqual([])
  await bench.call('workspace.armOutput', { key, out: 'OUT1' })
  await expect.poll(async () => (await watch()).phase).toBe('on')
  const timer = setInterval(() => void watch().catch(() => undefined), 500)
  onTestFinished(() => clearInterval(timer))
  return { key, device: bench.simulation.devices[index]! }
}

const isOn = (device: SimulatedDevice) => device.vehicle.state().outputs.OUT1
const sentOff = (device: SimulatedDevice) => device.requests.filter(({ path }) => path === '/IO/OUT1/false').length

describe('Signing out of a device with an output on', limit, () => {
  it('switches it off first', async () => {
    const bench = await openBench()
    const { key, device } = await putOn(bench)
    await bench.call('device.signOut', { key })
    expect([isOn(device), (await bench.call('outputs.ledger', {})).outputs]).toEqual([false, []])
  })

  it('is refused while that cannot be confirmed, and the password stays: it goes off when the device answers', async () => {
    const bench = await openBench()
    const { key, device } = await putOn(bench)
    device.setFault('reset', true)
    await expect(bench.call('device.signOut', { key })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: { id: 'outputs.staysForOutputs' }
    })
    expect((await bench.call('outputs.ledger', {})).outputs).toMatchObject([
      { imei: device.imei, output: 'OUT1', state: 'mayBeOn' }
    ])
    device.setFault('reset', false)
    await until('OUT1 is off', () => !isOn(device))
    await until('the ledger is empty', () => bench.core.outputs.ledger().length === 0)
    await bench.call('device.signOut', { key })
  })

  it('of another device leaves it on', async () => {
    const bench = await openBench({ devices: 2 })
    const { device } = await putOn(bench)
    await bench.call('device.signOut', { key: bench.keys[1]! })
    expect([isOn(device), sentOff(device)]).toEqual([true, 0])
  })
})

describe('The sign-in that devices share', limit, () => {
  /** The device has no sign-in of its own. */
  async function share(bench: WorkspaceBench) {
    const [device] = bench.simulation.devices
    const { secrets, devices } = bench.core.connections
    await devices.keep(null, { user: device!.user, password: device!.password }, true)
    await secrets.remove(`device/${device!.imei}`)
    return putOn(bench)
  }

  it('is forgotten only after the outputs of each device that uses it are off', async () => {
    const bench = await openBench()
    const { device } = await share(bench)
    device.setFault('reset', true)
    await expect(bench.call('device.forgetShared', {})).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await bench.call('device.kept', {})).toEqual({ hasShared: true })
    device.setFault('reset', false)
    await until('OUT1 is off', () => !isOn(device))
    await until('the ledger is empty', () => bench.core.outputs.ledger().length === 0)
    expect(await bench.call('device.forgetShared', {})).toEqual({ hasShared: false })
  })

  it('is not replaced by that of another device while an output may be on that needs it', async () => {
    const bench = await openBench()
    const other = await startSimulation({ gateway: false, openSystemInfo: true, seed: 99 })
    onTestFinished(() => other.stop())
    const [stranger] = other.devices
    const added = await bench.core.connections.discovery.addAddress(`${stranger!.host}:${stranger!.port}`, {
      signal: AbortSignal.timeout(10_000)
    })
    if (added.kind !== 'added') throw new Error('not added')
    const { device } = await share(bench)
    device.setFault('reset', true)
    const signIn = () =>
      bench.call('device.signIn', {
        key: added.device.key,
        user: stranger!.user,
        password: stranger!.password,
        shared: true
      })
    await expect(signIn()).rejects.toMatchObject({ code: 'CONFLICT' })
    device.setFault('reset', false)
    await until('OUT1 is off', () => !isOn(device))
    await until('the ledger is empty', () => bench.core.outputs.ledger().length === 0)
    expect(await signIn()).toMatchObject({ kind: 'signedIn' })
  })
})

describe('A connection is not cut while an output of the device may be on', limit, () => {
  it('not by a change of its Wi-Fi or hotspot, whoever asks, and not by the console', async () => {
    const bench = await openBench({ devices: 2 })
    const { key, device } = await putOn(bench)
    const address = `${device.host}:${device.port}`
    const { devices } = bench.core.connections
    const before = device.requests.length
    const refused = { code: 'CONFLICT', message: { id: 'outputs.linkStays' } }
    for (const change of [
      { operation: 'wifi.stop' },
      { operation: 'wifi.reset' },
      { operation: 'wifi.start' },
      { operation: 'hotspot.stop' },
      { operation: 'hotspot.start' },
      { operation: 'wifi.remove', ssid: 'Yard' },
      { operation: 'wifi.add', ssid: 'Yard', password: '' },
      { operation: 'hotspot.edit', name: 'Van', password: 'not-a-secret' }
    ] as const) {
      await expect(
        bench.call('workspace.change', { key, change, confirmCut: true }),
        change.operation
      ).rejects.toMatchObject(refused)
    }
    await expect(bench.call('workspace.exec', { key, command: 'reboot', repeated: 'reboot' })).rejects.toMatchObject(
      refused
    )
    await expect(bench.call('workspace.checkUpdate', { key, view: 'v' })).rejects.toMatchObject(refused)
    const sentences = { code: 'CONFLICT', sentence: { id: 'outputs.linkStays' } }
    await expect(devices.open(address, device.imei).hotspot.stop()).rejects.toMatchObject(sentences)
    // A client that was opened by address alone.
    const unnamed = devices.openWith(address, { user: device.user, password: device.password })
    await expect(unnamed.wifi.stop()).rejects.toMatchObject(sentences)
    const [write] = (await bench.call('workspace.history', { key, operations: ['wifi.stop'], limit: 1 })).writes
    expect(write).toMatchObject({ outcome: 'refused' })
    expect(
      device.requests
        .slice(before)
        .filter(({ path }) =>
          /^\/(wifi\/(stop|reset|start|add|remove)|hotspot\/(stop|start|edit)|exec|updates)/.test(path)
        )
    ).toEqual([])
    expect(isOn(device)).toBe(true)
    // Reading, and other devices, are free.
    expect(await bench.call('workspace.exec', { key, command: 'uptime', repeated: '' })).toMatchObject({ kind: 'ran' })
    await bench.call('workspace.change', { key: bench.keys[1]!, change: { operation: 'wifi.stop' }, confirmCut: true })
    await bench.call('workspace.switchOff', { key, out: 'OUT1' })
    expect(
      await bench.call('workspace.change', { key, change: { operation: 'wifi.stop' }, confirmCut: true })
    ).toMatchObject({ kind: 'changed' })
  })

  it('not by a change that waited for its turn when the output went on', async () => {
    const bench = await openBench()
    const [key, device] = [bench.keys[0]!, bench.simulation.devices[0]!]
    const watch = () => bench.call('workspace.watchOutput', { key, out: 'OUT1' })
    await expect.poll(async () => (await watch()).missing).toEqual([])
    const { devices } = bench.core.connections
    // Something slow is alone in front of both.
    device.setFault('slow', true, 'modem.editApn')
    const slow = devices.open(`${device.host}:${device.port}`, device.imei).accel.autoAlignment({ state: false })
    await bench.call('workspace.armOutput', { key, out: 'OUT1' })
    await until('on is under way', () => bench.core.outputs.ledger().length === 1)
    const stop = bench.call('workspace.change', { key, change: { operation: 'wifi.stop' }, confirmCut: true })
    await expect(stop).rejects.toMatchObject({ code: 'CONFLICT' })
    await slow
  })
})

/** A gateway with two accounts, and an output that is on through it, confirmed. */
async function openGatewayYard(core?: Core) {
  const gateway = await openGateway({ delayMs: 20 })
  const dataFolder = tempFolder()
  const faults: unknown[] = []
  const own =
    core ??
    createCore({
      dataFolder,
      resourcesFolder: hurriedResources({ quitWithinS: 12 }),
      inMemorySecrets: true,
      reportFault: (error) => faults.push(error)
    })
  onTestFinished(() => own.stop())
  const handlers = createHandlers({
    core: own,
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
  const [installer, viewer] = (['installer', 'viewer'] as const).map((role) =>
    gateway.accounts.find((one) => one.role === role)!
  )
  const signIn = (account = installer!, url = gateway.url) =>
    call('gateway.signIn', { url, user: account.user, password: account.password, scheme: { kind: 'normal' } })
  expect(await signIn()).toMatchObject({ kind: 'signedIn' })
  const vehicleId = gateway.state.vehicles.find(({ device }) => String(device) === imei)!.id
  const next = reportParked()
  const timer = setInterval(() => gateway.receive(next()), 400)
  onTestFinished(() => clearInterval(timer))
  const sent = () => gateway.state.effects.filter(({ operation }) => operation === 'remote.output').length
  return {
    gateway,
    core: own,
    call,
    signIn,
    installer: installer!,
    viewer: viewer!,
    sent,
    ledger: () => own.outputs.ledger(),
    async putOn() {
      await expect
        .poll(async () => (await call('remoteOutputs.story', { vehicleId })).conditions.every(({ holds }) => holds))
        .toBe(true)
      await call('remoteOutputs.set', { vehicleId, otype: 'e', out: 2, on: true, confirmed: true })
      await until('it is on', () => own.outputs.ledger()[0]?.state === 'on', 30_000)
    }
  }
}

describe('The account at the gateway with an output on', { ...limit, tags: ['long'] }, () => {
  it('signing out switches it off first', async () => {
    const yard = await openGatewayYard()
    await yard.putOn()
    await yard.call('gateway.signOut', {})
    expect([yard.sent(), yard.ledger()]).toEqual([2, []])
  })

  it('no way out leaves the account while the gateway cannot be asked, and it stays signed in', async () => {
    const yard = await openGatewayYard()
    const other = await openGateway({ seed: 7 })
    await yard.signIn(yard.viewer)
    await yard.call('gateway.chooseSite', { url: yard.gateway.url, user: yard.installer.user })
    await yard.putOn()
    yard.gateway.setOnline(false)
    const refused = { code: 'CONFLICT', message: { id: 'outputs.staysForOutputs' } }
    const elsewhere = other.accounts.find(({ role }) => role === 'installer')!
    await Promise.all([
      expect(yard.call('gateway.signOut', {})).rejects.toMatchObject(refused),
      expect(yard.signIn(elsewhere, other.url)).rejects.toMatchObject(refused),
      expect(yard.call('gateway.chooseSite', { url: yard.gateway.url, user: yard.viewer.user })).rejects.toMatchObject(
        refused
      ),
      expect(
        yard.call('gateway.forgetSite', { url: yard.gateway.url, user: yard.installer.user })
      ).rejects.toMatchObject(refused)
    ])
    expect(yard.ledger()).toMatchObject([{ path: 'gateway', output: 'e 2' }])
    expect((await yard.call('gateway.sites', {})).sites.find(({ isActive }) => isActive)).toMatchObject({
      user: yard.installer.user,
      hasPassword: true
    })
    // Another account may go.
    await yard.call('gateway.forgetSite', { url: yard.gateway.url, user: yard.viewer.user })
    yard.gateway.setOnline(true)
    await yard.call('gateway.signOut', {})
    expect(yard.ledger()).toEqual([])
  })

  it.each([
    [
      'a sign-in as another user',
      async (yard: Awaited<ReturnType<typeof openGatewayYard>>) => void (await yard.signIn(yard.viewer))
    ],
    [
      'another account of the list',
      async (yard: Awaited<ReturnType<typeof openGatewayYard>>) =>
        void (await yard.call('gateway.chooseSite', { url: yard.gateway.url, user: yard.viewer.user }))
    ],
    [
      'its removal from the list',
      async (yard: Awaited<ReturnType<typeof openGatewayYard>>) =>
        void (await yard.call('gateway.forgetSite', { url: yard.gateway.url, user: yard.installer.user }))
    ]
  ])('%s switches it off first', async (_name, leave) => {
    const yard = await openGatewayYard()
    await yard.signIn(yard.viewer)
    await yard.call('gateway.chooseSite', { url: yard.gateway.url, user: yard.installer.user })
    await yard.putOn()
    await leave(yard)
    expect([yard.sent(), yard.ledger()]).toEqual([2, []])
  })
})
