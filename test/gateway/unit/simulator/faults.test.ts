import { expect, test, vi } from 'vitest'
import { createClock, openGateway, type Client } from './gatewayClient.ts'

const fob = { id: 'FA017FA017FA0170' }

function addFob(client: Client): ReturnType<Client['send']> {
  return client.send('POST', '/ibuttons', { ...fob, entity: client.gateway.state.assets[0]?.id })
}

function isApplied(client: Client): boolean {
  return client.gateway.state.ibuttons.some(({ id }) => id === fob.id)
}

test.each([400, 401, 403, 404, 409, 429, 500] as const)('status %i is answered without the effect', async (status) => {
  const client = await openGateway()
  client.gateway.setFault({ status, operation: 'ibuttons.create', times: 1 })
  const reply = await addFob(client)
  expect(reply.status).toBe(status)
  expect(isApplied(client)).toBe(false)
  if (status === 429) {
    expect(reply.body).toMatchObject({ reason: 'ibuttons.create', message: 'Rate exceeded' })
    expect(Number(reply.headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000)
  }
  expect((await addFob(client)).status).toBe(201)
})

test('500 after the effect: it is there although the answer says no', async () => {
  const client = await openGateway()
  client.gateway.setFault({ status: 500, after: true, times: 1 })
  expect((await addFob(client)).status).toBe(500)
  expect(isApplied(client)).toBe(true)
})

test('a captive portal answers 200 with a page and no effect', async () => {
  const client = await openGateway()
  client.gateway.setFault({ html: true, times: 1 })
  const reply = await addFob(client)
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toContain('text/html')
  expect(isApplied(client)).toBe(false)
})

test('a cut answer is no JSON; the effect is there', async () => {
  const client = await openGateway({ seed: 1 })
  client.gateway.setFault({ truncated: true, operation: 'user.own', times: 1 })
  await expect(client.get('/user')).rejects.toThrow(SyntaxError)
  client.gateway.setFault({ truncated: true, times: 1 })
  await addFob(client).catch((error: unknown) => expect(error).toBeInstanceOf(SyntaxError))
  expect(isApplied(client)).toBe(true)
})

test('a connection that is reset before leaves no effect; one reset after does', async () => {
  const client = await openGateway()
  client.gateway.setFault({ resetBefore: true, times: 1 })
  await expect(addFob(client)).rejects.toThrow('fetch failed')
  expect(isApplied(client)).toBe(false)
  client.gateway.setFault({ resetAfter: true, times: 1 })
  await expect(addFob(client)).rejects.toThrow('fetch failed')
  expect(isApplied(client)).toBe(true)
})

test('a hanging request gets no answer and does not keep the gateway from stopping', async () => {
  const client = await openGateway()
  client.gateway.setFault({ hang: true, operation: 'user.own', times: 1 })
  const hanging = client.get('/user').then(
    () => 'answered',
    () => 'cut'
  )
  await vi.waitUntil(() => client.gateway.requests.at(-1)?.operation === 'user.own', 15_000)
  expect((await client.get('/tz')).status).toBe(200)
  await client.gateway.stop()
  expect(await hanging).toBe('cut')
})

test('an effect can come late, and a proxy can send a request twice', async () => {
  const client = await openGateway()
  client.gateway.setFault({ lateMs: 30, times: 1 })
  await expect(addFob(client)).rejects.toThrow('fetch failed')
  expect(isApplied(client)).toBe(false)
  await vi.waitUntil(() => isApplied(client), 15_000)
  client.gateway.setFault({ twice: true, times: 1 })
  expect((await client.send('POST', '/triggers', { name: 'Moves at night' })).status).toBe(201)
  expect(client.gateway.state.triggers).toHaveLength(2)
  expect(client.gateway.violations).toEqual([])
})

test('several faults stand side by side, and null ends them', async () => {
  const client = await openGateway()
  client.gateway.setFault([
    { status: 403, operation: 'user.own' },
    { status: 404, operation: 'tz.list', times: 1 }
  ])
  expect([
    (await client.get('/user')).status,
    (await client.get('/tz')).status,
    (await client.get('/tz')).status
  ]).toEqual([403, 404, 200])
  client.gateway.setFault(null)
  expect((await client.get('/user')).status).toBe(200)
  expect(() => client.gateway.setFault({ status: 500, operation: 'no.such' })).toThrow('no gateway operation no.such')
})

test('an offline gateway resets every connection, and comes back at the same address', async () => {
  const client = await openGateway()
  client.gateway.setOnline(false)
  await expect(client.get('/user')).rejects.toThrow('fetch failed')
  client.gateway.setOnline(true)
  expect((await client.get('/user')).status).toBe(200)
})

test('with a read cache the same request is answered as before for a while, another wording is not', async () => {
  const clock = createClock()
  const client = await openGateway({ now: clock.now, readCacheMs: 10_000 })
  const before = (await client.get('/ibuttons')).body.length as number
  await addFob(client)
  expect((await client.get('/ibuttons')).body).toHaveLength(before)
  expect((await client.get('/ibuttons?tz=UTC')).body).toHaveLength(before + 1)
  clock.pass(10_000)
  expect((await client.get('/ibuttons')).body).toHaveLength(before + 1)
})
