import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { createDeviceClient, type DeviceClient } from '../../../main/device/client/client.ts'
import { findEndpoint } from '../../../main/device/client/endpoints.ts'
import { AppError, type ErrorCode, type Fate } from '../../../preload/contract/errors.ts'
import { callOperation, deviceInputs, deviceOperationIds } from '../../world/device/deviceInputs.ts'
import { documentedShapes } from '../../world/device/deviceShapes.ts'
import { sendJson, startScriptedServer, type Script } from '../../world/device/scriptedServer.ts'
import { english } from '../../world/window/english.ts'

const undocumented = deviceOperationIds.filter((id) => !(id in documentedShapes))
const credentials = { user: 'installer', password: 'basic-marker-7736' }

async function openAgainst(script: Script, timeoutMs = 5_000): Promise<DeviceClient> {
  const server = await startScriptedServer(script)
  onTestFinished(() => server.stop())
  onTestFinished(() => vi.waitFor(() => expect(server.openConnections()).toBe(0), { timeout: 45_000, interval: 5 }))
  return createDeviceClient({ address: server.address, credentials: () => Promise.resolve(credentials), timeoutMs })
}

async function failureOf(call: Promise<unknown>): Promise<AppError> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error })
  )
  if (!('error' in outcome)) throw new Error(`Succeeded with ${inspect(outcome.value)}`)
  expect(outcome.error).toBeInstanceOf(AppError)
  return outcome.error as AppError
}

