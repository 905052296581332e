import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { readArea, safeAreas } from '../../../main/device/client/areas.ts'
import { createDeviceClient, type DeviceClient } from '../../../main/device/client/client.ts'
import { deviceOperationMutates, invokeDevice } from '../../../main/device/client/operations.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import type { AppError } from '../../../preload/contract/errors.ts'
import { deviceArea } from '../../../preload/contract/device/device.ts'
import table from '../../../resources/endpoints.json' with { type: 'json' }
import { simulatedForms } from '../../../simulator/forms.ts'
import { startSimulation, type SimulatedDevice } from '../../../simulator/simulation.ts'
import { callOperation, deviceInputs, deviceOperationIds } from '../../world/device/deviceInputs.ts'
import { sendJson, startScriptedServer, type Script, type ScriptedServer } from '../../world/device/scriptedServer.ts'
import { english, failureInWords } from '../../world/window/english.ts'

async function startServer(script: Script, host?: string): Promise<ScriptedServer> {
  const server = await startScriptedServer(script, host)
  onTestFinished(() => server.stop())
  return server
}

/** A network namespace with a card of its own needs Linux and its superuser. */
const canMakeNetworks = process.platform === 'linux' && process.getuid?.() === 0
const answerNothing: Script = (_, response) => response.end()
const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'no error',
    (error: AppError) => error.code
  )

describe.each(simulatedForms)('With a device that answers in the form %s', (form) => {
  let device: SimulatedDevice
  let client: DeviceClient
  /** Nothing stored is an answer. */
  const isProblem = (problem: Message): boolean => !JSON.stringify(problem).includes('forms.nothingStored')

  beforeEach(async () => {
    const simulation = await startSimulation({ gateway: false, form })
    device = simulation.devices[0] as SimulatedDevice
    client = open(device.password)
    return () => simulation.stop()
  })

  function open(password: string): DeviceClient {
    const address = `${device.host}:${device.port}`
    return createDeviceClient({ address, credentials: () => Promise.resolve({ user: device.user, password }) })
  }

  it.each(deviceOperationIds.filter((id) => id !== 'auth.login'))('%s does what the document says', async (id) => {
    if (id === 'io.setOutput') await client.io.setOutput({ out: 'OUT1', state: true })
    const reading = await callOperation(client, id)
    expect(reading.problems.filter(isProblem)).toEqual([])
    expect(reading).toMatchObject({ operation: id, status: 200 })
    expect(reading.elapsedMs).toBeGreaterThanOrEqual(0)
    expect(device.violations).toEqual([])
  })

  it('names the user that signed in, and says NOT_AUTHENTICATED for a wrong password', async () => {
    const reading = await client.auth.login({ username: device.user, password: device.password })
    expect(reading.value.user?.name).toBe(device.user)
    expect(await codeOf(client.auth.login({ username: device.user, password: 'wrong' }))).toBe('NOT_AUTHENTICATED')
  })

  it('is refused with wrong credentials and with none', async () => {
    expect(await codeOf(open('wrong').gps.position())).toBe('NOT_AUTHENTICATED')
    expect(await codeOf(createDeviceClient({ address: `${device.host}:${device.port}` }).gps.position())).toBe(
      'NOT_AUTHENTICATED'
    )
    expect(device.requests.at(-1)?.hadCredentials).toBe(false)
  })

  it('switches an output and reads it back', async () => {
    await client.io.setOutput({ out: 'OUT2', state: true })
    expect((await client.io.all()).value.OUT2).toBe(true)
    await client.io.setOutput({ out: 'OUT2', state: false })
    expect((await client.io.all()).value.OUT2).toBe(false)
  })

  it('saves and removes a network whose name has slashes, percent signs, spaces and pictures', async () => {
    const ssid = 'Yard 5/6 100% 🚚 ?#&'
    await client.wifi.add({ ssid, password: 'a/b %2F ?' })
    expect((await client.wifi.list()).value.ssids).toContain(ssid)
    await client.wifi.remove({ ssid })
    expect((await client.wifi.list()).value.ssids).not.toContain(ssid)
  })

  it.each(deviceArea.options)('reads the area %s whole', async (area) => {
    const reading = await readArea(client, area)
    expect(reading.problems.filter(isProblem)).toEqual([])
    expect(reading.value).not.toBeNull()
    expect(Date.parse(reading.readAt)).toBeGreaterThan(0)
  })

  it('reads all areas that only look without changing anything', async () => {
    await Promise.all(safeAreas.map((area) => readArea(client, area)))
    const changing = device.requests.filter(({ operation }) => operation !== null && deviceOperationMutates(operation))
    expect(changing).toEqual([])
    expect(device.requests.length).toBe(13)
  })

  it('shows the part of an area that can be read beside the sentence about the part that cannot', async () => {
    device.setFault('serverError', true, 'wifi.list')
    const reading = await readArea(client, 'wifi')
    expect(Object.keys(reading.value as object)).toEqual(['state'])
    expect(reading.problems.map(english)).toEqual([
      expect.stringMatching(/reported an error during wifi\.list \(HTTP 5\d\d\)/)
    ])
  })

  it('shows no value at all where nothing could be read', async () => {
    device.setFault('notFound', true)
    const reading = await readArea(client, 'modem')
    expect(reading.value).toBeNull()
    expect(reading.problems).toHaveLength(2)
  })

  it.each(['gps', 'apps', 'modem'] as const)(
    'shows no value for %s where no field of the answer can be used',
    async (area) => {
      const server = await startServer(({ path }, response) =>
        sendJson(response, path === '/apps-manager' ? ['x'] : {})
      )
      const reading = await readArea(createDeviceClient({ address: server.address }), area)
      expect(reading.value).toBeNull()
      expect(reading.problems.length).toBeGreaterThan(0)
    }
  )

  it('never shows the password of the hotspot', async () => {
    await client.hotspot.edit({ name: 'Unit 4', password: 'hotspot-marker-7733' })
    await client.hotspot.start()
    const reading = await readArea(client, 'hotspot')
    expect(reading.value).toMatchObject({ state: { pass: '********' } })
    expect(JSON.stringify(reading)).not.toContain('marker')
  })
})

