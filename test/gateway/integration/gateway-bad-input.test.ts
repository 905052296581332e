import { createServer as createPlainServer } from 'node:net'
import { inspect } from 'node:util'
import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createGatewayClient, type GatewayClientOptions } from '../../../main/gateway/client/client.ts'
import { documentedInputs } from '../../../main/gateway/client/request/documentedInputs.ts'
import { gatewayEndpoints, type Endpoint } from '../../../main/gateway/client/request/endpointTable.ts'
import type { FieldKind } from '../../../main/gateway/client/request/fieldKinds.ts'
import { isInsecure } from '../../../main/gateway/client/transport/address.ts'
import { invokeGateway } from '../../../main/gateway/client/request/operations.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { sendJson, startScriptedServer, type ScriptedServer, type Script } from '../../world/device/scriptedServer.ts'
import { english } from '../../world/window/english.ts'

const canaryToken = 'canary-token-7f3a'
const canaryPassword = 'canary-password-9b1c'

let server: ScriptedServer
let script: Script = (_, response) => sendJson(response, {})
let isLoginSpoilt = false
const clients: { close(): void }[] = []
const stray: unknown[] = []
const noteStray = (reason: unknown): void => {
  stray.push(reason)
}

beforeAll(async () => {
  process.on('unhandledRejection', noteStray)
  server = await startScriptedServer((request, response, socket) => {
    if (request.path === '/api/login' && !isLoginSpoilt)
      sendJson(response, { message: 'ok', app: 'fitter', auth: canaryToken })
    else script(request, response, socket)
  })
})
afterAll(async () => {
  process.off('unhandledRejection', noteStray)
  await server.stop()
})
beforeEach(() => {
  server.received.length = 0
  isLoginSpoilt = false
})
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
  expect(stray.splice(0)).toEqual([])
})

function openClient(options: Partial<GatewayClientOptions> = {}) {
  const client = createGatewayClient({
    url: `http://${server.address}/api`,
    credentials: async () => ({ user: 'someone@example.com', password: canaryPassword }),
    timeoutMs: 3000,
    ...options
  })
  clients.push(client)
  return client
}

async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const result = await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error })
  )
  if (!('error' in result)) throw new Error(`it succeeded: ${inspect(result.value)}`)
  expect(result.error).toBeInstanceOf(AppError)
  const shown = inspect(result.error, { depth: 12 })
  expect(shown).not.toContain(canaryToken)
  expect(shown).not.toContain(canaryPassword)
  return result.error as AppError
}

const samples: Record<string, unknown> = {
  id: 1,
  integer: 1,
  imei: '356938035643809',
  number: 1,
  boolean: true,
  text: 'text',
  numberOrText: 'text',
  csv: '1,2',
  fields: 'lat,lon',
  select: 'name',
  time: '2026-11-20T10:00:00',
  duration: 'P1D',
  object: {},
  array: [],
  any: 'x'
}
const special: Record<string, Record<string, unknown>> = {
  'ibuttons.create': { id: '0123456789ABCDEF' },
  'geofences.create': { geometry: { type: 'Circle', radius: 50, coordinates: [0, 0] } },
  'geofences.update': { geometry: { type: 'Circle', radius: 50, coordinates: [0, 0] } },
  'routes.create': {
    checkpoints: [
      { lat: 1, lon: 1, buffer: 9 },
      { lat: 2, lon: 2, buffer: 9 }
    ]
  },
  'routes.update': {
    checkpoints: [
      { lat: 1, lon: 1, buffer: 9 },
      { lat: 2, lon: 2, buffer: 9 }
    ]
  },
  'session.login': { scheme: 'infinite' },
  'rawdata.query': { duration: 'P1D' },
  'counters.query': { duration: 'P1D' },
  'trips.list': { duration: 'P1D' },
  // “On” is refused before anything is sent: it belongs into an output test.
  'remote.output': { state: false },
  'photocam.browse': { _from: '2026-11-19', _to: '2026-11-20' }
}

