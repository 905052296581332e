import { expect, onTestFinished, test, vi } from 'vitest'
import { createGatewayAccess } from '../../../main/gateway/accounts/sites.ts'
import { createGatewayClient } from '../../../main/gateway/client/client.ts'
import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { sendJson, startScriptedServer, type Script, type ScriptedServer } from '../../world/device/scriptedServer.ts'

const signal = new AbortController().signal
const someone = { user: 'fitter@example.com', password: 'right-one' }
const portal = '<!DOCTYPE html><html><title>Welcome</title><body>Sign in to this network</body></html>'

/** A gateway that knows one password, and answers as `between` does while that is set. */
async function openGateway() {
  const state = { between: undefined as Script | undefined, tokens: 0 }
  const server = await startScriptedServer((request, response, socket) => {
    if (state.between) return state.between(request, response, socket)
    if (request.path === '/api/login') {
      const isRight = (JSON.parse(request.body) as { password: string }).password === someone.password
      return isRight
        ? sendJson(response, { message: 'ok', app: null, auth: `token-${++state.tokens}` })
        : sendJson(response, { message: 'no' }, 401)
    }
    sendJson(response, { username: someone.user })
  })
  onTestFinished(() => server.stop())
  return { state, server, url: `http://${server.address}/api` }
}

const logins = (server: ScriptedServer) => server.received.filter(({ path }) => path === '/api/login').length

test.each([
  ['a page with 403', 403, 'text/html', portal],
  ['a page with 401 that calls itself JSON', 401, 'application/json', portal],
  ['a page with 400', 400, 'text/html', portal]
])('a captive portal that answers a sign-in with %s says nothing about the password', async (_, status, type, body) => {
  const { state, server, url } = await openGateway()
  const client = createGatewayClient({ url, credentials: () => Promise.resolve(someone) })
  onTestFinished(() => client.close())
  state.between = (_request, response) => response.writeHead(status, { 'Content-Type': type }).end(body)
  await expect(client.user.own()).rejects.toMatchObject({ code: 'UNREADABLE', fate: 'notSent' })
  await expect(client.signIn()).rejects.toMatchObject({ code: 'UNREADABLE', sentence: { id: 'gateway.inBetween' } })
  state.between = undefined
  expect((await client.user.own()).value.username).toBe(someone.user)
  // Once to the page, when nobody knew of it yet; then to the gateway.
  expect(logins(server)).toBe(2)
})

test('a person who signs in is always asked for by the gateway, whatever it refused before', async () => {
  const { state, server, url } = await openGateway()
  const client = createGatewayClient({ url, credentials: () => Promise.resolve(someone) })
  onTestFinished(() => client.close())
  state.between = (_request, response) => sendJson(response, { message: 'The account is locked' }, 403)
  for (let i = 0; i < 3; i++) await expect(client.user.own()).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED' })
  expect(logins(server)).toBe(1)
  state.between = undefined
  expect(await client.signIn()).toEqual({ kind: 'signedIn' })
  expect((await client.user.own()).value.username).toBe(someone.user)
})

test('after a sign-out nothing in the background signs in again, neither while the gateway is told nor later', async () => {
  const { server, state, url } = await openGateway()
  const access = createGatewayAccess({
    secrets: createSecrets({ inMemory: true }),
    url: () => url,
    given: someone,
    onSecret: () => undefined
  })
  onTestFinished(() => access.close())
  expect(await access.signIn(url, someone, signal)).toMatchObject({ kind: 'signedIn' })
  const client = await access.client()
  const held: (() => void)[] = []
  state.between = (request, response) => {
    if (request.path.startsWith('/api/logout')) held.push(() => sendJson(response, {}))
    else
      sendJson(
        response,
        request.path === '/api/login' ? { message: 'ok', app: null, auth: 'again' } : { username: someone.user }
      )
  }
  const leaving = access.signOut(signal)
  await vi.waitFor(() => expect(held).toHaveLength(1), 15_000)
  await expect(client.user.own()).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED' })
  held[0]?.()
  await leaving
  await expect(client.user.own()).rejects.toMatchObject({ code: 'NOT_AUTHENTICATED' })
  expect(logins(server)).toBe(1)
  state.between = undefined
  expect(await access.signIn(url, someone, signal)).toMatchObject({ kind: 'signedIn' })
  expect((await (await access.client()).user.own()).value.username).toBe(someone.user)
})

test('a sign-in that was under way when a person signed out leaves no session behind', async () => {
  const { server, state, url } = await openGateway()
  const kept: (string | undefined)[] = []
  const client = createGatewayClient({
    url,
    credentials: () => Promise.resolve(someone),
    token: { get: () => Promise.resolve(undefined), set: (token) => Promise.resolve(void kept.push(token)) }
  })
  onTestFinished(() => client.close())
  const held: (() => void)[] = []
  state.between = (_request, response) =>
    held.push(() => sendJson(response, { message: 'ok', app: null, auth: 'late-token' }))
  const asking = client.user.own().catch((error: unknown) => error)
  await vi.waitFor(() => expect(held).toHaveLength(1), 15_000)
  await client.signOut()
  state.between = undefined
  held[0]?.()
  expect(await asking).toMatchObject({ code: 'NOT_AUTHENTICATED' })
  await vi.waitFor(
    () => expect(server.received.some(({ path }) => path === '/api/logout?auth=late-token')).toBe(true),
    15_000
  )
  expect(kept.filter((token) => token !== undefined)).toEqual([])
})

test('a password that is not to be stored works in this run, also in another workplace of it, and reaches no keychain', async () => {
  const { url } = await openGateway()
  const inKeychain = new Map<string, string | null>()
  const unstored = new Map<string, string>()
  const open = () => {
    const access = createGatewayAccess({
      secrets: createSecrets({ inMemory: true, memory: inKeychain }),
      unstored,
      url: () => url,
      onSecret: () => undefined
    })
    onTestFinished(() => access.close())
    return access
  }
  const first = open()
  const own = { url, user: someone.user }
  expect(await first.signIn(url, { ...someone, password: 'wrong' }, signal, false)).toMatchObject({
    kind: 'wrongPassword'
  })
  expect(await first.hasPassword(own)).toBe(false)
  expect(await first.signIn(url, someone, signal, false)).toEqual({ kind: 'signedIn', kept: false })
  expect(JSON.stringify([...inKeychain])).not.toMatch(/right-one|token-/)
  const again = open()
  expect((await (await again.client()).user.own()).value.username).toBe(someone.user)
  await again.signOut(signal)
  expect([await again.hasPassword(own), [...unstored.values()]]).toEqual([false, []])
})
