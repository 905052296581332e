import { createServer, type Server } from 'node:http'
import type { NetworkInterfaceInfo } from 'node:os'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createCore, sourceResourcesFolder, type Core } from '../../../main/app/core.ts'
import { runDoctor } from '../../../main/app/doctor.ts'
import { createHandlers, routeCall } from '../../../main/app/router.ts'
import type { SweepState } from '../../../preload/contract/device/discovery.ts'
import type { CallInput, CallName, CallOutput } from '../../../preload/contract/index.ts'
import { startSimulation, type Simulation } from '../../../simulator/simulation.ts'
import { fileFolder } from '../../world/window/installation.ts'
import { startFitter } from '../../world/window/fitterProcess.ts'
import { english } from '../../world/window/english.ts'
import { message } from '../../../preload/contract/messages.ts'

// Linux answers for all of 127/8: a card of this network stands in for a real one, and nothing leaves the computer.
// Each process has its own, because the tests may run twice at once on a computer.
const subnet = `127.77.${process.pid % 256}`
const card: NetworkInterfaceInfo = {
  address: `${subnet}.5`,
  netmask: '255.255.255.0',
  family: 'IPv4',
  mac: '00:00:00:00:00:01',
  internal: false,
  cidr: null
}
const folder = fileFolder()
const events: SweepState[] = []
const faults: unknown[] = []
let yard: Simulation
let core: Core
let interfaces: NodeJS.Dict<NetworkInterfaceInfo[]> = { lab0: [card] }
/** Hosts that take a connection and never answer. */
const silent: Server[] = []

function openCore(): Core {
  const opened = createCore({
    dataFolder: folder,
    resourcesFolder: sourceResourcesFolder,
    inMemorySecrets: true,
    interfaces: () => interfaces,
    reportFault: (error) => faults.push(error)
  })
  opened.events.onEvent((name, payload) => {
    if (name === 'discovery.sweep') events.push(payload as SweepState)
  })
  return opened
}

async function call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> {
  const handlers = createHandlers({
    core,
    frontEnd: 'terminal',
    version: '0',
    workplace: 'real',
    dataFolder: folder,
    training: null,
    enter: () => Promise.resolve(),
    takePlace: () => Promise.resolve(),
    openPage: () => Promise.resolve(),
    reportFault: (error) => faults.push(error)
  })
  const result = await routeCall(handlers, name, input, (error) => faults.push(error))
  if (!result.ok) throw Object.assign(new Error(english(result.error.message)), { code: result.error.code })
  return result.value as CallOutput<Name>
}

const sweepEnd = () =>
  vi.waitFor(() => expect(core.networks.sweepState()?.running).toBe(false), { timeout: 45_000, interval: 20 })

beforeAll(async () => {
  yard = await startSimulation({ devices: 1, host: `${subnet}.9`, firstPort: 8080, openSystemInfo: true, seed: 71 })
  core = openCore()
})
afterEach(() => {
  interfaces = { lab0: [card] }
  events.length = 0
  expect(faults).toEqual([])
})
afterAll(async () => {
  for (const server of silent) {
    server.closeAllConnections()
    server.close()
  }
  await core.stop()
  await yard.stop()
})

const imei = () => yard.devices[0]?.imei ?? ''

test('nothing is swept unless a person asks; then a device that does not announce itself is found, with progress told to the end', async () => {
  await call('discovery.watch', {})
  expect((await call('discovery.sweepState', {})).sweep).toBeNull()
  expect(core.connections.discovery.table().devices).toEqual([])
  const start = await call('discovery.sweep', { card: 'lab0' })
  expect(start).toMatchObject({ card: 'lab0', address: card.address, asked: 0, total: 253, running: true, ended: null })
  expect(start.leftMs).toBeGreaterThan(10_000)
  await sweepEnd()
  expect(events[0]).toMatchObject({ asked: 0, running: true })
  expect(events.at(-1)).toMatchObject({
    asked: 253,
    total: 253,
    found: 1,
    leftMs: 0,
    running: false,
    ended: 'done',
    problem: null
  })
  expect(core.connections.discovery.table().devices).toMatchObject([
    { imei: imei(), addresses: [`${subnet}.9`], via: 'sweep' }
  ])
})