/** A right input for an operation: what the document requires, and no more. */
function inputOf(endpoint: Endpoint): { params: Record<string, unknown>; body?: Record<string, unknown> } {
  const inputs = documentedInputs(endpoint)
  const sample = (kind: FieldKind): unknown =>
    typeof kind === 'string' ? samples[kind] : (kind as readonly string[])[0]
  const params: Record<string, unknown> = {}
  const body: Record<string, unknown> = {}
  for (const fields of [inputs.path, inputs.query])
    for (const [name, field] of fields) if (field.isRequired) params[name] = sample(field.kind)
  for (const [name, field] of inputs.body) if (field.isRequired && !(name in params)) body[name] = sample(field.kind)
  for (const [name, value] of Object.entries(special[endpoint.id] ?? {}))
    (inputs.body.has(name) ? body : params)[name] = value
  return { params, ...(Object.keys(body).length > 0 ? { body } : {}) }
}

function status(code: number, body: unknown, headers: Record<string, string> = {}): Script {
  return (_, response) => {
    response.writeHead(code, { 'Content-Type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}
const text = (
  response: ServerResponse,
  type: string,
  body: string | Buffer,
  headers: Record<string, string | number> = {}
): void => {
  response.writeHead(200, { 'Content-Type': type, ...headers })
  response.end(body)
}
const portal = '<!doctype html><html><title>Welcome to Free WiFi</title><form>Password</form></html>'
const quote = `no: ${canaryToken} ${canaryPassword}\u0000\n${'x'.repeat(2000)}`

/** What goes wrong, and the codes that it may end with. Whatever the operation, none of these is a success. */
const faults: Record<string, { script: Script; codes: string[] }> = {
  'a redirect': { script: status(302, '', { Location: 'http://127.0.0.1:1/' }), codes: ['UNREADABLE'] },
  'not modified': { script: status(304, ''), codes: ['UNREADABLE'] },
  'a refusal with words': { script: status(400, { message: quote }), codes: ['REFUSED'] },
  'a refusal in a page': { script: status(400, portal, { 'Content-Type': 'text/html' }), codes: ['UNREADABLE'] },
  'no sign-in': { script: status(401, { error: quote }), codes: ['NOT_AUTHENTICATED', 'NOT_PERMITTED'] },
  forbidden: { script: status(403, {}), codes: ['NOT_PERMITTED'] },
  'not found': { script: status(404, '[['), codes: ['NOT_FOUND'] },
  conflict: { script: status(409, null), codes: ['CONFLICT'] },
  'an unusual refusal': { script: status(418, quote), codes: ['REFUSED'] },
  'too many requests': {
    script: status(429, {}, { 'X-RateLimit-Reset': String(Math.floor(Date.now() / 1000) + 900) }),
    codes: ['RATE_LIMITED']
  },
  'a failure': { script: status(500, quote), codes: ['SERVER_ERROR'] },
  'a failing proxy': { script: status(502, portal, { 'Content-Type': 'text/html' }), codes: ['SERVER_ERROR'] },
  'a network that wants a sign-in': { script: status(511, portal), codes: ['UNREADABLE'] },
  'a sign-in page': { script: (_, response) => text(response, 'text/html', portal), codes: ['UNREADABLE'] },
  'a sign-in page that calls itself JSON': {
    script: (_, response) => text(response, 'application/json', portal),
    codes: ['UNREADABLE']
  },
  'JSON that is cut off': {
    script: (_, response) => text(response, 'application/json', '{"data": [{"id": 1}, {"i'),
    codes: ['UNREADABLE']
  },
  'JSON that is nested endlessly': {
    script: (_, response) => text(response, 'application/json', '['.repeat(100_000) + ']'.repeat(100_000)),
    codes: ['UNREADABLE']
  },
  'bytes that are no text': {
    script: (_, response) => text(response, 'application/json', Buffer.from([0xff, 0xfe, 0x00, 0x7b])),
    codes: ['UNREADABLE']
  },
  'a body shorter than announced': {
    script: (_, response, socket) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '5000' })
      response.write('{"data": []}', () => socket.destroy())
    },
    codes: ['UNREACHABLE', 'UNREADABLE']
  },
  'a body that is not packed as it says': {
    script: (_, response) => text(response, 'application/json', 'plain', { 'Content-Encoding': 'gzip' }),
    codes: ['UNREADABLE', 'UNREACHABLE']
  },
  'a broken connection': { script: (_, __, socket) => socket.resetAndDestroy(), codes: ['UNREACHABLE'] },
  'a closed connection': { script: (_, __, socket) => socket.destroy(), codes: ['UNREACHABLE'] },
  'no HTTP': { script: (_, __, socket) => socket.end('SSH-2.0-dropbear\r\n'), codes: ['UNREADABLE', 'UNREACHABLE'] }
}

const operations = [...gatewayEndpoints.values()].map((endpoint) => [endpoint.id, endpoint] as const)

/** Statuses of a sign-in have a meaning of their own. */
const loginCodes = ['NOT_AUTHENTICATED', 'NOT_PERMITTED', 'REFUSED', 'UNREADABLE']

describe.each(Object.entries(faults))('%s', (name, fault) => {
  test('is never a success, of no operation', async () => {
    script = fault.script
    isLoginSpoilt = false
    let client = openClient()
    for (const [id, endpoint] of operations) {
      if (id === 'session.login') continue
      if (name === 'too many requests') client = openClient()
      const error = await failureOf(invokeGateway(client, id, inputOf(endpoint)))
      expect([name, id, error.code, fault.codes.includes(error.code)]).toEqual([name, id, error.code, true])
      expect(english(error.sentence).length).toBeLessThan(700)
      expect(english(error.sentence)).not.toMatch(/[\u0000-\u001f]/)
    }
    const isBySomebodyElse = /redirect|not modified|wants a sign-in|sign-in page|in a page/.test(name)
    // What changes something went out once, and once more only after a 401.
    const perWrite = new Map<string, number>()
    for (const { method, path } of server.received)
      if (method !== 'GET') perWrite.set(`${method} ${path}`, (perWrite.get(`${method} ${path}`) ?? 0) + 1)
    perWrite.delete('POST /api/login')
    // While another than the gateway answers, nothing that matters goes out at all.
    if (perWrite.size > 0 || !isBySomebodyElse)
      expect(Math.max(...perWrite.values())).toBe(name === 'no sign-in' ? 2 : 1)
  })

  test('at the sign-in leaves the request unsent', async () => {
    script = fault.script
    isLoginSpoilt = true
    const client = openClient()
    const error = await failureOf(client.ibuttons.create({ id: '0123456789ABCDEF', entity: 1 }))
    expect([...fault.codes, ...loginCodes]).toContain(error.code)
    expect(['notSent', 'refused']).toContain(error.fate)
    // A look at who answers carries nothing.
    expect(server.received.filter((request) => request.path !== '/api/login' && request.path !== '/api')).toEqual([])
    expect(
      server.received.filter(
        (request) => request.path === '/api' && ('authenticate' in request.headers || request.body !== '')
      )
    ).toEqual([])
  })
})

test('silence ends with a time-out, and a write may have been applied', async () => {
  script = () => undefined
  await Promise.all(
    operations.map(async ([id, endpoint]) => {
      if (id === 'session.login') return
      // All sign in at once, which takes a busy computer longer than one sign-in may take.
      const client = openClient({ timeoutMs: 30_000 })
      await client.signIn()
      const error = await failureOf(invokeGateway(client, id, inputOf(endpoint), { timeoutMs: 500 }))
      expect([id, error.code, error.retryable]).toEqual([id, 'TIMEOUT', true])
      expect([id, error.fate]).toEqual([id, endpoint.mutates ? 'unknown' : 'away'])
    })
  )
})

test('a body that drips without an end is given up in time', async () => {
  script = (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    const drip = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(drip))
  }
  const error = await failureOf(openClient().user.own({}, { timeoutMs: 400 }))
  expect(error.code).toBe('TIMEOUT')
})

