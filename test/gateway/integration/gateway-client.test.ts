import { afterEach, expect, test, vi } from 'vitest'
import {
  createEngineClient,
  createGatewayClient,
  type GatewayClientOptions
} from '../../../main/gateway/client/client.ts'
import { engineEndpoints, gatewayEndpoints } from '../../../main/gateway/client/request/endpointTable.ts'
import { deviceImeiOf, findEntities, findVehicleOfDevice } from '../../../main/gateway/client/vehicles/entities.ts'
import { hasLinkTo } from '../../../main/gateway/client/vehicles/linkHistory.ts'
import { invokeGateway } from '../../../main/gateway/client/request/operations.ts'
import { startGateway, type SimulatedGateway } from '../../../simulator/gateway/gateway.ts'
import type { GatewayOptions } from '../../../simulator/gateway/types.ts'
import { failureInWords } from '../../world/window/english.ts'
import { sendJson, startScriptedServer } from '../../world/device/scriptedServer.ts'

const imei = '356938035643809'
const iccid = '89883030000000000017'
const ends: (() => unknown)[] = []

afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
})

async function openGateway(options: Partial<GatewayOptions> = {}): Promise<SimulatedGateway> {
  const gateway = await startGateway({
    rateTiers: { data: [{ requests: 1000, perSeconds: 60 }], other: [{ requests: 1000, perSeconds: 60 }] },
    devices: [{ imei, model: 'ft4', iccid, lat: 40.4, lon: -3.7 }],
    delayMs: 0,
    ...options
  })
  ends.push(() => gateway.stop())
  return gateway
}

function openClient(gateway: SimulatedGateway, options: Partial<GatewayClientOptions> & { role?: string } = {}) {
  const account = gateway.accounts.find((candidate) => candidate.role === (options.role ?? 'installer'))
  const client = createGatewayClient({
    url: gateway.url,
    credentials: async () => account && { user: account.user, password: account.password },
    ...options
  })
  ends.push(() => client.close())
  return client
}

function memoryStore() {
  let kept: string | undefined
  return {
    get: async () => kept,
    set: async (token: string | undefined) => {
      kept = token
    }
  }
}

const count = (gateway: SimulatedGateway, operation: string) =>
  gateway.requests.filter((request) => request.operation === operation).length
const whyOf = (gateway: SimulatedGateway) => gateway.violations.map((violation) => violation.why)

test.each([
  [
    503,
    'busy',
    {
      state: 'unreachable',
      hindrance: 'failing',
      detail: {
        id: 'gateway.itSays',
        values: { what: { id: 'gateway.failed', values: { status: 503 } }, words: 'busy' }
      }
    }
  ],
  [404, 'no such record', { state: 'reachable', hindrance: null }],
  [403, 'not for you', { state: 'reachable', hindrance: null }]
])('a gateway that answers with %i: what is said of it', async (status, words, said) => {
  const server = await startScriptedServer(({ path }, response) =>
    path === '/api/login'
      ? sendJson(response, { message: 'ok', app: null, auth: 'the-token' })
      : sendJson(response, { message: words }, status)
  )
  ends.push(() => server.stop())
  const client = createGatewayClient({
    url: `http://${server.address}/api`,
    credentials: async () => ({ user: 'a@example.com', password: 'b' })
  })
  ends.push(() => client.close())
  await expect(client.user.own({})).rejects.toMatchObject({ status })
  expect(await client.status()).toMatchObject(said)
  // It answers: whoever looks for a gateway that is away has nothing to do.
  expect(client.isAnswering()).toBe(true)
})

test('every operation of the gateway document has its method', () => {
  const client = createGatewayClient({ url: 'https://gateway.example/api', credentials: async () => undefined })
  const areas = client as unknown as Record<string, Record<string, unknown> | undefined>
  const missing = [...gatewayEndpoints.keys()].filter((id) => {
    const [area = '', verb = ''] = id.split('.')
    return typeof areas[area]?.[verb] !== 'function'
  })
  expect(missing).toEqual([])
  const engine = createEngineClient({ url: 'https://engine.example' }) as unknown as Record<
    string,
    Record<string, unknown> | undefined
  >
  for (const id of engineEndpoints.keys()) expect(typeof engine['engine']?.[id.split('.')[1] ?? '']).toBe('function')
})