test('one sweep runs at a time, and stopping it asks nobody any more', async () => {
  const asked = new Set<string>()
  for (let host = 20; host < 60; host++) {
    const server = createServer(() => undefined)
    server.on('connection', () => asked.add(`${subnet}.${host}`))
    silent.push(server)
    await new Promise<void>((done) => server.listen(8080, `${subnet}.${host}`, done))
  }
  await call('discovery.sweep', { card: card.address })
  await expect(call('discovery.sweep', { card: 'lab0' })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('Stop that first')
  })
  await vi.waitFor(() => expect(asked.size).toBeGreaterThan(0), 15_000)
  await call('discovery.stopSweep', {})
  await sweepEnd()
  expect(events.at(-1)).toMatchObject({ running: false, ended: 'stopped', problem: null })
  expect(asked.size).toBeLessThanOrEqual(8)
  expect(core.networks.sweepState()?.asked).toBeLessThan(253)
})

test('a card that is gone, and this computer itself, are not swept', async () => {
  await expect(call('discovery.sweep', { card: 'lab1' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  interfaces = { lo: [{ ...card, address: '127.0.0.1', internal: true }] }
  await expect(call('discovery.sweep', { card: 'lo' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  expect(await call('discovery.gateways', {})).toEqual({
    networks: [{ card: 'lo', address: '127.0.0.1', kind: 'loopback', gateways: [], sweepSize: 0 }]
  })
})

test('each card is listed with the size of its network', async () => {
  expect(await call('discovery.gateways', {})).toMatchObject({
    networks: [{ card: 'lab0', address: card.address, gateways: [], sweepSize: 253 }]
  })
})

test('a verified device is remembered with its name, found again by its IMEI after a restart, and forgotten when asked', async () => {
  await expect(call('discovery.label', { imei: imei(), label: 'Bench' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await call('discovery.findImei', { imei: imei() })).kind).toBe('found')
  // Its own answer alone names it: it is known once a person worked on it or mDNS named the same host.
  core.store.knownDevices.remember({
    imei: imei(),
    model: 'ft4',
    lastSeenAt: '2026-01-01T00:00:00.000Z',
    lastVehicle: 'Truck 12',
    lastAddress: `${subnet}.9:8080`
  })
  expect(await call('discovery.label', { imei: imei(), label: '  Bench  ' })).toMatchObject({
    label: 'Bench',
    lastVehicle: 'Truck 12'
  })

  await core.stop()
  core = openCore()
  const { devices } = await call('discovery.known', { limit: 5 })
  expect(devices).toMatchObject([
    { imei: imei(), label: 'Bench', lastVehicle: 'Truck 12', lastSeenAt: '2026-01-01T00:00:00.000Z' }
  ])
  const found = await call('discovery.findImei', { imei: imei() })
  expect(found).toMatchObject({
    kind: 'found',
    device: { imei: imei(), via: 'known', verified: true, lastVehicle: 'Truck 12' }
  })

  // When it was there last is written down when Fitter closes.
  await vi.waitFor(() => expect(core.connections.discovery.table().devices[0]?.verified).toBe(true), 15_000)
  await core.stop()
  core = openCore()
  const [again] = (await call('discovery.known', { limit: 5 })).devices
  expect(again?.lastSeenAt.startsWith('2026-01-01T00:00')).toBe(false)
  expect(again).toMatchObject({ label: 'Bench', lastVehicle: 'Truck 12' })

  await call('discovery.forget', { imei: imei() })
  expect(await call('discovery.known', { limit: 5 })).toEqual({ devices: [], next: null, total: 0 })
})

test('the label of a device is read by the core, the same for every way in', async () => {
  expect(await call('discovery.readLabel', { text: `IMEI: ${imei()}` })).toEqual({ kind: 'imei', imei: imei() })
  expect(await call('discovery.readLabel', { text: 'no number' })).toMatchObject({ kind: 'none' })
})

test('in training the self-test does not say that network cards or the keychain do not work', async () => {
  const options = {
    dataFolder: folder,
    checkData: () => Promise.resolve({ ok: true, findings: [], jobs: 0 }),
    mayBeOn: () => undefined,
    team: () => undefined
  }
  interfaces = { lo: [{ ...card, address: '127.0.0.1', netmask: '255.0.0.0', internal: true }] }
  await core.stop()
  core = openCore()
  const real = await runDoctor(core.connections, options)
  expect(real.find((finding) => finding.name.id === 'selfTest.cardsName')).toMatchObject({
    ok: false,
    group: 'network'
  })
  const training = await runDoctor(core.connections, { ...options, isTraining: true })
  expect(training.find((finding) => finding.name.id === 'selfTest.cardsName')).toMatchObject({
    notTested: true,
    detail: message('selfTest.trainingCards')
  })
  expect(training.find((finding) => finding.name.id === 'selfTest.keychainName')).toMatchObject({ notTested: true })
  expect(training.some((finding) => finding.name.id === 'selfTest.gatewaysName')).toBe(false)
  for (const finding of [...real, ...training]) {
    expect(finding.group).toBeDefined()
    expect([finding.name, finding.ok === (finding.remedy === null)]).toEqual([finding.name, true])
  }
})

test('a device that says nothing without a password is known by its IMEI once a person signed in at its address', async () => {
  const closed = await startSimulation({ devices: 2, host: `${subnet}.19`, seed: 73 })
  const [device, other] = closed.devices
  if (!device || !other) throw new Error('The simulator started without its devices')
  try {
    const added = await call('discovery.addAddress', { address: `${device.host}:${device.port}` })
    expect(added).toMatchObject({ kind: 'added', device: { imei: null, standing: 'needsSignIn' } })
    const { key } = core.connections.discovery.table().devices.find(({ port }) => port === device.port) ?? { key: '' }
    expect((await call('device.signIn', { key, user: device.user, password: 'wrong', shared: false })).kind).toBe(
      'wrongPassword'
    )
    expect(
      (await call('device.signIn', { key, user: device.user, password: device.password, shared: false })).kind
    ).toBe('signedIn')
    const seen = () => core.connections.discovery.table().devices.find((candidate) => candidate.key === key)
    expect(seen()).toMatchObject({ imei: device.imei, model: 'ft4', standing: 'answering', signedIn: true })
    await core.connections.discovery.probeNow(key)
    expect(seen()).toMatchObject({ imei: device.imei, standing: 'answering', signedIn: true })
    const made = await call('jobs.create', {
      templateId: 'standard-installation',
      deviceKey: key,
      vehicleText: '',
      customer: ''
    })
    if (made.outcome !== 'created') throw new Error('No job was made')
    expect((await call('jobs.show', { id: made.id })).device).toEqual({
      imei: device.imei,
      model: 'ft4',
      address: `${device.host}:${device.port}`
    })
    // What was given for this device is not for another one.
    expect(await core.connections.devices.hasCredentials(other.imei)).toBe(false)
  } finally {
    await closed.stop()
  }
})

test('a device whose address was picked before it was met is signed in from its first sight on', async () => {
  const closed = await startSimulation({ devices: 1, host: `${subnet}.29`, seed: 74 })
  try {
    const [device] = closed.devices
    if (!device) throw new Error('The simulator started without its device')
    const address = `${device.host}:${device.port}`
    await core.connections.devices.keep(device.imei, { user: device.user, password: device.password }, false)
    core.connections.devices.pick(address, device.imei)
    expect(await call('discovery.addAddress', { address })).toMatchObject({
      kind: 'added',
      device: { imei: device.imei, standing: 'answering', signedIn: true }
    })
  } finally {
    await closed.stop()
  }
})

test(
  'discover --watch streams a device that comes and is lost, one JSON object a line',
  { timeout: 180_000 },
  async () => {
    const watched = await startSimulation({ devices: 1, mdns: true, openSystemInfo: true, seed: 72 })
    const device = watched.devices[0]
    const running = startFitter(['discover', '--watch', '--json', '--data', folder], {})
    const lines = () =>
      running
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line.imei === device?.imei)
    try {
      await vi.waitFor(() => expect(lines().at(-1)).toMatchObject({ verified: true, standing: 'verified' }), {
        timeout: 45_000,
        interval: 50
      })
      expect(lines().at(-1)).toEqual({
        imei: device?.imei,
        model: 'ft4',
        hostname: expect.stringContaining(device?.imei ?? ''),
        addresses: expect.arrayContaining(['127.0.0.1']),
        port: device?.port,
        card: 'lo',
        via: 'mdns',
        verified: true,
        firstSeenMs: expect.any(Number),
        osVersion: expect.any(String),
        standing: 'verified',
        detail: 'Its own answer contains the same host name.',
        message: { id: 'discovery.sameName', values: {} }
      })
      await watched.stop()
      await vi.waitFor(() => expect(lines().at(-1)).toMatchObject({ standing: 'lost', verified: false }), {
        timeout: 45_000,
        interval: 50
      })
    } finally {
      running.kill('SIGINT')
      expect((await running.ended).code).toBe(0)
      await watched.stop()
    }
  }
)
