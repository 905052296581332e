import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { routeCall } from '../../../../main/app/router.ts'
import { calls, type CallName, type Handlers } from '../../../../preload/contract/index.ts'

const names = Object.keys(calls) as CallName[]

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

const formOf = (name: CallName): Schema =>
  z.toJSONSchema(calls[name].input, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema

/** Every part of a schema, with its place. */
function* partsOf(schema: Schema, place: string): Generator<[place: string, part: Schema]> {
  yield [place, schema]
  for (const [name, inner] of Object.entries(schema.properties ?? {})) yield* partsOf(inner, `${place}.${name}`)
  for (const inner of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    yield* partsOf(inner, place)
  if (schema.items) yield* partsOf(schema.items, `${place}[]`)
  if (typeof schema.additionalProperties === 'object') yield* partsOf(schema.additionalProperties, `${place}{}`)
}

it('no object in the input of any call accepts unknown keys', () => {
  const open = names.flatMap((name) =>
    [...partsOf(formOf(name), name)]
      .filter(
        ([, { type, properties, additionalProperties }]) =>
          type === 'object' && properties !== undefined && additionalProperties !== false
      )
      .map(([place]) => place)
  )
  expect(open).toEqual([])
})

/**
 * Addresses that a person typed, and paths for a browser, which has no dialog of the system: with one, they are refused
 * (chosenPaths.test.ts).
 */
const decidedPlaces = [
  ...[
    'data.choosePlace.path',
    'data.look.from.path',
    'data.restore.from.path',
    'data.saveCopy.path',
    'maps.chooseFile.path',
    'reportFont.chooseFile.path'
  ],
  ...[
    'discovery.addAddress.address',
    'gateway.chooseSite.url',
    'gateway.forgetSite.url',
    'gateway.signIn.url',
    'internet.chooseProxy.proxy.address',
    'internet.try.url',
    'settings.change.gatewayUrl',
    'team.openOwner.address'
  ]
]

it('a call takes a path or an address only where that was decided, and never a channel of a process', () => {
  const places = names.flatMap((name) =>
    [...partsOf(formOf(name), name)]
      .map(([place]) => place)
      .filter((place) =>
        /\.(\w*(path|file|folder|url|uri|href|address|program|script|channel))$/i.test(place.slice(name.length))
      )
  )
  // A channel of an order is a wire of the device.
  expect(
    [...new Set(places)].filter((place) => !place.endsWith('.channels[].channel') && !place.endsWith('.profile')).sort()
  ).toEqual(decidedPlaces.sort())
})

/** Handlers that only note that they were reached. */
function makeHandlers(): { handlers: Handlers; reached: string[] } {
  const reached: string[] = []
  const handlers = Object.fromEntries(names.map((name) => [name, () => void reached.push(name)])) as unknown as Handlers
  return { handlers, reached }
}

/** Inputs that no schema accepts: anything that is no object, and objects with a key that no call has. */
const badInput = fc.oneof(
  fc.jsonValue().filter((value) => typeof value !== 'object' || Array.isArray(value)),
  fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })).map((value) => ({ ...value, 'not in the contract': 1 }))
)

async function expectRefused(runs: number): Promise<void> {
  const { handlers, reached } = makeHandlers()
  const faults: unknown[] = []
  const inputs = fc.sample(badInput, { numRuns: runs, seed: 7 })
  for (const name of names) {
    for (const input of inputs) {
      const result = await routeCall(handlers, name, input, (error) => faults.push(error))
      if (result.ok || result.error.code !== 'INVALID_REQUEST')
        throw new Error(`${name} answers ${JSON.stringify(result)} to ${JSON.stringify(input)}`)
    }
  }
  expect([reached, faults]).toEqual([[], []])
}

it('bad inputs get a typed error from every call, and have no effect', () => expectRefused(50))
it(
  'ten thousand bad inputs get a typed error from every call, and have no effect',
  { tags: ['long'], timeout: 1_800_000 },
  () => expectRefused(10_000)
)

it.each([
  '',
  'no.such.call',
  'constructor',
  '__proto__',
  'hasOwnProperty',
  'toString',
  'app.info ',
  'APP.INFO',
  'x'.repeat(100_000)
])('the name "%s" is no call', async (name) => {
  const { handlers, reached } = makeHandlers()
  const result = await routeCall(handlers, name, {}, () => undefined)
  expect(result).toMatchObject({ ok: false, error: { code: 'INVALID_REQUEST' } })
  expect(JSON.stringify(result).length).toBeLessThan(500)
  expect(reached).toEqual([])
})

it('a fault crosses as INTERNAL without its details, and is reported', async () => {
  const faults: unknown[] = []
  const handlers = { 'app.info': () => Promise.reject(new Error('secret detail in /home/anna')) } as unknown as Handlers
  const result = await routeCall(handlers, 'app.info', {}, (error) => faults.push(error))
  expect(result).toEqual({
    ok: false,
    error: { code: 'INTERNAL', message: { id: 'app.fault', values: {} }, retryable: false }
  })
  expect(faults).toHaveLength(1)
})

it('an answer that does not match the contract does not cross', async () => {
  const handlers = { 'app.info': () => ({ version: 7, password: 'secret' }) } as unknown as Handlers
  expect(await routeCall(handlers, 'app.info', {}, () => undefined)).toMatchObject({
    ok: false,
    error: { code: 'INTERNAL' }
  })
})
