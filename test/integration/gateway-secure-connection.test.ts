import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer as createProxy } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { connect, type AddressInfo, type Server } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { createConnections } from '../../main/connections/connections.ts'
import { createEngineClient, createGatewayClient } from '../../main/gateway/client.ts'
import { sendJson, startScriptedServer } from '../support/scriptedServer.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(ends.splice(0).map((end) => end()))
})

function der(tag: number, ...parts: (Buffer | number[])[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

/** A certificate for 127.0.0.1 that vouches for itself, valid from 2020 to 2049, and its key. */
function createSelfSigned(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = der(0x30, der(0x06, [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
  const name = der(0x30, der(0x31, der(0x30, der(0x06, [0x55, 0x04, 0x03]), der(0x0c, Buffer.from('gateway')))))
  const validity = der(0x30, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('490101000000Z')))
  const altName = der(0x30, der(0x06, [0x55, 0x1d, 0x11]), der(0x04, der(0x30, der(0x87, [127, 0, 0, 1]))))
  const body = der(
    0x30,
    der(0xa0, der(0x02, [2])),
    der(0x02, [1]),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, altName))
  )
  const whole = der(0x30, body, ecdsaWithSha256, der(0x03, [0], sign('sha256', body, privateKey)))
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function startUntrustedGateway() {
  const requests: string[] = []
  const server = createHttpsServer(createSelfSigned(), (request, response) => {
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

/** A proxy that lets tunnels through and answers everything else itself. */
async function startProxy() {
  const tunnels: { target: string; headers: string }[] = []
  const plain: string[] = []
  const proxy = createProxy((request, response) => {
    plain.push(`${request.method} ${request.url}`)
    sendJson(response, { auth: 'from the proxy' })
  })
  proxy.on('connect', (request, socket) => {
    tunnels.push({ target: request.url ?? '', headers: JSON.stringify(request.headers) })
    const [host = '', port] = (request.url ?? '').split(':')
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      onward.pipe(socket)
      socket.pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  const port = await listen(proxy)
  ends.push(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { url: `http://127.0.0.1:${port}`, tunnels, plain }
}

function openClient(url: string) {
  const client = createGatewayClient({ url, credentials: async () => ({ user: 'someone@example.com', password: 'secret-word' }) })
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
  const connections = createConnections({ gatewayUrl: () => url, deviceModels: () => [], inMemory: true, interfaces: () => ({}) })
  ends.push(() => connections.close())
  expect(await connections.notices()).toEqual([{ id: 'certificates', level: 'warn', text: { id: 'connections.certificatesIgnored', values: {} } }])
})

test('a gateway whose certificate is not accepted gets nothing, not even the sign-in', async () => {
  const gateway = await startUntrustedGateway()
  const error = await openClient(`https://127.0.0.1:${gateway.port}/api`)
    .user.own()
    .catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: 'UNREACHABLE', sentence: { id: 'gateway.certificate' } })
  expect(error).toMatchObject({ fate: 'notSent' })
  expect(gateway.requests).toEqual([])
})

test('neither does a report engine with such a certificate get a question', async () => {
  const engine = await startUntrustedGateway()
  const client = createEngineClient({ url: `https://127.0.0.1:${engine.port}` })
  ends.push(() => client.close())
  await expect(client.engine.manifest()).rejects.toMatchObject({ code: 'UNREACHABLE', sentence: { id: 'gateway.certificate' } })
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
  await expect(work).rejects.toMatchObject({ code: 'UNREACHABLE', sentence: { id: 'gateway.certificate' } })
  expect(proxy.tunnels.map((tunnel) => tunnel.target)).toEqual([`127.0.0.1:${gateway.port}`])
  expect(proxy.tunnels[0]?.headers).not.toMatch(/authenticate|secret-word/i)
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
  expect([proxy.plain, proxy.tunnels]).toEqual([[], []])
})
