// @module-tag long
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createDeviceClient, type DeviceClient } from '../../../main/device/client/client.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { startSimulation } from '../../../simulator/simulation.ts'
import { callOperation, deviceOperationIds } from '../../world/device/deviceInputs.ts'
import { documentedShapes } from '../../world/device/deviceShapes.ts'
import { startScriptedServer, type ScriptedServer } from '../../world/device/scriptedServer.ts'

const casesPerOperation = 110
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_120)

interface Answer {
  status: number
  contentType: string
  body: string
  ending: 'whole' | 'cut' | 'reset'
}

const good = new Map<string, unknown>()
let server: ScriptedServer
let client: DeviceClient
let answer: Answer = { status: 200, contentType: 'application/json', body: '{}', ending: 'whole' }

beforeAll(async () => {
  const simulation = await startSimulation({ devices: 1, gateway: false, mdns: false, openSystemInfo: true })
  const [device] = simulation.devices
  if (!device) throw new Error('The simulator started without a device')
  const headers = { authorization: `Basic ${Buffer.from(`${device.user}:${device.password}`).toString('base64')}` }
  const paths: Record<string, string> = {
    'gps.position': '/gps/position',
    'eth.state': '/eth/state',
    'wifi.state': '/wifi/state',
    'wifi.list': '/wifi/list',
    'wifi.scan': '/wifi/scan',
    'hotspot.list': '/hotspot/list',
    'hotspot.state': '/hotspot/state',
    'modem.information': '/storage/hgetall/modem_information',
    'modem.configuration': '/storage/hgetall/modem_configuration',
    'io.all': '/IO/all',
    'accel.state': '/storage/hgetall/accel_current_state',
    'accel.configuration': '/storage/hgetall/accel_configuration',
    'system.info': '/system-info',
    'apps.list': '/apps-manager'
  }
  for (const [id, path] of Object.entries(paths))
    good.set(id, await (await fetch(device.url + path, { headers })).json())
  await simulation.stop()

  server = await startScriptedServer((_request, response, socket) => {
    if (answer.ending === 'reset') return void socket.resetAndDestroy()
    const bytes = Buffer.from(answer.body, 'utf8')
    response.writeHead(answer.status, {
      'Content-Type': answer.contentType,
      'Content-Length': String(bytes.length + (answer.ending === 'cut' ? 50 : 0))
    })
    if (answer.ending === 'cut')
      return void response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => socket.destroy())
    response.end(bytes)
  })
  client = createDeviceClient({
    address: server.address,
    credentials: () => Promise.resolve({ user: 'u', password: 'basic-marker-7736' })
  })
})
afterAll(() => server.stop())

/** A good answer with one to three of its values dropped, renamed or given another type. */
function spoil(value: unknown, choices: number[]): unknown {
  const copy: unknown = structuredClone(value)
  for (const choice of choices) {
    let at = copy
    let pick = choice
    for (let depth = 0; depth < 4 && typeof at === 'object' && at !== null; depth++) {
      const keys = Object.keys(at)
      const key = keys[pick % Math.max(1, keys.length)]
      if (key === undefined) break
      const holder = at as Record<string, unknown>
      const inner = holder[key]
      pick = Math.floor(pick / 7)
      if (typeof inner === 'object' && inner !== null && pick % 3 !== 0) {
        at = inner
        continue
      }
      const replacements = [null, 'text', 12, true, [], {}, -1e308, '', undefined]
      const replacement = replacements[pick % replacements.length]
      if (replacement === undefined) delete holder[key]
      else holder[key] = replacement
      break
    }
  }
  return copy
}

/** Every value that a reading shows must have its documented type; what has not must be missing, with a problem. */
function wrongPlaces(schema: z.ZodType, value: unknown, path: string): string[] {
  if (value === undefined) return []
  if (schema instanceof z.ZodUnion) {
    return schema.options.some((option) => wrongPlaces(option as z.ZodType, value, path).length === 0) ? [] : [path]
  }
  if (schema instanceof z.ZodObject) {
    if (typeof value !== 'object' || value === null) return [path]
    const shape = schema.shape as Record<string, z.ZodType>
    return Object.entries(shape).flatMap(([key, inner]) =>
      wrongPlaces(inner, (value as Record<string, unknown>)[key], `${path}.${key}`)
    )
  }
  if (schema instanceof z.ZodArray) {
    if (!Array.isArray(value)) return [path]
    return value.flatMap((item, index) => wrongPlaces(schema.element as z.ZodType, item, `${path}[${index}]`))
  }
  return schema.safeParse(value).success ? [] : [path]
}

const answers = (id: string) =>
  fc.record({
    status: fc.oneof(
      { weight: 6, arbitrary: fc.constant(200) },
      fc.constantFrom(201, 204, 301, 302, 400, 401, 403, 404, 409, 418, 429, 500, 502, 503)
    ),
    contentType: fc.oneof(
      { weight: 4, arbitrary: fc.constant('application/json') },
      fc.constantFrom('text/html', 'text/plain', 'application/octet-stream', 'image/png', '')
    ),
    body: fc.oneof(
      {
        weight: 5,
        arbitrary: fc
          .array(fc.nat(), { minLength: 1, maxLength: 3 })
          .map((choices) => JSON.stringify(spoil(good.get(id) ?? { result: 'OK' }, choices)))
      },
      { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
      fc.string(),
      fc.constantFrom(
        '',
        '{',
        '[',
        'null',
        '<!doctype html><title>Sign in</title>',
        '\uFEFF{}',
        '{"__proto__": {"x": 1}}'
      )
    ),
    ending: fc.oneof(
      { weight: 8, arbitrary: fc.constant('whole' as const) },
      fc.constantFrom('cut' as const, 'reset' as const)
    )
  })

it.each(deviceOperationIds)(
  `%s: ${casesPerOperation} random answers end in a typed reading or a typed error, never in a false pass`,
  async (id) => {
    await fc.assert(
      fc.asyncProperty(answers(id), async (given) => {
        answer = given
        let reading
        try {
          reading = await callOperation(client, id)
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
          expect(String((error as AppError).message)).not.toContain('marker-77')
          expect((error as AppError).code).not.toBe('INTERNAL')
          return
        }
        expect(given.status).toBeGreaterThanOrEqual(200)
        expect(given.status).toBeLessThan(300)
        // A lost reply proves nothing; Node may still have the whole body when its promised length was never reached.
        expect(given.ending).toBe('whole')
        const shape = documentedShapes[id]
        if (shape) expect(wrongPlaces(shape, reading.value, id)).toEqual([])
      }),
      { numRuns: casesPerOperation, seed }
    )
  },
  180_000
)
