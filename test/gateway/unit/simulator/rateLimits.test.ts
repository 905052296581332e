import { expect, test } from 'vitest'
import { createClock, openGateway, signIn } from './gatewayClient.ts'

const tiers = { data: [{ requests: 2, perSeconds: 60 }], other: [{ requests: 4, perSeconds: 60 }] }

test('past its allowance a user gets 429 with the documented body until the reset, others do not', async () => {
  const clock = createClock()
  const client = await openGateway({ now: clock.now, rateTiers: tiers })
  const viewer = await signIn(client, 'viewer')
  const first = await client.get('/rawdata')
  expect(first.headers.get('x-ratelimit-limit')).toBe('2')
  expect(first.headers.get('x-ratelimit-remaining')).toBe('1')
  await client.get('/labels')
  await client.get('/trips/keys')
  const refused = await client.get('/rawdata')
  expect(refused.status).toBe(429)
  expect(refused.body).toMatchObject({ reason: 'rawdata.keys', message: 'Rate exceeded', limit: 2, value: 3 })
  expect(refused.body).toHaveProperty('id')
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
  expect(Number(refused.headers.get('x-ratelimit-reset'))).toBe(clock.now() / 1000 + 60)
  expect((await viewer.get('/rawdata')).status).toBe(200)
  expect((await client.get('/user')).status).toBe(200)
  clock.pass(60_000)
  expect((await client.get('/rawdata')).status).toBe(200)
  expect(client.gateway.violations).toEqual([])
})

test('a request that comes back before the reset is a violation', async () => {
  const clock = createClock()
  const client = await openGateway({ now: clock.now, rateTiers: tiers })
  for (let i = 0; i < 5; i++) await client.get('/user')
  expect(client.gateway.violations).toEqual([])
  clock.pass(59_000)
  expect((await client.get('/user')).status).toBe(429)
  expect(client.gateway.violations).toMatchObject([{ why: 'request sent into a closed rate window' }])
})

test('every answer says which gateway it is, whom it serves and what time it has', async () => {
  const clock = createClock()
  const client = await openGateway({ now: clock.now })
  const { headers } = await client.get('/user')
  expect(headers.get('x-gw-id')).toBe('77')
  expect(headers.get('x-gw-server')).toBeTruthy()
  expect(headers.get('x-gw-user-id')).toBe('11')
  expect(Date.parse(headers.get('date') ?? '')).toBe(clock.now())
})