test.each([
  ['a text', '"done"'],
  ['a number', '42'],
  ['null', 'null'],
  ['true', 'true']
])('%s instead of a record is unreadable wherever the document shows a form', async (_, body) => {
  script = (_request, response) => text(response, 'application/json', body)
  const client = openClient()
  const shown = [
    client.vehicles.list(),
    client.vehicles.get({ id: 1 }),
    client.devices.get({ imei: '356938035643809' }),
    client.rawdata.query({ duration: 'P1D' }),
    client.ibuttons.list(),
    client.labels.list(),
    client.photocam.last({ vid: 1 }),
    client.photocam.capture({ vid: 1 }),
    client.remote.output({ vid: 1, otype: 'e', out: 1, state: true }),
    client.remote.outputLog({ id: 1 }),
    client.counters.ofVehicle({ vid: 1 }),
    client.assets.create({ name: 'x', type: 'driver' })
  ]
  for (const error of await Promise.all(shown.map(failureOf))) expect(error).toMatchObject({ code: 'UNREADABLE' })
})

test('a record with wrong fields keeps the rest and names what could not be read', async () => {
  script = (_, response) =>
    sendJson(response, {
      set: 'many',
      data: [
        { id: 1, name: 7, info: { plate: 'X' }, device: { imei: 'broken' } },
        { name: 'no id' },
        null,
        'text',
        { id: '2' }
      ]
    })
  const reading = await openClient().vehicles.list()
  expect(reading.value.data).toEqual([
    { id: 1, info: { plate: 'X' }, device: { imei: 'broken' } },
    { name: 'no id' },
    {}
  ])
  expect(reading.problems).toHaveLength(6)
  expect(reading.problems.map(english).join('\n')).toMatch(/set: .*\n.*data\[0\]\.name: /)
  expect(JSON.stringify(reading.raw)).toContain('"many"')
})

