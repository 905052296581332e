import { expect, test } from 'vitest'
import { openGateway, request } from './gatewayClient.ts'

test.each([
  ['an unknown path', 'GET', '/vehicle', undefined, 404, 'undocumented path'],
  ['a method the path does not take', 'PATCH', '/user', undefined, 404, 'the path does not take PATCH'],
  ['an unknown query parameter', 'GET', '/vehicles?limit=5', undefined, 200, 'undocumented query parameter limit'],
  [
    'an unknown key in a body',
    'POST',
    '/entities/link',
    { primary_id: 101, secondary_id: 131, force: true },
    400,
    'body'
  ],
  [
    'a wrong type in a body',
    'POST',
    '/entities/link',
    { primary_id: '101', secondary_id: 131 },
    400,
    'body primary_id'
  ],
  ['a missing body', 'POST', '/ibuttons', undefined, 400, 'the body is missing'],
  ['a body where none belongs', 'DELETE', '/geofences/1', {}, 404, 'a body where none is documented'],
  ['an id that is no number', 'GET', '/vehicles/abc', undefined, 404, 'id in the path is not a number'],
  ['an unknown zone', 'GET', '/user?tz=Nowhere', undefined, 400, 'time zone Nowhere']
])('%s is recorded', async (_, method, path, body, status, why) => {
  const client = await openGateway()
  expect((await client.send(method, path, body)).status).toBe(status)
  expect(client.gateway.violations).toMatchObject([{ method, path: `/api${path}`, why: expect.stringContaining(why) }])
})

test('the token belongs into the Authenticate header and nowhere else', async () => {
  const client = await openGateway()
  expect(
    (await request(client.gateway, 'GET', '/user', undefined, undefined, { Authorization: `Bearer ${client.token}` }))
      .status
  ).toBe(401)
  expect((await request(client.gateway, 'GET', `/user?auth=${client.token}`)).status).toBe(401)
  expect((await client.get(`/vehicles/${client.token}`)).status).toBe(404)
  const whys = client.gateway.violations.map(({ why }) => why)
  expect(whys).toEqual([
    'Authorization header: the token goes into Authenticate',
    'token in a URL',
    'token in a URL',
    'id in the path is not a number'
  ])
  expect(JSON.stringify([client.gateway.violations, client.gateway.requests])).not.toContain(client.token)
})

test('a body without its Content-Type is recorded', async () => {
  const client = await openGateway()
  const body = { id: 'CD34CD34CD34CD34', entity: client.gateway.state.assets[0]?.id }
  expect((await client.send('POST', '/ibuttons', body, { 'Content-Type': 'text/plain' })).status).toBe(201)
  expect(client.gateway.violations).toMatchObject([{ why: 'a body without Content-Type: application/json' }])
})

test('the same seed makes the same fleet, another seed another one', async () => {
  const names = async (seed: number): Promise<string> =>
    JSON.stringify((await openGateway({ seed })).gateway.state.vehicles.map(({ info }) => info))
  expect(await names(7)).toBe(await names(7))
  expect(await names(7)).not.toBe(await names(8))
})

test('replies that the document does not show differ between seeds', async () => {
  const replies = await Promise.all(
    [1, 2, 3, 4, 5, 6, 7, 8].map(async (seed) => {
      const client = await openGateway({ seed, vehicles: 2 })
      return (await client.send('PUT', '/sims/1', { line_number: '600' })).text
    })
  )
  expect(new Set(replies).size).toBeGreaterThan(1)
})
