import { expect, onTestFinished, test } from 'vitest'
import { createGatewayClient } from '../../../main/gateway/client/client.ts'
import { sendJson, startScriptedServer, type Script } from '../../world/device/scriptedServer.ts'

const someone = { user: 'fitter@example.com', password: 'right-one' }
const page = '<!DOCTYPE html><html><title>Welcome</title><body>Sign in to this network</body></html>'
const write = { primary_id: 1, secondary_id: 2 }

/** A gateway behind a network that may put a sign-in page before it. */
async function openNetwork() {
  const state = { between: undefined as Script | undefined }
  const server = await startScriptedServer((request, response, socket) => {
    if (state.between) return state.between(request, response, socket)
    if (request.path === '/api/login') return sendJson(response, { message: 'ok', app: null, auth: 'the-token' })
    sendJson(response, { username: someone.user, name: '1.2.3', id: 1 })
  })
  const client = createGatewayClient({
    url: `http://${server.address}/api`,
    credentials: () => Promise.resolve(someone)
  })
  onTestFinished(async () => {
    client.close()
    await server.stop()
  })
  const secret = () => server.received.filter(({ headers, body }) => 'authenticate' in headers || body !== '')
  return { state, server, client, secret }
}

test.each<[string, Script, string?, string?]>([
  [
    'sends on to another address',
    (_, response) => response.writeHead(302, { Location: 'http://portal.hotel.example/' }).end()
  ],
  [
    'shows a page where data is due',
    (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)
  ],
  [
    'says that the network wants a sign-in (511)',
    (_, response) => response.writeHead(511, { 'Content-Type': 'text/html' }).end(page)
  ],
  [
    'refuses the token with a page',
    (_, response) => response.writeHead(401, { 'Content-Type': 'text/html' }).end(page),
    'gateway.inBetween',
    'between'
  ],
  [
    'forbids with a page',
    (_, response) => response.writeHead(403, { 'Content-Type': 'text/html' }).end(page),
    'gateway.inBetween',
    'between'
  ]
])(
  'after a network that %s, neither token nor password goes out again until the gateway itself answers',
  async (_, between, says = 'gateway.loginPage', hindrance = 'loginPage') => {
    const { state, server, client, secret } = await openNetwork()
    await client.user.own()
    state.between = between
    server.received.length = 0
    await expect(client.user.own()).rejects.toBeDefined()
    // Once, when nobody could know of it.
    expect(secret()).toHaveLength(1)
    for (const work of [
      client.user.own(),
      client.user.own(undefined, { priority: 'background' }),
      client.entities.link(write),
      client.signIn()
    ]) {
      await expect(work).rejects.toMatchObject({
        code: 'UNREADABLE',
        retryable: true,
        fate: 'notSent',
        sentence: { id: says }
      })
    }
    expect(secret()).toHaveLength(1)
    expect(await client.status()).toMatchObject({ state: 'unreachable', hindrance, detail: { id: says } })
    state.between = undefined
    expect((await client.user.own()).value.username).toBe(someone.user)
    expect(await client.status()).toMatchObject({ state: 'reachable', hindrance: null })
    // The session went on: nobody had to sign in again.
    expect(server.received.filter(({ path }) => path === '/api/login')).toEqual([])
  }
)

test('in the background a sign-in page is not asked again and again', async () => {
  const { state, server, client } = await openNetwork()
  await client.user.own()
  state.between = (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end(page)
  for (let i = 0; i < 20; i++)
    await expect(client.user.own(undefined, { priority: 'background' })).rejects.toMatchObject({ code: 'UNREADABLE' })
  // The request that met it, and one look.
  expect(server.received.filter(({ path }) => path !== '/api/login')).toHaveLength(3)
})

test('what a sign-in page says about the time and about limits is not taken for the gateway’s', async () => {
  const { state, client } = await openNetwork()
  await client.user.own()
  const before = client.clockDifferenceS()
  state.between = (_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html', Date: 'Thu, 01 Jan 2037 00:00:00 GMT' }).end(page)
  await expect(client.user.own()).rejects.toMatchObject({ code: 'UNREADABLE' })
  expect(client.clockDifferenceS()).toBe(before)
  state.between = undefined
  await client.user.own()
  const limits = {
    'X-RateLimit-Limit': '1',
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': String(Math.floor(Date.now() / 1000) + 3_000)
  }
  state.between = (_, response) => response.writeHead(200, { 'Content-Type': 'text/html', ...limits }).end(page)
  await expect(client.user.own()).rejects.toMatchObject({ code: 'UNREADABLE' })
  expect(client.rateLimits()).toEqual([])
})

test('a page that refuses is not taken for the gateway, and who answers a look itself is asked again', async () => {
  const { state, server, client } = await openNetwork()
  await client.user.own()
  state.between = (request, response) =>
    request.path === '/api'
      ? sendJson(response, { name: '1.2.3' })
      : response.writeHead(403, { 'Content-Type': 'text/html' }).end(page)
  for (let i = 0; i < 3; i++)
    await expect(client.user.own()).rejects.toMatchObject({ code: 'UNREADABLE', sentence: { id: 'gateway.inBetween' } })
  expect(server.received.filter(({ path }) => path === '/api/user')).toHaveLength(4)
})

test('a server that fails with a page of its own is the gateway, and nobody looks for it again and again', async () => {
  const { state, server, client } = await openNetwork()
  await client.user.own()
  state.between = (_, response) => response.writeHead(502, { 'Content-Type': 'text/html' }).end(page)
  await expect(client.user.own()).rejects.toMatchObject({ code: 'SERVER_ERROR' })
  await expect(client.user.own()).rejects.toMatchObject({ code: 'SERVER_ERROR' })
  expect(server.received.map(({ path }) => path)).toEqual(['/api/login', '/api/user', '/api/user', '/api/user'])
  expect(await client.status()).toMatchObject({ state: 'unreachable', hindrance: 'failing' })
})
