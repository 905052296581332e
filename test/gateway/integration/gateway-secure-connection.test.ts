import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { createConnections } from '../../../main/gateway/accounts/connections.ts'
import { createEngineClient, createGatewayClient } from '../../../main/gateway/client/client.ts'
import { startProxyServer } from '../../world/gateway/proxyServer.ts'
import { sendJson, startScriptedServer } from '../../world/device/scriptedServer.ts'
import { issue } from '../../world/gateway/testCertificates.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(ends.splice(0).map((end) => end()))
})

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function startUntrustedGateway() {
  const requests: string[] = []
  const server = createHttpsServer(issue({ name: 'gateway', for: ['127.0.0.1'] }), (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    sendJson(response, { auth: 'token', id: 1 })
  })
  const port = await listen(server)
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port, requests }
}

async function startProxy() {
  const proxy = await startProxyServer()
  ends.push(() => proxy.stop())
  return proxy
}

function openClient(url: string) {
  const client = createGatewayClient({
    url,
    credentials: async () => ({ user: 'someone@example.com', password: 'secret-word' })
  })
  ends.push(() => client.close())
  return client
}

test('certificates are checked also where the environment says otherwise, and that is told', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  ends.push(() => vi.unstubAllEnvs())
  const gateway = await startUntrustedGateway()
  const url = `https://127.0.0.1:${gateway.port}/api`
  const client = openClient(url)
  await expect(client.user.own()).rejects.toMatchObject({ code: 'UNREACHABLE', fate: 'notSent' })
  await expect(client.tz.list()).rejects.toMatchObject({ code: 'UNREACHABLE' })
  expect(gateway.requests).toEqual([])
  const connections = createConnections({
    gatewayUrl: () => url,
    deviceModels: () => [],
    inMemory: true,
    interfaces: () => ({})
  })
  ends.push(() => connections.close())
  expect(await connections.notices()).toEqual([
    { id: 'certificates', level: 'warn', text: { id: 'connections.certificatesIgnored', values: {} } }
  ])
})

test('a gateway whose certificate is not accepted gets nothing, not even the sign-in', async () => {
  const gateway = await startUntrustedGateway()
  const error = await openClient(`https://127.0.0.1:${gateway.port}/api`)
    .user.own()
    .catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: 'UNREACHABLE', sentence: { id: 'gateway.certificateIssuer' } })
  expect(error).toMatchObject({ fate: 'notSent' })
  expect(gateway.requests).toEqual([])
})

test('neither does a report engine with such a certificate get a question', async () => {
  const engine = await startUntrustedGateway()
  const client = createEngineClient({ url: `https://127.0.0.1:${engine.port}` })
  ends.push(() => client.close())
  await expect(client.engine.manifest()).rejects.toMatchObject({
    code: 'UNREACHABLE',
    sentence: { id: 'gateway.certificateIssuer' }
  })
  expect(engine.requests).toEqual([])
})

test('a proxy of the environment sees the tunnel and no more', async () => {
  const gateway = await startUntrustedGateway()
  const proxy = await startProxy()
  vi.stubEnv('HTTPS_PROXY', proxy.url)
  vi.stubEnv('https_proxy', proxy.url)
  vi.stubEnv('NO_PROXY', '')
  vi.stubEnv('no_proxy', '')
  const work = openClient(`https://127.0.0.1:${gateway.port}/api`).user.own()
  await expect(work).rejects.toMatchObject({ code: 'UNREACHABLE', sentence: { id: 'gateway.certificateIssuer' } })
  expect(proxy.asked.map((tunnel) => tunnel.target)).toEqual([`127.0.0.1:${gateway.port}`])
  expect(proxy.asked[0]?.headers).not.toMatch(/authenticate|secret-word/i)
  expect(proxy.plain).toEqual([])
})

test('what is not encrypted never goes through a proxy', async () => {
  const proxy = await startProxy()
  vi.stubEnv('HTTP_PROXY', proxy.url)
  vi.stubEnv('http_proxy', proxy.url)
  vi.stubEnv('NO_PROXY', '')
  vi.stubEnv('no_proxy', '')
  const gateway = await startScriptedServer((_, response) => sendJson(response, { auth: 'token', id: 1 }))
  ends.push(() => gateway.stop())
  const client = openClient(`http://${gateway.address}/api`)
  await client.user.own()
  await client.entities.link({ primary_id: 1, secondary_id: 2 })
  expect(gateway.received).toHaveLength(3)
  expect([proxy.plain, proxy.asked]).toEqual([[], []])
})

test.each([
  ['the sign-in', () => true],
  ['a request with its token', (path: string) => !path.includes('token')]
])(
  'follows no redirect of %s: neither the password nor the token reaches another server',
  async (_what, isRedirected) => {
    const other = await startScriptedServer((_, response) => sendJson(response, { auth: 'token', id: 1 }))
    ends.push(() => other.stop())
    const gateway = await startScriptedServer(({ path }, response) => {
      if (!isRedirected(path)) return sendJson(response, { auth: 'token-of-the-session' })
      response.writeHead(307, { Location: `http://${other.address}${path}` }).end()
    })
    ends.push(() => gateway.stop())
    const client = openClient(`http://${gateway.address}/api`)
    await expect(client.user.own()).rejects.toMatchObject({ code: expect.any(String) })
    await expect(client.entities.link({ primary_id: 1, secondary_id: 2 })).rejects.toMatchObject({
      code: expect.any(String)
    })
    expect(gateway.received.length).toBeGreaterThan(0)
    expect(other.received).toEqual([])
  }
)
