import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { createGatewayClient } from '../../../main/gateway/client/client.ts'
import { createTrust } from '../../../main/base/internet/authorities.ts'
import { createProxies, type PlatformProxies } from '../../../main/base/internet/proxies.ts'
import { createGatewayRoutes, type GatewayRoutesOptions } from '../../../main/base/internet/routes.ts'
import type { ProxyChoice } from '../../../preload/contract/app/internet.ts'
import { startProxyServer } from '../../world/gateway/proxyServer.ts'
import { startSecureGateway } from '../../world/gateway/secureGateway.ts'
import { issue, makeAuthority } from '../../world/gateway/testCertificates.ts'

const company = makeAuthority()
const someone = { user: 'someone@example.com', password: 'secret-word' }
afterEach(() => vi.unstubAllEnvs())

interface World {
  certificate?: Parameters<typeof issue>[0] & { byItself?: boolean }
  trusted?: string[]
  proxy?: ProxyChoice
  platform?: PlatformProxies
  proxyCredentials?: { user: string; password: string }
  proxyWants?: { user: string; password: string }
  interfaces?: GatewayRoutesOptions['interfaces']
  chosenCard?: () => string
}

/** `gateway.example` is this computer; its certificate comes from the company's own authority. */
async function openWorld(world: World = {}) {
  const gateway = await startSecureGateway(
    issue(
      { name: 'gateway', for: ['gateway.example'], ...world.certificate },
      world.certificate?.byItself ? undefined : company
    )
  )
  const proxy = await startProxyServer(world.proxyWants)
  const secrets: string[] = []
  const ways = createGatewayRoutes({
    proxies: createProxies({
      choice: () => world.proxy ?? { kind: 'none' },
      platform: world.platform,
      credentials: () => Promise.resolve(world.proxyCredentials),
      onSecret: (text) => secrets.push(text)
    }),
    trust: createTrust(() => world.trusted ?? [company.cert]),
    interfaces: world.interfaces ?? (() => ({})),
    chosenCard: world.chosenCard,
    lookUp: (host, _family, answer) =>
      host === 'gateway.example'
        ? answer(null, [{ address: '127.0.0.1', family: 4 }])
        : answer(Object.assign(new Error(host), { code: 'ENOTFOUND' }), [])
  })
  const client = createGatewayClient({
    url: `https://gateway.example:${gateway.port}/api`,
    credentials: () => Promise.resolve(someone),
    ways,
    timeoutMs: 5_000
  })
  onTestFinished(() => {
    client.close()
    proxy.stop()
    gateway.stop()
  })
  return { gateway, proxy, ways, client, secrets, setProxy: (choice: ProxyChoice) => void (world.proxy = choice) }
}

const write = { primary_id: 1, secondary_id: 2 }

test('a gateway that the own company vouches for is accepted once its certificate was added, and not before', async () => {
  const { client } = await openWorld()
  expect((await client.user.own()).value.username).toBe(someone.user)
  const stranger = await openWorld({ trusted: [] })
  await expect(stranger.client.user.own()).rejects.toMatchObject({
    code: 'UNREACHABLE',
    fate: 'notSent',
    sentence: { id: 'gateway.certificateIssuer' }
  })
  expect(stranger.gateway.received).toEqual([])
})

test.each([
  [
    'of another name',
    { name: 'portal', for: ['portal.hotel.example'] },
    { id: 'gateway.certificateOtherName', values: { names: 'portal.hotel.example' } },
    'loginPage'
  ],
  [
    'that has expired',
    { name: 'gateway', until: new Date('2021-01-01T00:00:00Z') },
    { id: 'gateway.certificateExpired', values: {} },
    'certificate'
  ],
  [
    'that is not valid yet',
    { name: 'gateway', from: new Date('2048-01-01T00:00:00Z') },
    { id: 'gateway.certificateNotYet', values: {} },
    'certificate'
  ],
  [
    'that vouches for itself',
    { name: 'gateway', byItself: true },
    { id: 'gateway.certificateIssuer', values: {} },
    'certificate'
  ]
])('a certificate %s is refused, says which, and nothing is sent', async (_, certificate, sentence, hindrance) => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  const { client, gateway } = await openWorld({ certificate })
  await expect(client.user.own()).rejects.toMatchObject({ code: 'UNREACHABLE', fate: 'notSent', sentence })
  await expect(client.entities.link(write)).rejects.toMatchObject({ fate: 'notSent' })
  expect(gateway.received).toEqual([])
  expect(await client.status()).toMatchObject({ state: 'unreachable', hindrance })
})