test.each([
  ['guzzle/guzzle#310', 'application/json; charset=ISO-8859-1', Buffer.from('{"id": 1, "name": "Cañón"}', 'latin1')],
  ['dart-lang/http#175', 'application/json', Buffer.from('{"id": 1, "name": "Cañón"}')],
  ['a name that nobody knows', 'application/json; charset=unknown-9', Buffer.from('{"id": 1, "name": "Cañón"}')]
])('letters are read as the server says, %s: %s', async (_, type, body) => {
  script = (_request, response) => text(response, type, body)
  expect((await openClient().vehicles.get({ id: 1 })).value.name).toBe('Cañón')
})

test('keys that would change an object are kept as data only', async () => {
  script = (_, response) =>
    text(
      response,
      'application/json',
      '{"id": 1, "__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}'
    )
  const reading = await openClient().vehicles.get({ id: 1 })
  expect(reading.value.id).toBe(1)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test.each([
  ['with its number', { set: 2, page: 1, pages: 1000, total: 2000, data: [{ id: 1 }, { id: 2 }] }],
  ['without a number', { pages: 1000, data: [{ id: 1 }, { id: 2 }] }],
  ['as a plain list', [{ id: 1 }, { id: 2 }]]
])('a page that comes again and again, %s, ends the walk, and the list is not called complete', async (_, page) => {
  script = (_request, response) => sendJson(response, page)
  const reading = await invokeGateway(openClient(), 'vehicles.list', { params: { set: 2 } }, { all: true })
  expect(reading.value).toEqual([{ id: 1 }, { id: 2 }])
  expect(reading.problems.map(english).join()).toMatch(/the gateway sent the same page twice/)
  expect(server.received.length).toBeLessThan(6)
})

test('a total that changes meanwhile neither ends the walk early nor doubles an item', async () => {
  script = (request, response) => {
    const page = Number(new URL(request.path, 'http://x').searchParams.get('page'))
    const pages: Record<number, object> = {
      1: { page: 1, pages: 2, total: 4, data: [{ id: 1 }, { id: 2 }] },
      2: { page: 2, pages: 3, total: 5, data: [{ id: 2 }, { id: 3 }] },
      3: { page: 3, pages: 3, total: 5, data: [{ id: 4 }] }
    }
    sendJson(response, pages[page] ?? { page, pages: 3, total: 5, data: [] })
  }
  const reading = await invokeGateway(openClient(), 'vehicles.list', { params: { set: 2 } }, { all: true })
  expect(reading.value).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }])
  expect(reading.problems).toEqual([])
})