/** Every marker that went out with a request: none may come back in an error, in any corner of it. */
function expectNoSecrets(error: AppError): void {
  const whole = inspect(error, { depth: 20, showHidden: true }) + String(error.stack)
  expect(whole).not.toMatch(/marker-77|48151/)
  expect(whole).not.toContain(Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64'))
  expect(whole).not.toMatch(/axios/i)
}

interface Scenario {
  name: string
  script: Script
  code: ErrorCode
  timeoutMs?: number
}

const status =
  (code: number, body: unknown = { error: 'because' }): Script =>
  (_, response) =>
    sendJson(response, body, code)
const page = '<!DOCTYPE html><html><head><title>Welcome</title></head><body>Accept our terms</body></html>'

const failing: Scenario[] = [
  { name: 'never answers', script: () => undefined, code: 'TIMEOUT', timeoutMs: 150 },
  {
    name: 'sends its answer one byte at a time, for ever',
    script: (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      const timer = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(timer))
    },
    code: 'TIMEOUT',
    timeoutMs: 60
  },
  { name: 'resets the connection', script: (_, __, socket) => socket.resetAndDestroy(), code: 'UNREACHABLE' },
  { name: 'closes without a word', script: (_, __, socket) => socket.destroy(), code: 'UNREACHABLE' },
  {
    name: 'breaks off in the middle of its answer',
    script: (_, response, socket) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '500' })
      response.write('{"coords": {', () => socket.destroy())
    },
    code: 'UNREACHABLE'
  },
  {
    name: 'speaks another protocol',
    script: (_, __, socket) => socket.end('SSH-2.0-Server\r\n\r\n'),
    code: 'UNREADABLE'
  },
  {
    name: 'shows the page of a captive portal',
    script: (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(page),
    code: 'UNREADABLE'
  },
  {
    name: 'shows a page under the content type of JSON',
    script: (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(`\n<!-- x -->\n<html><bo`),
    code: 'UNREADABLE'
  },
  {
    name: 'redirects to a portal',
    script: (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/portal' }).end(),
    code: 'UNREADABLE'
  },
  { name: 'asks for a sign-in to its network (511)', script: status(511), code: 'UNREADABLE' },
  { name: 'is a proxy that wants a password (407)', script: status(407), code: 'UNREADABLE' },
  {
    name: 'shows a page that is blocked (451)',
    script: (_, response) => response.writeHead(451, { 'Content-Type': 'text/html' }).end(page),
    code: 'UNREADABLE'
  },
  {
    name: 'sends 30 MB',
    script: (_, response) => {
      const block = Buffer.alloc(1024 * 1024, '[1,2],')
      response.writeHead(200, { 'Content-Type': 'application/json' })
      let left = 30
      const send = (): void => {
        while (left > 0 && !response.destroyed) {
          left--
          if (!response.write(block)) return void response.once('drain', send)
        }
        response.end()
      }
      send()
    },
    code: 'UNREADABLE'
  },
  { name: 'refuses as invalid (400)', script: status(400), code: 'REFUSED' },
  {
    name: 'refuses the credentials with the documented 401',
    script: status(401, {
      error: {
        error: { killed: false, code: 1, signal: null, cmd: 'check installer login-marker-7731 basic-marker-7736' },
        errorText: 'failed for login-marker-7731',
        output: '{"error":"Invalid Username or Password"}'
      }
    }),
    code: 'NOT_AUTHENTICATED'
  },
  { name: 'forbids (403)', script: status(403), code: 'NOT_PERMITTED' },
  {
    name: 'does not know the operation (404)',
    script: ({ path }, response) => response.writeHead(404).end(path.endsWith('/system-info') ? '{}' : page),
    code: 'NOT_FOUND'
  },
  { name: 'finds a conflict (409)', script: status(409), code: 'CONFLICT' },
  { name: 'wants a pause (429)', script: status(429), code: 'RATE_LIMITED' },
  {
    name: 'fails (500) and repeats the whole request',
    script: ({ path, body, headers }, response) =>
      sendJson(response, { error: `cannot ${decodeURIComponent(path)} ${path} ${body} ${headers.authorization}` }, 500),
    code: 'SERVER_ERROR'
  },
  { name: 'fails with a page (502)', script: (_, response) => response.writeHead(502).end(page), code: 'SERVER_ERROR' }
]

/** What a failure says about the request: nobody may repeat blindly what can have been applied. */
function fateOf(code: ErrorCode, id: string): Fate {
  if (['REFUSED', 'NOT_PERMITTED', 'NOT_FOUND', 'CONFLICT'].includes(code)) return 'refused'
  if (code === 'NOT_AUTHENTICATED' || code === 'RATE_LIMITED') return 'away'
  return findEndpoint(id).mutates ? 'unknown' : 'away'
}

describe.each(failing)('Against a server that $name', ({ script, code, timeoutMs }) => {
  it.each(deviceOperationIds)(`%s fails with ${code} and gives no secret away`, async (id) => {
    let isReceived = false
    const client = await openAgainst((...request) => {
      isReceived = true
      script(...request)
    }, timeoutMs)
    const error = await failureOf(callOperation(client, id))
    expect(error.code).toBe(code)
    // On a busy computer the time may be up before the connection stands.
    if (error.fate === 'notSent') expect(isReceived).toBe(false)
    else expect(error.fate).toBe(fateOf(code, id))
    expect(english(error.sentence)).toMatch(/^[A-Z0-9].*\.$/)
    expectNoSecrets(error)
  })
})

const storedIds = ['modem.information', 'modem.configuration', 'accel.state', 'accel.configuration']

describe.each([
  ['cut JSON', '{"coords": {"latitude": 1'],
  ['nothing at all', ''],
  ['plain text', 'OK'],
  ['a number', '42'],
  ['null', 'null'],
  ['a list that never ends', '['.repeat(50_000)]
])('Where %s comes instead of the documented answer', (_, body) => {
  const script: Script = (__, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(body)

  // A key that a device has not stored yet is null there, and no fault.
  it.each(Object.keys(documentedShapes).filter((id) => body !== 'null' || !storedIds.includes(id)))(
    '%s is unreadable',
    async (id) => {
      const client = await openAgainst(script)
      expect((await failureOf(callOperation(client, id))).code).toBe('UNREADABLE')
    }
  )

  it.each(undocumented)('%s, whose answer is not documented, keeps it as it came', async (id) => {
    const client = await openAgainst(script)
    const reading = await callOperation(client, id)
    expect(reading.problems).toEqual([])
    expect(reading.raw).toEqual(body === '42' ? 42 : body === 'null' ? null : body)
  })
})

type Make = (schema: z.ZodType) => unknown

function fill(schema: z.ZodType, leaf: Make): unknown {
  if (schema instanceof z.ZodOptional) return fill(schema.unwrap() as z.ZodType, leaf)
  if (schema instanceof z.ZodUnion) return fill(schema.options[0] as z.ZodType, leaf)
  if (schema instanceof z.ZodArray) return [fill(schema.element as z.ZodType, leaf)]
  if (!(schema instanceof z.ZodObject)) return leaf(schema)
  return Object.fromEntries(Object.entries(schema.shape).map(([key, field]) => [key, fill(field as z.ZodType, leaf)]))
}

const right: Make = (schema) => (schema instanceof z.ZodString ? '7' : schema instanceof z.ZodNumber ? 7 : true)
/** Values that are possible in the documented unit: a battery in mV, a computer's memory in bytes. */
const plausible: Readonly<Record<string, number>> = { 'io.all': 4_051, 'system.info': 1_000_000_000 }
const wrong: Make = (schema) => (schema instanceof z.ZodUnknown ? null : schema instanceof z.ZodString ? 7 : 'seven')
function countLeaves(schema: z.ZodType): number {
  let leaves = 0
  fill(schema, (leaf) => (leaf instanceof z.ZodUnknown ? 0 : leaves++))
  return leaves
}

describe.each(Object.entries(documentedShapes))('%s', (id, schema) => {
  it('reads the documented fields, whatever the content type says, and keeps fields that nobody documented', async () => {
    const answer = fill(schema, (leaf) => (leaf instanceof z.ZodNumber ? (plausible[id] ?? 7) : right(leaf)))
    const first = (Array.isArray(answer) ? answer[0] : answer) as Record<string, unknown>
    first.invented = { deep: [1] }
    if (id === 'system.info') Object.assign(first.cpu as object, { currF: 1_000_000 })
    const client = await openAgainst((_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end(`\uFEFF${JSON.stringify(answer)}`)
    )
    const reading = await callOperation(client, id)
    expect(reading.problems).toEqual([])
    expect(reading.value).toEqual(id === 'hotspot.state' ? { ...first, pass: '********' } : answer)
    expect(reading).toMatchObject({ operation: id, status: 200 })
  })

  it('names every field that has the wrong type, and none of them gets a value', async () => {
    const leaves = countLeaves(schema)
    const client = await openAgainst((_, response) => sendJson(response, fill(schema, wrong)))
    if (id === 'auth.login') return void expect((await failureOf(callOperation(client, id))).code).toBe('UNREADABLE')
    const reading = await callOperation(client, id)
    expect(reading.problems).toHaveLength(leaves)
    for (const problem of reading.problems)
      expect(english(problem)).toMatch(/^[\w.[\]]+: expected (text|number|true or false), got (text|number)$/)
    expect(JSON.stringify(reading.value)).not.toMatch(/"seven"|:7/)
  })

  it('takes fields that nobody documented for no answer', async () => {
    const client = await openAgainst((_, response) =>
      sendJson(response, schema instanceof z.ZodArray ? [{ invented: 1 }] : { invented: 1 })
    )
    if (id === 'auth.login') return void expect((await failureOf(callOperation(client, id))).code).toBe('UNREADABLE')
    const reading = await callOperation(client, id)
    expect(JSON.stringify(reading.value)).toMatch(/^(\{\}|\[\])$/)
    expect(reading.problems.length).toBeGreaterThan(0)
    expect(JSON.stringify(reading.raw)).toContain('invented')
  })

  it('says what is missing from an empty answer, or that it proves nothing', async () => {
    const client = await openAgainst((_, response) => sendJson(response, {}))
    if (id === 'auth.login' || id === 'apps.list') {
      expect((await failureOf(callOperation(client, id))).code).toBe('UNREADABLE')
      return
    }
    const reading = await callOperation(client, id)
    expect(reading.value).toEqual({})
    expect(reading.problems.length).toBeGreaterThan(0)
    for (const problem of reading.problems) expect(english(problem)).toMatch(/got nothing$/)
  })
})

describe('An answer that tries to harm', () => {
  it('cannot reach the prototype of objects through a field called __proto__', async () => {
    const client = await openAgainst((_, response: ServerResponse) =>
      response.end(
        '{"__proto__": {"polluted": true}, "state": "Enabled", "constructor": {"prototype": {"polluted": true}}}'
      )
    )
    const reading = await client.hotspot.state()
    expect(reading.value.state).toBe('Enabled')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect((reading.value as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('does not get the secrets of the request into the kept answer', async () => {
    const client = await openAgainst((request, response) =>
      sendJson(response, { echo: decodeURIComponent(request.path) + request.path + request.body })
    )
    for (const id of Object.keys(deviceInputs).filter((each) => !(each in documentedShapes))) {
      expect(JSON.stringify(await callOperation(client, id))).not.toMatch(/marker-77|48151/)
    }
  })

  it('cannot exhaust the stack by nesting its fields a hundred thousand levels deep', async () => {
    const deep = `{"state": "Enabled", "invented": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const client = await openAgainst((_, response) => response.end(deep))
    expect((await client.hotspot.state()).value.state).toBe('Enabled')
    expect(JSON.stringify((await client.wifi.start()).raw)).toContain('nested too deep')
  })

  it('cannot hold the client up with a hundred thousand comments', async () => {
    const client = await openAgainst((_, response) => response.end('<!-- -->'.repeat(100_000)))
    // What it costs, and not how long others keep the processor meanwhile.
    const before = process.cpuUsage()
    expect((await failureOf(client.gps.position())).code).toBe('UNREADABLE')
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000)
  })

  it('is not offered for a blind repeat where the request changes something', async () => {
    const client = await openAgainst((_, __, socket) => socket.destroy())
    expect(await failureOf(client.wifi.stop())).toMatchObject({ retryable: false })
    expect(await failureOf(client.wifi.state())).toMatchObject({ retryable: true })
  })

  it('may be repeated where no connection was made: nothing was sent', async () => {
    const server = await startScriptedServer(() => undefined)
    await server.stop()
    const client = createDeviceClient({ address: server.address })
    expect(await failureOf(client.wifi.stop())).toMatchObject({ code: 'UNREACHABLE', retryable: true, fate: 'notSent' })
  })

  it('tells whether a cancelled request may have been applied', async () => {
    const stop = new AbortController()
    const client = await openAgainst(() => stop.abort())
    expect(await failureOf(client.wifi.stop({ signal: stop.signal }))).toMatchObject({
      code: 'CANCELLED',
      fate: 'unknown'
    })
    expect(await failureOf(client.wifi.stop({ signal: stop.signal }))).toMatchObject({
      code: 'CANCELLED',
      fate: 'notSent'
    })
  })
})

it.each([
  [403, page, 'UNREADABLE'],
  [404, page, 'UNREADABLE'],
  [404, '{"error": "not found"}', 'NOT_FOUND'],
  [403, '{"error": "forbidden"}', 'NOT_PERMITTED']
])(
  'a router that answers %i with %s where every device has an answer is not called a device',
  async (code, body, expected) => {
    const client = await openAgainst((_, response) =>
      response.writeHead(code, { 'Content-Type': 'text/html' }).end(body)
    )
    expect((await failureOf(client.system.info())).code).toBe(expected)
  }
)

it('a page for an operation that a device does not know is no other service', async () => {
  const client = await openAgainst((_, response) =>
    response
      .writeHead(404, { 'Content-Type': 'text/html' })
      .end('<!DOCTYPE html><html><pre>Cannot GET /gps/assist</pre></html>')
  )
  expect((await failureOf(client.gps.position())).code).toBe('NOT_FOUND')
})