test('a proxy with a password gets its password, and of the rest only where the tunnel leads', async () => {
  const user = { user: 'worker', password: 'proxy-word' }
  const { client, gateway, proxy, secrets, setProxy } = await openWorld({ proxyWants: user, proxyCredentials: user })
  setProxy({ kind: 'address', address: proxy.url })
  await client.user.own()
  await client.entities.link(write)
  expect(gateway.received.map(({ path }) => path)).toEqual(['/api/login', '/api/user', '/api/entities/link'])
  expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set([`gateway.example:${gateway.port}`]))
  expect(JSON.stringify(proxy.asked)).not.toMatch(/a-token|secret-word/)
  expect(proxy.plain).toEqual([])
  expect(secrets).toContain('proxy-word')
  expect(await client.status()).toMatchObject({ state: 'reachable', way: { proxy: proxy.label } })
})

test('a proxy that wants another password is named, and nothing was sent', async () => {
  const { client, gateway, proxy, setProxy } = await openWorld({
    proxyWants: { user: 'worker', password: 'right' },
    proxyCredentials: { user: 'worker', password: 'wrong' }
  })
  setProxy({ kind: 'address', address: proxy.url })
  await expect(client.entities.link(write)).rejects.toMatchObject({
    code: 'UNREACHABLE',
    fate: 'notSent',
    sentence: { id: 'gateway.proxyWantsPassword', values: { proxy: proxy.label } }
  })
  expect(gateway.received).toEqual([])
  expect(await client.status()).toMatchObject({ state: 'unreachable', hindrance: 'proxy' })
})

test.each([
  ['refuses', { id: 'gateway.proxyRefuses' }],
  ['dies', { id: 'gateway.proxyBroke' }]
] as const)(
  'a proxy that %s instead of opening the tunnel is named, and a write is known not to have left',
  async (manner, sentence) => {
    const { client, gateway, proxy, setProxy } = await openWorld()
    setProxy({ kind: 'address', address: proxy.url })
    await client.user.own()
    proxy.manner = manner
    await expect(client.entities.link(write)).rejects.toMatchObject({ code: 'UNREACHABLE', fate: 'notSent', sentence })
    expect(gateway.received.filter(({ method, path }) => method === 'POST' && path !== '/api/login')).toEqual([])
  }
)

test('a proxy that is not there is named', async () => {
  const { client, proxy, setProxy } = await openWorld()
  proxy.stop()
  setProxy({ kind: 'address', address: proxy.url })
  await expect(client.user.own()).rejects.toMatchObject({
    fate: 'notSent',
    sentence: { id: 'gateway.proxyAway', values: { proxy: proxy.label } }
  })
})

test('behind a proxy too, a write that left and got no answer is unknown and is not sent again', async () => {
  const { client, gateway, proxy, setProxy } = await openWorld()
  setProxy({ kind: 'address', address: proxy.url })
  await client.user.own()
  gateway.cuts = true
  await expect(client.entities.link(write)).rejects.toMatchObject({ fate: 'unknown' })
  expect(gateway.received.filter(({ path }) => path === '/api/entities/link')).toHaveLength(1)
})

test('what a person set goes before the environment: no proxy means none', async () => {
  const { client, proxy, setProxy } = await openWorld()
  for (const name of ['HTTPS_PROXY', 'https_proxy']) vi.stubEnv(name, proxy.label)
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '')
  setProxy({ kind: 'none' })
  await client.user.own()
  expect(proxy.asked).toEqual([])
  setProxy({ kind: 'system' })
  await client.entities.link(write)
  expect(proxy.asked).toHaveLength(1)
  for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, 'localhost, gateway.example')
  await client.entities.link(write)
  expect(proxy.asked).toHaveLength(1)
})