describe('The table of operations', () => {
  it('has a method of the client for every documented operation', () => {
    const client = createDeviceClient({ address: '127.0.0.1' }) as unknown as Record<string, Record<string, unknown>>
    for (const id of deviceOperationIds) {
      const [area = '', verb = ''] = id.split('.')
      expect(client[area]?.[verb], id).toBeTypeOf('function')
    }
  })

  it('sends exactly the documented method and path for each', async () => {
    const server = await startServer((_, response) => sendJson(response, { user: {} }))
    const client = createDeviceClient({ address: server.address })
    for (const entry of table.device) {
      await callOperation(client, entry.id).catch(() => undefined)
      const input = deviceInputs[entry.id] ?? {}
      const path = entry.path.replace(/:(\w+)\??/g, (_, name: string) => encodeURIComponent(String(input[name])))
      const sent = server.received.at(-1)
      expect(sent).toMatchObject({ method: entry.method, path })
      expect(sent?.body === '' ? undefined : JSON.parse(sent?.body ?? '')).toEqual(entry.body && input)
    }
  })

  it('says which operations change something, whatever their verb', () => {
    const changing = deviceOperationIds.filter((id) => deviceOperationMutates(id))
    expect(changing).toContain('wifi.stop')
    expect(changing).toContain('updates.osCheck')
    expect(changing).not.toContain('auth.login')
    expect(() => deviceOperationMutates('wifi.explode')).toThrow(/device\.noOperation/)
  })

  it.each(deviceOperationIds)('%s can be called by its id with the documented input', async (id) => {
    const server = await startServer((_, response) => sendJson(response, { user: { name: 'x' }, invented: 1 }))
    const client = createDeviceClient({ address: server.address })
    const entry = table.device.find((one) => one.id === id)
    const input = deviceInputs[id]
    const outcome = await invokeDevice(client, id, entry?.params ? { params: input } : { body: input }).catch(
      (error: AppError) => error
    )
    expect(server.received).toHaveLength(1)
    expect(outcome).toMatchObject(id === 'apps.list' ? { code: 'UNREADABLE' } : { operation: id, status: 200 })
  })

  it.each([
    ['nothing.known', {}, /not an operation/],
    ['gps.position', { params: { x: '1' } }, /unknown parameter x \(none allowed\)/],
    ['gps.position', { body: { x: 1 } }, /unknown body field x/],
    ['wifi.remove', {}, /parameter missing: ssid/],
    ['wifi.remove', { params: { ssid: 5 } }, /ssid must be text/],
    ['wifi.remove', { params: { ssid: '' } }, /ssid must not be empty/],
    ['wifi.remove', { params: { ssid: '..' } }, /cannot be sent/],
    ['wifi.remove', { params: { ssid: '\ud800' } }, /cannot be sent/],
    ['exec.run', { body: ['uptime'] }, /JSON object/],
    ['exec.run', { body: { command: 'uptime', as: 'root' } }, /unknown body field as/],
    ['modem.editApn', { body: { apn: 'a' } }, /body field missing: user, pass, pin/],
    ['accel.autoAlignment', { body: { state: 'true' } }, /true or false/],
    ['ecu.addParameter', { body: { ...deviceInputs['ecu.addParameter'], OFFSET: '0' } }, /OFFSET must be a number/],
    ['io.setOutput', { params: { out: 'OUT5', state: 'false' } }, /OUT1, OUT2, OUT3 or OUT4/],
    ['io.setOutput', { params: { out: 'OUT1', state: 'yes' } }, /true or false/],
    [
      'io.setOutput',
      { params: { out: '__proto__', state: 'false', hasOwnProperty: 1 } },
      /unknown parameter hasOwnProperty/
    ]
  ])('refuses %s with %o and sends nothing', async (id, input, sentence) => {
    const server = await startServer(answerNothing)
    const call = invokeDevice(createDeviceClient({ address: server.address }), id, input)
    expect(await failureInWords(call)).toEqual({
      code: 'INVALID_REQUEST',
      words: expect.stringMatching(sentence) as string
    })
    expect(server.received).toEqual([])
  })

  it('switches no output on, and any off', async () => {
    const server = await startServer(answerNothing)
    const client = createDeviceClient({ address: server.address })
    const on = { params: { out: '1', state: 'true' } }
    expect(await codeOf(invokeDevice(client, 'io.setOutput', on))).toBe('INTERLOCK')
    expect(server.received).toEqual([])
    await invokeDevice(client, 'io.setOutput', { params: { out: 'OUT1', state: 'false' } })
    expect(server.received.map(({ path }) => path)).toEqual(['/IO/OUT1/false'])
  })
})

