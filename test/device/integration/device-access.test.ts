import { expect, onTestFinished, test } from 'vitest'
import {
  createConnections,
  type Connections,
  type ConnectionsOptions
} from '../../../main/gateway/accounts/connections.ts'
import { startSimulation } from '../../../simulator/simulation.ts'
import { sendJson, startScriptedServer } from '../../world/device/scriptedServer.ts'

function openConnections(options: Partial<ConnectionsOptions> = {}): Connections {
  const connections = createConnections({
    gatewayUrl: () => '',
    deviceModels: () => ['ft4'],
    inMemory: true,
    interfaces: () => ({}),
    ...options
  })
  onTestFinished(() => connections.close())
  return connections
}

const signal = new AbortController().signal

test('an address outside the local network that a person confirmed is used by every later call, and only that one', async () => {
  // 0.0.0.0 is of no network, and leads to this computer.
  const yard = await startSimulation({ devices: 1, host: '0.0.0.0', openSystemInfo: true, seed: 11 })
  onTestFinished(() => yard.stop())
  const [device] = yard.devices
  if (!device) throw new Error('The simulator started without a device')
  const address = `0.0.0.0:${device.port}`
  const { devices, discovery } = openConnections()
  expect(() => devices.open(address, device.imei)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
  expect(await discovery.addAddress(address)).toMatchObject({ kind: 'publicAddress' })
  expect(() => devices.open(address, device.imei)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))

  expect(await discovery.addAddress(address, { confirmPublic: true })).toMatchObject({
    kind: 'added',
    device: { imei: device.imei }
  })
  const { value } = await devices.open(address, device.imei).system.info({ signal })
  expect(value.hostname).toContain(device.imei)
  expect((await devices.openVerified(address, device.imei, signal)).label).toBe(address)
  expect(devices.openWith(address, { user: 'x', password: 'y' }).label).toBe(address)
  expect(() => devices.open('8.8.8.8', device.imei)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
})

const secretWord = 'kept-marker-31'

/** Says who it is as long as nobody has a password to give, then asks for one: an impostor that waits for it. */
async function startImpostor(hostname: string) {
  const authorizations: (string | undefined)[] = []
  let asked = 0
  const server = await startScriptedServer(({ headers }, response) => {
    authorizations.push(headers.authorization)
    asked += 1
    if (asked === 1) return sendJson(response, { hostname, osVersion: '1' })
    sendJson(response, { error: 'sign in' }, 401)
  })
  onTestFinished(() => server.stop())
  return { server, authorizations, sent: () => authorizations.filter((text) => text !== undefined) }
}

const imei = '861234000000011'

test('discovery gives no kept password to a host that has the old address and claims the name of a device', async () => {
  const impostor = await startImpostor(`ft4-${imei}`)
  const known = {
    imei,
    model: 'ft4',
    lastSeenAt: '2026-01-01T00:00:00.000Z',
    lastVehicle: null,
    lastAddress: impostor.server.address,
    lastJobAt: null,
    label: ''
  }
  const connections = openConnections({ known: { find: () => known, seen: () => undefined } })
  await connections.devices.keep(imei, { user: 'fitter', password: secretWord }, true)
  expect(await connections.discovery.findImei(imei)).toMatchObject({ kind: 'found' })
  await connections.discovery.probeNow(imei)
  await connections.discovery.probeNow(imei)
  expect(impostor.authorizations.length).toBeGreaterThan(1)
  expect(impostor.sent()).toEqual([])
})

test('what is kept goes to the address that a person picked, and to no other one that answers for the same device', async () => {
  const here = await startImpostor('x')
  const elsewhere = await startImpostor('x')
  const { devices } = openConnections()
  await devices.keep(imei, { user: 'fitter', password: secretWord }, false)
  const ask = (address: string) =>
    devices
      .open(address, imei)
      .system.info({ signal })
      .catch(() => undefined)
  await ask(here.server.address)
  expect(here.sent()).toEqual([])
  devices.pick(here.server.address, imei)
  await ask(here.server.address)
  expect(here.sent()).toHaveLength(1)
  // Something in the background opens it where it seems to be now.
  devices.pickFirst(elsewhere.server.address, imei)
  await ask(elsewhere.server.address)
  await expect(devices.openVerified(elsewhere.server.address, imei, signal)).rejects.toMatchObject({
    code: 'NOT_AUTHENTICATED'
  })
  expect(elsewhere.sent()).toEqual([])
  devices.pick(elsewhere.server.address, imei)
  await ask(elsewhere.server.address)
  await ask(here.server.address)
  expect([elsewhere.sent().length, here.sent().length]).toEqual([1, 1])
})

test('a device is not opened for work when another one answers at its address, or one that hides its name', async () => {
  const answers = [{ hostname: 'ft4-861234000000029', osVersion: '1' }, { osVersion: '1' }]
  const server = await startScriptedServer((_, response) =>
    sendJson(response, answers.shift() ?? { hostname: `ft4-${imei}`, osVersion: '1' })
  )
  onTestFinished(() => server.stop())
  const { devices } = openConnections()
  devices.pick(server.address, imei)
  await expect(devices.openVerified(server.address, imei, signal)).rejects.toMatchObject({ code: 'WRONG_DEVICE' })
  await expect(devices.openVerified(server.address, imei, signal)).rejects.toMatchObject({ code: 'UNREADABLE' })
  expect((await devices.openVerified(server.address, imei, signal)).label).toBe(server.address)
})

test('signing out of one device leaves the password that the others share, and is not undone by it', async () => {
  const here = await startImpostor('x')
  const { devices } = openConnections()
  const other = '861234000000029'
  await devices.keep(imei, { user: 'fitter', password: secretWord }, true)
  devices.pick(here.server.address, imei)
  await devices.forget(imei, here.server.address)
  expect([
    await devices.hasCredentials(imei),
    await devices.hasCredentials(other),
    await devices.hasCredentials(null)
  ]).toEqual([false, true, true])
  devices.pickFirst(here.server.address, imei)
  devices.pick(here.server.address, imei)
  await devices.open(here.server.address, imei).system.info({ signal })
  expect(here.sent()).toEqual([])
  await devices.keep(imei, { user: 'fitter', password: secretWord }, false)
  expect(await devices.hasCredentials(imei)).toBe(true)
  await devices.forgetShared()
  expect([await devices.hasCredentials(imei), await devices.hasCredentials(other)]).toEqual([true, false])
})

test('a password that was sent to a device is in none of its later answers, whatever it calls it', async () => {
  const secrets = ['wifi-marker-77', 'hotspot-marker-77', 'apn-marker-77', 'secret-hidden-77']
  const server = await startScriptedServer(({ path }, response) => {
    if (path === '/system-info')
      return sendJson(response, { hostname: `ft4-${imei}`, osVersion: `1 ${secrets.join(' ')}`, note: secrets })
    sendJson(response, {
      state: 'Enabled',
      ssid: `x ${secrets.join(' ')}`,
      note: { deep: secrets },
      stations: secrets,
      ssids: secrets,
      APN: secrets[2],
      IMEI: imei
    })
  })
  onTestFinished(() => server.stop())
  const connections = openConnections()
  const { devices } = connections
  await devices.keep(imei, { user: 'fitter', password: 'secret-hidden-77' }, false)
  devices.pick(server.address, imei)
  const device = devices.open(server.address, imei)
  await device.wifi.add({ ssid: 'x', password: 'wifi-marker-77' })
  await device.hotspot.edit({ name: 'x', password: 'hotspot-marker-77' })
  await device.modem.editApn({ apn: 'x', user: 'u', pass: 'apn-marker-77', pin: '4815' })
  // Another client of the same device: what was sent is known to all.
  const later = devices.open(server.address, imei)
  const readings = [
    await later.wifi.list(),
    await later.wifi.state(),
    await later.hotspot.list(),
    await later.hotspot.state(),
    await later.modem.configuration(),
    await later.system.info(),
    await later.exec.run({ command: 'ls' })
  ]
  expect(JSON.stringify(readings)).not.toMatch(/-77/)
  expect(connections.redactor.text('wifi-marker-77 hotspot-marker-77 apn-marker-77 4815')).not.toMatch(/-77|4815/)
})