test('the records of the document are read with nothing left over to complain about', async () => {
  const gateway = await openGateway()
  const client = openClient(gateway)
  const readings = [
    await client.version.get(),
    await client.tz.list(),
    await client.user.own(),
    await client.session.list(),
    await client.groups.list(),
    await client.vehicles.list({ set: 5 }),
    await client.devices.get({ imei, select: 'ios_state' }),
    await client.devices.list(),
    await client.sims.get({ id: iccid }),
    await client.sims.list(),
    await client.ibuttons.list(),
    await client.assets.list(),
    await client.labels.list(),
    await client.rawdata.keys(),
    await client.rawdata.query({ duration: 'P1D', tail: 5, order: ['-event_time'] }),
    await client.counters.describe(),
    await client.counters.query({ duration: 'P1D', round: 2 }),
    await client.trips.list({ duration: 'P1D' }),
    await client.trips.keys(),
    await client.geofences.list(),
    await client.triggers.structure(),
    await client.reports.engines()
  ]
  expect(
    readings.filter((reading) => reading.problems.length > 0).map((reading) => [reading.operation, reading.problems])
  ).toEqual([])
  expect(whyOf(gateway)).toEqual([])
  expect(readings[0]?.rateLimit).toMatchObject({ limit: 1000 })
})

test('one sign-in serves many requests that begin together', async () => {
  const gateway = await openGateway()
  const client = openClient(gateway)
  await Promise.all([client.user.own(), client.groups.list(), client.vehicles.list(), client.ibuttons.list()])
  expect(count(gateway, 'session.login')).toBe(1)
})

test('a kept token is used again in the next run, and never at another gateway', async () => {
  const gateway = await openGateway()
  const token = memoryStore()
  await openClient(gateway, { token }).user.own()
  await openClient(gateway, { token }).user.own()
  expect(count(gateway, 'session.login')).toBe(1)
  const other = await openGateway()
  await openClient(other, { token }).user.own()
  expect(count(other, 'session.login')).toBe(1)
  expect(other.requests.every((request) => request.status === 200)).toBe(true)
})

test('an expired session is renewed once, and the requests that met it are repeated', async () => {
  let nowMs = Date.UTC(2026, 10, 20, 9)
  const gateway = await openGateway({ now: () => nowMs })
  const client = openClient(gateway)
  await client.user.own()
  nowMs += 61 * 60_000
  const [vehicles, link] = await Promise.all([
    client.vehicles.list(),
    client.sims.get({ id: iccid }),
    client.groups.list()
  ])
  expect(vehicles.status).toBe(200)
  expect(link.status).toBe(200)
  expect(count(gateway, 'session.login')).toBe(2)
})

test('also what changes something is repeated after a 401, since that proves that it was not applied', async () => {
  let nowMs = Date.UTC(2026, 10, 20, 9)
  const gateway = await openGateway({ now: () => nowMs })
  const client = openClient(gateway)
  const asset = (await client.assets.list()).value.data?.[0]
  nowMs += 61 * 60_000
  await client.ibuttons.create({ id: '00000000FEEDBEEF', entity: asset?.id ?? 0 })
  expect(gateway.state.ibuttons.filter((fob) => fob.id === '00000000FEEDBEEF')).toHaveLength(1)
})

test('a wrong password is told once and not tried again in the background', async () => {
  const gateway = await openGateway()
  let password = 'wrong-one'
  const client = openClient(gateway, { credentials: async () => ({ user: gateway.user, password }) })
  for (let i = 0; i < 3; i++) await expect(client.user.own()).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED' })
  expect(count(gateway, 'session.login')).toBe(1)
  // Nobody but a person who signs in may try it again.
  expect(await client.signIn()).toMatchObject({ kind: 'wrongPassword' })
  expect(count(gateway, 'session.login')).toBe(2)
  password = gateway.password
  expect(await client.signIn()).toEqual({ kind: 'signedIn' })
  await client.user.own()
  expect(count(gateway, 'session.login')).toBe(3)
})

test('without credentials nothing is sent', async () => {
  const gateway = await openGateway()
  const client = openClient(gateway, { credentials: async () => undefined })
  const error = await client.user.own().catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: 'NOT_AUTHENTICATED' })
  expect(error).toMatchObject({ fate: 'notSent' })
  expect(gateway.requests).toEqual([])
  expect(await client.status()).toMatchObject({ state: 'signedOut', user: null })
})