test.each(['', 'two words', 'line\nbreak', 'ünï', 5, null, {}])(
  'a token such as %j at the sign-in is none',
  async (auth) => {
    isLoginSpoilt = true
    script = (_, response) => sendJson(response, { message: 'ok', auth })
    expect(await failureOf(openClient().user.own())).toMatchObject({ code: 'UNREADABLE' })
  }
)

test('an empty answer to a write is accepted where the document shows none, and said where it shows one', async () => {
  script = (_, response) => response.writeHead(204).end()
  const client = openClient()
  expect(await client.geofences.delete({ id: 1 })).toMatchObject({ status: 204, problems: [], raw: null })
  expect(await client.ibuttons.create({ id: '0123456789ABCDEF', entity: 1 })).toMatchObject({
    status: 204,
    problems: []
  })
  script = (_, response) => response.writeHead(200).end()
  expect((await client.remote.output({ vid: 1, otype: 'e', out: 1, state: true })).problems.map(english)).toEqual([
    'the answer has no body'
  ])
  expect(await failureOf(client.vehicles.list())).toMatchObject({ code: 'UNREADABLE' })
})

test('files come as they are, and a page is a file only where one was asked for', async () => {
  const client = openClient()
  script = (_, response) => text(response, 'text/csv; charset=utf-8', 'id,lat\n1,2\n')
  expect((await client.rawdata.query({ duration: 'P1D', export: 'csv' })).raw).toEqual({
    mediaType: 'text/csv; charset=utf-8',
    text: 'id,lat\n1,2\n'
  })
  script = (_, response) => text(response, 'application/pdf', Buffer.from([0, 255, 1]))
  expect((await client.reports.file({ job_id: 'j', file: 'r.pdf' })).raw).toEqual({
    mediaType: 'application/pdf',
    base64: 'AP8B'
  })
  script = (_, response) => text(response, 'text/html', portal)
  expect((await client.jobs.data({ job_id: 'j', format: 'html' })).raw).toMatchObject({ text: portal })
  expect(await failureOf(client.rawdata.query({ duration: 'P1D', export: 'csv' }))).toMatchObject({
    code: 'UNREADABLE'
  })
})

test('a connection that is refused was provably not used, one that broke may have been', async () => {
  const idle = createPlainServer()
  await new Promise<void>((resolve) => idle.listen(0, '127.0.0.1', resolve))
  const { port } = idle.address() as { port: number }
  await new Promise((resolve) => idle.close(resolve))
  const token = { get: async () => undefined, set: async () => undefined }
  const refused = await failureOf(
    openClient({ url: `http://127.0.0.1:${port}/api`, token }).session.login({ username: 'x', password: 'y' })
  )
  expect([refused.code, refused.fate]).toEqual(['UNREACHABLE', 'notSent'])

  script = (_, __, socket) => socket.resetAndDestroy()
  const broken = await failureOf(openClient().entities.link({ primary_id: 1, secondary_id: 2 }))
  expect([broken.code, broken.fate]).toEqual(['UNREACHABLE', 'unknown'])
  const brokenRead = await failureOf(openClient().vehicles.list())
  expect([brokenRead.code, brokenRead.fate]).toEqual(['UNREACHABLE', 'away'])
})