test('where the platform evaluates a PAC file, its proxies are tried in their order', async () => {
  const asked: (string | null)[][] = []
  const { client, gateway, proxy, setProxy } = await openWorld({
    platform: {
      resolve: (url, pac) => {
        asked.push([url, pac])
        return Promise.resolve(`SOCKS5 127.0.0.1:1; PROXY 127.0.0.1:1; PROXY ${proxy.label}; DIRECT`)
      }
    }
  })
  setProxy({ kind: 'pac', address: 'http://wpad.company.example/wpad.dat' })
  await client.user.own()
  expect(asked[0]).toEqual([`https://gateway.example:${gateway.port}`, 'http://wpad.company.example/wpad.dat'])
  expect(proxy.asked.length).toBeGreaterThan(0)
  setProxy({ kind: 'system' })
  await client.entities.link(write)
  expect(asked.at(-1)).toEqual([`https://gateway.example:${gateway.port}`, null])
})

test('where it does not, a PAC file is refused in words instead of passed over; so is a kind of proxy that is none of ours', async () => {
  const { client, setProxy } = await openWorld()
  setProxy({ kind: 'pac', address: 'http://wpad.company.example/wpad.dat' })
  await expect(client.user.own()).rejects.toMatchObject({
    code: 'UNREACHABLE',
    fate: 'notSent',
    sentence: { id: 'internet.pacNotHere' }
  })
  const socks = await openWorld({
    platform: { resolve: () => Promise.resolve('SOCKS 127.0.0.1:1080') },
    proxy: { kind: 'system' }
  })
  await expect(socks.client.entities.link(write)).rejects.toMatchObject({
    code: 'UNREACHABLE',
    fate: 'notSent',
    sentence: { id: 'internet.proxyOtherKind' }
  })
})

/** Two cards: the system's choice is one that leads nowhere; the other one has the internet. */
function twoCards(): ReturnType<GatewayRoutesOptions['interfaces']> {
  const card = (address: string) => [
    { address, netmask: '255.0.0.0', family: 'IPv4' as const, mac: '', internal: false, cidr: null }
  ]
  return { wlan0: card('127.0.0.9'), usb0: card('127.0.0.2') }
}

test('when the hotspot of a device leads nowhere, the gateway is asked over the other card, once, and stays there', async () => {
  const { client, gateway, ways } = await openWorld({ interfaces: twoCards })
  gateway.deafTo = new Set(['127.0.0.1', '127.0.0.9'])
  await client.entities.link(write)
  expect(gateway.received.filter(({ path }) => path === '/api/entities/link')).toMatchObject([{ from: '127.0.0.2' }])
  expect(await client.status()).toMatchObject({
    state: 'reachable',
    way: { card: 'usb0', address: '127.0.0.2', proxy: null }
  })
  expect(ways.outcomes().map(({ way, outcome }) => [way.from?.card ?? 'system', outcome.kind])).toEqual([
    ['system', 'failed'],
    ['wlan0', 'failed'],
    ['usb0', 'connected']
  ])
  gateway.callers.length = 0
  await client.entities.link({ primary_id: 3, secondary_id: 4 })
  expect(gateway.callers).toEqual(['127.0.0.2'])
  // Another network: everything may be different.
  ways.forget()
  gateway.deafTo.clear()
  await client.entities.link({ primary_id: 5, secondary_id: 6 })
  expect(gateway.callers.at(-1)).toBe('127.0.0.1')
})

test('when no card leads to the gateway, that is one failure, and nothing has left', async () => {
  const { client, gateway } = await openWorld({ interfaces: twoCards })
  gateway.deafTo = new Set(['127.0.0.1', '127.0.0.9', '127.0.0.2'])
  await expect(client.entities.link(write)).rejects.toMatchObject({ code: 'UNREACHABLE', fate: 'notSent' })
  expect(gateway.received).toEqual([])
})

test('the card that a person chose is the only one that is asked over', async () => {
  let chosen = 'usb0'
  const { client, gateway } = await openWorld({ interfaces: twoCards, chosenCard: () => chosen })
  await client.user.own()
  expect(new Set(gateway.callers)).toEqual(new Set(['127.0.0.2']))
  chosen = 'wwan0'
  await expect(client.entities.link(write)).rejects.toMatchObject({
    fate: 'notSent',
    sentence: { id: 'gateway.chosenCardGone' }
  })
})

test('connections that died while the computer slept are no failure', async () => {
  const { client, gateway } = await openWorld()
  await client.user.own()
  client.renew(60_000)
  gateway.callers.length = 0
  await client.user.own()
  expect(gateway.callers).toHaveLength(1)
})