test('a scope that is missing does not lead to one sign-in after the other', async () => {
  const gateway = await openGateway()
  const client = openClient(gateway, { role: 'viewer' })
  await client.user.own()
  const link = () => client.entities.link({ primary_id: 101, secondary_id: 140 })
  await expect(link()).rejects.toMatchObject({ code: expect.stringMatching(/^NOT_(AUTHENTICATED|PERMITTED)$/) })
  await client.user.own()
  await expect(link()).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
  await expect(link()).rejects.toMatchObject({ code: 'NOT_PERMITTED' })
  expect(count(gateway, 'session.login')).toBe(2)
})

test('signing out ends the session at the gateway and forgets the token', async () => {
  const gateway = await openGateway()
  const token = memoryStore()
  const client = openClient(gateway, { token })
  await client.user.own()
  expect(await client.signOut()).toEqual({ isEndedAtGateway: true })
  expect(gateway.state.sessions).toEqual([])
  expect(await token.get()).toBeUndefined()
  expect(whyOf(gateway)).toEqual([])
})

test('a burst over several resources never meets a 429 after the first answer', async () => {
  const gateway = await openGateway({
    rateTiers: { other: [{ requests: 4, perSeconds: 1 }], data: [{ requests: 2, perSeconds: 1 }] }
  })
  const client = openClient(gateway)
  await client.user.own()
  await Promise.all([
    ...Array.from({ length: 5 }, (_, i) => client.vehicles.list({ page: 1, set: i + 1 })),
    ...Array.from({ length: 3 }, () => client.groups.list()),
    ...Array.from({ length: 3 }, (_, i) => client.rawdata.query({ duration: 'PT1H', tail: i + 1 }))
  ])
  expect(gateway.requests.filter((request) => request.status === 429)).toEqual([])
})

test('two tiers at once are both kept', async () => {
  const gateway = await openGateway({
    rateTiers: {
      other: [
        { requests: 3, perSeconds: 1 },
        { requests: 7, perSeconds: 3 }
      ]
    }
  })
  const client = openClient(gateway)
  await client.user.own()
  await Promise.all(Array.from({ length: 9 }, (_, i) => client.vehicles.list({ set: i + 1 })))
  expect(gateway.requests.filter((request) => request.status === 429)).toEqual([])
})

test('a caller that cannot wait for the reset is told when to try again', async () => {
  const gateway = await openGateway({ rateTiers: { other: [{ requests: 2, perSeconds: 30 }] } })
  const client = openClient(gateway)
  await client.user.own()
  await client.user.own()
  const error = await client.user.own({}, { timeoutMs: 1000 }).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: 'RATE_LIMITED', retryable: true })
  expect((error as { retryAtMs: number }).retryAtMs).toBeGreaterThan(Date.now() + 20_000)
  expect(error).toMatchObject({ fate: 'notSent' })
  expect(gateway.requests.filter((request) => request.status === 429)).toEqual([])
})

test('a 429 that comes out of the blue is waited for by a read, and handed on for a write', async () => {
  const gateway = await openGateway()
  const client = openClient(gateway)
  await client.user.own()
  gateway.setFault({ operation: 'groups.list', status: 429, times: 1, resetAfterS: 1 })
  expect((await client.groups.list()).status).toBe(200)
  gateway.setFault({ operation: 'ibuttons.create', status: 429, times: 1, resetAfterS: 1 })
  const error = await client.ibuttons.create({ id: '00000000FEEDBEEF', entity: 1 }).catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAtMs: expect.any(Number) })
  expect(error).toMatchObject({ fate: 'away' })
  expect(whyOf(gateway)).toEqual([])
})

test('the status says when the gateway last answered, and nothing of a limit whose window has ended', async () => {
  let isDown = false
  const server = await startScriptedServer(({ path }, response) => {
    if (isDown) return void response.destroy()
    response.setHeader('X-RateLimit-Limit', '100')
    response.setHeader('X-RateLimit-Remaining', '7')
    response.setHeader('X-RateLimit-Reset', String(Math.floor(Date.now() / 1000) + 2))
    sendJson(response, path === '/api/login' ? { message: 'ok', app: null, auth: 'the-token' } : {})
  })
  ends.push(() => server.stop())
  const client = createGatewayClient({
    url: `http://${server.address}/api`,
    credentials: async () => ({ user: 'a@example.com', password: 'b' })
  })
  ends.push(() => client.close())
  expect((await client.status()).answeredAt).toBeNull()
  const beganMs = Date.now()
  await client.user.own({})
  const answered = await client.status()
  expect(Date.parse(answered.answeredAt ?? '')).toBeGreaterThanOrEqual(beganMs)
  expect(answered.rateLimit).toMatchObject({ limit: 100, remaining: 7 })
  isDown = true
  await expect(client.user.own({})).rejects.toMatchObject({ code: 'UNREACHABLE' })
  expect((await client.status()).answeredAt).toBe(answered.answeredAt)
  await expect.poll(async () => (await client.status()).rateLimit, { timeout: 45_000 }).toBeNull()
})