test('a name that nobody knows was provably not reached', async () => {
  const error = await failureOf(
    openClient({ url: 'https://gateway.invalid/api' }).session.login({ username: 'x', password: 'y' })
  )
  expect(['UNREACHABLE', 'TIMEOUT']).toContain(error.code)
  if (error.code === 'UNREACHABLE') expect(error.fate).toBe('notSent')
})

test('cancelling ends the wait at once, and tells whether it may have been applied', async () => {
  script = () => undefined
  const client = openClient()
  await client.signIn()
  const stop = new AbortController()
  const work = failureOf(client.entities.link({ primary_id: 1, secondary_id: 2 }, { signal: stop.signal }))
  await expect.poll(() => server.received.some((request) => request.path === '/api/entities/link')).toBe(true)
  stop.abort()
  const error = await work
  expect([error.code, error.fate]).toEqual(['CANCELLED', 'unknown'])
  const before = server.received.length
  const never = await failureOf(client.entities.link({ primary_id: 1, secondary_id: 2 }, { signal: stop.signal }))
  expect([never.code, never.fate]).toEqual(['CANCELLED', 'notSent'])
  expect(server.received.length).toBe(before)
})

test('a write never uses a connection again', async () => {
  const connections = new Set<unknown>()
  script = (_, response, socket) => {
    connections.add(socket)
    sendJson(response, {})
  }
  const client = openClient()
  for (let i = 0; i < 3; i++) await client.entities.link({ primary_id: 1, secondary_id: 2 })
  expect(connections.size).toBe(3)
  expect(
    server.received
      .filter((request) => request.path === '/api/entities/link')
      .every((request) => request.headers.connection === 'close')
  ).toBe(true)
})

test('the token travels in its header and the password in the sign-in only', async () => {
  script = (_, response) => sendJson(response, { id: 1 })
  await openClient().user.own()
  const [login, own] = server.received
  expect(login?.headers['authenticate']).toBeUndefined()
  expect(own?.headers['authenticate']).toBe(canaryToken)
  expect(own?.headers['authorization']).toBeUndefined()
  expect(JSON.stringify(own)).not.toContain(canaryPassword)
})

test.each([
  'http://gateway.example/api',
  'http://10.1.2.3.gateway.example/api',
  'http://172.32.0.1/api',
  'http://[2001:db8::1]/api',
  'ftp://gateway.example/api',
  'https://user:secret@gateway.example/api',
  'https://gateway.example/api?x=1',
  'gateway.example',
  ''
])('%s is no gateway address', (url) => {
  expect(() => createGatewayClient({ url, credentials: async () => undefined })).toThrow(
    expect.objectContaining({ code: 'INVALID_REQUEST' })
  )
})

test.each([
  'https://gateway.example/api',
  'https://gateway.example/site/api/',
  'http://127.0.0.1:8080/api',
  'http://[::1]:80/api',
  'http://localhost/api',
  'http://10.77.1.1:8080/api',
  'http://172.16.0.9/api',
  'http://192.168.8.1/api',
  'http://[fd12::1]/api',
  'http://[fe80::1]/api'
])('%s is a gateway address', (url) => {
  expect(createGatewayClient({ url, credentials: async () => undefined }).url).toBe(
    url.replace(/\/$/, '').replace(':80/', '/')
  )
})

test.each([
  ['https://gateway.example/api', false],
  ['http://127.0.0.1:8080/api', false],
  ['http://localhost/api', false],
  ['http://192.168.8.1/api', true],
  ['', false]
])('what is asked without encryption on a network is said: %s', (url, isWarned) => {
  expect(isInsecure(url)).toBe(isWarned)
})