describe('On the wire', () => {
  afterEach(() => vi.unstubAllEnvs())

  it('sends the credentials as a Basic header in UTF-8, and asks for them each time', async () => {
    const server = await startServer(answerNothing)
    let password = 'päss:wörd'
    const client = createDeviceClient({
      address: server.address,
      credentials: () => Promise.resolve({ user: 'fitter', password })
    })
    await client.wifi.start()
    password = 'new'
    await client.wifi.start()
    const sent = server.received.map(({ headers }) =>
      Buffer.from(headers.authorization?.slice(6) ?? '', 'base64').toString('utf8')
    )
    expect(sent).toEqual(['fitter:päss:wörd', 'fitter:new'])
  })

  it('adds an open network without a password in the path', async () => {
    const server = await startServer(answerNothing)
    const client = createDeviceClient({ address: server.address })
    await client.wifi.add({ ssid: 'Guest' })
    await client.wifi.add({ ssid: 'Guest', password: '' })
    expect(server.received.map(({ path }) => path)).toEqual(['/wifi/add/Guest', '/wifi/add/Guest'])
  })

  it('goes straight to the device, whatever proxy the system names', async () => {
    const proxy = await startServer(answerNothing)
    const server = await startServer(answerNothing)
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'])
      vi.stubEnv(name, `http://${proxy.address}`)
    for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '')
    await createDeviceClient({ address: server.address }).wifi.start()
    expect(proxy.received).toEqual([])
    expect(server.received.map(({ path }) => path)).toEqual(['/wifi/start'])
  })

  it('never follows a redirect, least of all with credentials', async () => {
    const other = await startServer(answerNothing)
    const server = await startServer((_, response) =>
      response.writeHead(307, { Location: `http://${other.address}/` }).end()
    )
    const client = createDeviceClient({
      address: server.address,
      credentials: () => Promise.resolve({ user: 'u', password: 'p' })
    })
    expect(await codeOf(client.wifi.start())).toBe('UNREADABLE')
    expect(other.received).toEqual([])
  })

  it('reaches a device by IPv6 address and by name', async () => {
    const six = await startServer(answerNothing, '::1')
    await createDeviceClient({ address: six.address }).wifi.start()
    expect(six.received[0]?.headers.host).toBe(`[::1]:${six.port}`)
    const four = await startServer(answerNothing)
    await createDeviceClient({ address: 'localhost', port: four.port }).wifi.start()
    expect(four.received).toHaveLength(1)
  })

  it('refuses to guess the card where the zone of an address names none', async () => {
    const call = createDeviceClient({ address: '[fe80::1%no-such-card]:8080' }).wifi.start()
    await expect(call).rejects.toMatchObject({
      code: 'UNREACHABLE',
      sentence: { id: 'device.noSuchCard', values: { card: 'no-such-card' } }
    })
  })

  it.runIf(canMakeNetworks)('reaches a device by its link-local address, and keeps the zone to itself', async () => {
    const cards = [0, 1].map(
      (n) =>
        `ip link add card${n} type veth peer name far${n} && ip link set card${n} up && ip link set far${n} up && ip addr add fe80::${n + 4}/64 dev card${n} nodad`
    )
    const child = join(import.meta.dirname, '..', '..', 'world', 'time', 'zoneChild.ts')
    const script = [
      'ip link set lo up',
      ...cards,
      `exec ${process.execPath} ${child} fe80::4%card0 fe80::5%card1`
    ].join(' && ')
    const { stdout } = await promisify(execFile)('unshare', ['--net', 'sh', '-c', script], { timeout: 45_000 })
    expect(stdout).toBe('[fe80::4] [fe80::5] ')
  })

  it('says where nothing answers and what to check', async () => {
    const server = await startScriptedServer(answerNothing)
    await server.stop()
    const call = createDeviceClient({ address: server.address }).gps.position()
    await expect(call).rejects.toMatchObject({
      code: 'UNREACHABLE',
      retryable: true,
      sentence: { values: { label: server.address } }
    })
  })

  it('says that a name is not known', async () => {
    const call = createDeviceClient({ address: 'nobody-here.invalid' }).gps.position()
    await expect(call).rejects.toMatchObject({ code: 'UNREACHABLE', sentence: { id: 'device.nameNotKnown' } })
  })

  it('refuses public addresses unless a person has confirmed them', () => {
    expect(() => createDeviceClient({ address: '8.8.8.8' })).toThrow(/device\.publicAddress/)
    expect(() => createDeviceClient({ address: '[2001:db8::1]:8080' })).toThrow(/device\.publicAddress/)
    expect(createDeviceClient({ address: '8.8.8.8', isConfirmed: () => true }).label).toBe('8.8.8.8:8080')
  })

  it('stops at once when it is cancelled, and closes the connection', async () => {
    const server = await startServer(() => undefined)
    const controller = new AbortController()
    const call = createDeviceClient({ address: server.address }).gps.position({ signal: controller.signal })
    await vi.waitFor(() => expect(server.received).toHaveLength(1), { timeout: 45_000, interval: 5 })
    controller.abort()
    expect(await codeOf(call)).toBe('CANCELLED')
    await vi.waitFor(() => expect(server.openConnections()).toBe(0), { timeout: 45_000, interval: 5 })
    const late = createDeviceClient({ address: server.address }).gps.position({ signal: controller.signal })
    expect(await codeOf(late)).toBe('CANCELLED')
    expect(server.received).toHaveLength(1)
  })

  it('has at most four requests under way, and runs one that changes something alone', async () => {
    const open = new Set<string>()
    let most = 0
    const together: string[] = []
    const server = await startServer(({ path }, response) => {
      if (path === '/wifi/stop' || open.has('/wifi/stop')) together.push(...open)
      open.add(path)
      most = Math.max(most, open.size)
      setTimeout(() => {
        open.delete(path)
        sendJson(response, {})
      }, 20)
    })
    const client = createDeviceClient({ address: server.address })
    await Promise.all([
      client.gps.position(),
      client.eth.state(),
      client.wifi.state(),
      client.io.all(),
      client.system.info(),
      client.accel.state(),
      client.wifi.stop(),
      client.modem.information(),
      client.modem.configuration(),
      client.accel.configuration()
    ])
    expect(most).toBe(4)
    expect(together).toEqual([])
    expect(server.received.findIndex(({ path }) => path === '/wifi/stop')).toBe(6)
  })
})

it('a request without a body says nothing about one: a strict server refuses an empty body of a stated kind', async () => {
  const seen: unknown[] = []
  const server = await startServer((request, response) => {
    seen.push([request.method, request.headers['content-type'] ?? null])
    response.end()
  })
  const client = createDeviceClient({
    address: server.address,
    credentials: () => Promise.resolve({ user: 'u', password: 'p' })
  })
  await client.io.setOutput({ out: 'OUT1', state: false })
  await client.accel.autoAlignment({ state: true })
  expect(seen).toEqual([
    ['POST', null],
    ['POST', 'application/json']
  ])
})