test('the difference between the clocks is learned from the answers', async () => {
  const gateway = await openGateway({ now: () => Date.now() + 90_000 })
  const client = openClient(gateway)
  expect(client.clockDifferenceS()).toBeNull()
  const beganMs = performance.now()
  await client.tz.list()
  // An answer bounds the difference by its whole seconds and by how long it was under way.
  const tookS = (performance.now() - beganMs) / 1000
  expect(Math.abs((client.clockDifferenceS() ?? 0) - 90)).toBeLessThan(1.1 + tookS)
  expect(await client.status()).toMatchObject({ state: 'reachable', user: gateway.user })
})

test('all pages of a collection are one list', async () => {
  const gateway = await openGateway({ vehicles: 60 })
  const client = openClient(gateway)
  const reading = await invokeGateway(client, 'vehicles.list', { params: { set: '7', select: 'name' } }, { all: true })
  const names = (reading.value as { name: string }[]).map((vehicle) => vehicle.name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBe((await client.vehicles.list({ set: 1 })).value.total)
  expect(reading.problems).toEqual([])
})

test('a list that is longer than the rate limit allows at once is still read to the end', async () => {
  const gateway = await openGateway({ vehicles: 20, rateTiers: { other: [{ requests: 4, perSeconds: 1 }] } })
  const client = openClient(gateway)
  const reading = await invokeGateway(
    client,
    'vehicles.list',
    { params: { set: 2 } },
    { all: true, rateLimitWaitMs: 20_000 }
  )
  expect((reading.value as unknown[]).length).toBeGreaterThan(10)
  expect(gateway.requests.filter((request) => request.status === 429)).toEqual([])
})

test.each([
  ['vehicles.everything', {}, /Known: vehicles\.list, vehicles\.get/],
  ['vehicles.list', { params: { color: 'red' } }, /has no parameter “color”.*select\?/],
  ['ibuttons.create', { params: { id: '0123456789ABCDEF' } }, /belongs in the body/],
  ['ibuttons.create', { body: [] }, /JSON object/],
  [
    'ibuttons.create',
    { body: { id: '0123456789ABCDEF', entity: 1, name: 'x' } },
    /The body of ibuttons\.create has no “name”/
  ],
  ['constructor.call', {}, /no gateway operation/]
])('a call of %s with %j is refused before anything is sent', async (id, input, words) => {
  const gateway = await openGateway({ vehicles: 0 })
  const failure = await failureInWords(invokeGateway(openClient(gateway), id, input))
  expect(failure).toEqual({ code: 'INVALID_REQUEST', words: expect.stringMatching(words) as unknown })
  expect(gateway.requests).toEqual([])
})

test('an operation by its id never shows a session token', async () => {
  const gateway = await openGateway()
  const client = openClient(gateway)
  const list = await invokeGateway(client, 'session.list')
  const login = await invokeGateway(client, 'session.login', {
    body: { username: gateway.user, password: gateway.password }
  })
  const shown = JSON.stringify([list, login])
  for (const { token } of gateway.state.sessions) expect(shown).not.toContain(token)
  expect(shown).not.toContain(gateway.password)
  expect(shown).toContain('[hidden]')
})

test.each([
  ['ibuttons.list', {}],
  ['remote.deviceOutputLog', { imei }]
])('%s by its id gives the plain list that the document shows', async (id, params) => {
  const gateway = await openGateway()
  const reading = await invokeGateway(openClient(gateway), id, { params })
  expect(Array.isArray(reading.value)).toBe(true)
  expect(reading.value).toEqual(reading.raw)
})

test('vehicles are found by id, by name, by plate in another spelling, and not by nonsense', async () => {
  const gateway = await openGateway()
  const client = openClient(gateway)
  const vehicle = gateway.state.vehicles[0]
  const plate = String(vehicle?.info['license_plate'])
  for (const text of [
    String(vehicle?.id),
    vehicle?.name ?? '',
    (vehicle?.name ?? '').toUpperCase(),
    plate,
    plate.toLowerCase().replace(' ', '-')
  ]) {
    const found = await findEntities(client, { kind: 'vehicle', text })
    expect(found.entities.map((entity) => entity.id)).toContain(vehicle?.id)
    expect(found.complete).toBe(true)
  }
  const [choice] = (await findEntities(client, { kind: 'vehicle', text: String(vehicle?.id) })).entities
  expect(choice).toEqual({ id: vehicle?.id, name: vehicle?.name, plate, imei, kind: 'vehicle', assetType: null })
  expect(await findEntities(client, { kind: 'vehicle', text: 'no such van' })).toMatchObject({
    entities: [],
    complete: true
  })
})

test('where the gateway gives no list of assets, an id still works and the rest is said', async () => {
  const gateway = await openGateway({ impliedLists: false })
  const client = openClient(gateway)
  const asset = gateway.state.assets.find((candidate) => candidate.groups.includes(1))
  expect((await findEntities(client, { kind: 'asset', text: String(asset?.id) })).entities).toMatchObject([
    { id: asset?.id, assetType: asset?.type }
  ])
  expect(await findEntities(client, { kind: 'asset', text: 'Nobody' })).toMatchObject({ entities: [], complete: false })
})

test('the vehicle of a device is found and checked against its record', async () => {
  const gateway = await openGateway()
  const client = openClient(gateway)
  const found = await findVehicleOfDevice(client, imei)
  expect(found.vehicle?.id).toBe(gateway.state.vehicles[0]?.id)
  expect(await findVehicleOfDevice(client, '490154203237518')).toEqual({ vehicle: undefined, complete: true })
  await expect(findVehicleOfDevice(client, '123')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

test.each([1, 2, 3, 4, 5, 6])(
  'an association is recognised in whatever form its history has (gateway %i)',
  async (seed) => {
    const gateway = await openGateway({ seed })
    const client = openClient(gateway)
    const vehicle = gateway.state.vehicles[0]
    const asset = gateway.state.assets.find(
      (candidate) => candidate.groups.some((group) => group < 3) && candidate.type === 'driver'
    )
    const since = Date.now() - 2000
    const before = await client.vehicles.get({ id: vehicle?.id ?? 0 })
    expect(hasLinkTo(before.raw, asset?.id ?? 0, since)).toMatchObject({ found: false, sure: true })
    await client.entities.link({ primary_id: vehicle?.id ?? 0, secondary_id: asset?.id ?? 0 })
    const after = await client.vehicles.get({ id: vehicle?.id ?? 0 })
    expect(hasLinkTo(after.raw, asset?.id ?? 0, since)).toMatchObject({ found: true, sure: true })
    expect(hasLinkTo(after.raw, asset?.id ?? 0, Date.now() + 60_000)).toMatchObject({ found: false, sure: true })
  }
)

test('a gateway that answered before and is gone has stopped answering: its address is not doubted', async () => {
  const gateway = await openGateway()
  const client = openClient(gateway)
  await client.user.own()
  await gateway.stop()
  await expect(client.user.own()).rejects.toMatchObject({ code: 'UNREACHABLE' })
  const { detail } = await client.status()
  expect(detail).toMatchObject({ id: 'gateway.stoppedAnswering' })
  await expect(client.user.own()).rejects.toMatchObject({ code: 'UNREACHABLE' })
  expect((await client.status()).detail).toEqual(detail)
  const another = createGatewayClient({ url: gateway.url, credentials: async () => ({ user: 'a', password: 'b' }) })
  ends.push(() => another.close())
  await another.user.own().catch(() => undefined)
  expect((await another.status()).detail).toMatchObject({ id: 'gateway.nothingThere' })
})

test('a gateway that is gone is unreachable, and back when it answers', async () => {
  const gateway = await openGateway()
  const client = openClient(gateway)
  await client.user.own()
  gateway.setOnline(false)
  await expect(client.user.own()).rejects.toMatchObject({ code: 'UNREACHABLE', retryable: true })
  expect(await client.status()).toMatchObject({ state: 'unreachable' })
  gateway.setOnline(true)
  await vi.waitFor(() => client.user.own(), { timeout: 45_000, interval: 50 })
  expect(await client.status()).toMatchObject({ state: 'reachable', scopes: expect.objectContaining({ assets: 'w' }) })
})

test('the device of a record is understood in every form it may have', () => {
  expect(
    [Number(imei), imei, { imei: Number(imei) }, { id: imei }, null, undefined, 7, [imei], { imei: { imei } }].map(
      (device) => deviceImeiOf({ device })
    )
  ).toEqual([imei, imei, imei, imei, null, null, null, null, null])
})
