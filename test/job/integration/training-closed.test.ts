import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { sourceResourcesFolder } from '../../../main/app/core.ts'
import { openWorkplace } from '../../../main/app/workplace.ts'
import { calls, type CallInput, type CallName } from '../../../preload/contract/index.ts'
import { tempFolder } from '../../world/tempFolder.ts'
import { startFeedServer } from '../../world/gateway/updateFeed.ts'

/** A real server on this computer that counts whoever connects to it. */
async function startListener() {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket
      .on('error', () => undefined)
      .end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { port, address: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/api`, connections: () => connections }
}

type Listener = Awaited<ReturnType<typeof startListener>>

function joinFile({ port }: Listener): string {
  return JSON.stringify({
    fitter: 'team',
    version: 1,
    team: 'Yard',
    name: 'Laptop',
    host: '127.0.0.1',
    port,
    database: 'fitter',
    login: `fitter_${'0'.repeat(16)}`,
    password: '0'.repeat(48),
    authority: null
  })
}

/** Each call of the contract whose input may contain an address, pointed at a server. */
const pointed: { [Name in CallName]?: (to: Listener) => CallInput<Name>[] } = {
  'gateway.signIn': ({ url }) => [
    { url, user: 'u', password: 'secret-word', scheme: { kind: 'normal' } },
    { url, user: 'u', password: 'secret-word', scheme: { kind: 'normal' }, keep: false }
  ],
  'gateway.chooseSite': ({ url }) => [{ url, user: 'u' }],
  'gateway.forgetSite': ({ url }) => [{ url, user: 'u' }],
  'internet.try': ({ url }) => [{ url }, {}],
  'internet.chooseProxy': ({ address, url }) => [
    { proxy: { kind: 'address', address: `http://${address}` } },
    { proxy: { kind: 'pac', address: url } }
  ],
  'settings.change': ({ url }) => [
    {
      gatewayUrl: url,
      gatewaySites: [{ url, user: 'u', scheme: { kind: 'normal' } }],
      gatewayUser: 'u'
    } as CallInput<'settings.change'>,
    { gatewayUrl: url }
  ],
  'discovery.addAddress': ({ address, port }) => [
    { address },
    { address: `localhost:${port}` },
    { address, confirmPublic: true }
  ],
  'maps.setOnline': ({ url }) => [{ isOn: true, template: `${url}/{z}/{x}/{y}.png`, attribution: 'Someone' }],
  'team.join': (to) => [{ text: joinFile(to) }],
  'team.openOwner': ({ address }) => [{ address: `postgres://owner@${address}/fitter`, password: 'secret-word' }]
}

/** What a screen does next. */
const afterwards: readonly CallName[] = [
  'gateway.groups',
  'gateway.timeZones',
  'operations.sync',
  'discovery.ask',
  'updates.check',
  'team.status'
]

function mentions(schema: unknown, names: RegExp): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const { properties, ...rest } = schema as { properties?: Record<string, unknown> }
  return (
    Object.entries(properties ?? {}).some(([name, inner]) => names.test(name) || mentions(inner, names)) ||
    Object.values(rest).some((inner) => mentions(inner, names))
  )
}

test('each call whose input may contain an address is one of those that are pointed at a server', () => {
  const found = Object.entries(calls)
    .filter(([, { input }]) =>
      mentions(
        z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }),
        /url|address|host$|server|template$|proxy/i
      )
    )
    .map(([name]) => name)
  expect(found.sort()).toEqual(
    [...Object.keys(pointed).filter((name) => name !== 'team.join'), ...withoutConnection].sort()
  )
})

/** They name something at the gateway or at the device, or keep an address as a text. */
const withoutConnection: readonly string[] = [
  'numbers.table',
  'numbers.work',
  'templates.check',
  'templates.preview',
  'templates.save'
]

test.each([
  ['without a company policy', undefined],
  [
    'with a company policy that allows one other gateway',
    { gateway: { address: 'https://gateway.invalid/api', others: false } }
  ],
  ['with a company policy whose values lead to that server', 'server' as const]
])('in training, %s, nothing connects to anything but the simulation', { timeout: 360_000 }, async (_name, policy) => {
  process.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent/fitter-test'
  const other = await startListener()
  const file = join(tempFolder(), 'policy.json')
  if (policy !== undefined) {
    const content =
      policy === 'server'
        ? {
            gateway: { sites: [{ name: 'North', address: other.url }], proxy: `http://${other.address}` },
            maps: { online: { address: `https://${other.address}/{z}/{x}/{y}.png`, attribution: 'Someone' } },
            team: { server: '127.0.0.1' }
          }
        : policy
    writeFileSync(file, JSON.stringify(content))
  }
  const before = process.env['FITTER_POLICY_FILE']
  process.env['FITTER_POLICY_FILE'] = file
  onTestFinished(() => {
    if (before === undefined) delete process.env['FITTER_POLICY_FILE']
    else process.env['FITTER_POLICY_FILE'] = before
  })
  const feed = await startFeedServer({ isSecure: false })
  onTestFinished(() => feed.stop())
  const host = openWorkplace({
    frontEnd: 'browser',
    dataFolder: tempFolder(),
    resourcesFolder: sourceResourcesFolder,
    openPage: () => Promise.resolve(),
    start: 'training',
    updates: { installed: '2.4.0', source: feed.source, notByItself: null }
  })
  onTestFinished(() => host.stop())
  const left: string[] = []
  let seen = 0
  const codes: Record<string, unknown[]> = {}
  for (const [name, inputs] of Object.entries(pointed) as [CallName, (to: Listener) => unknown[]][]) {
    for (const input of inputs(other)) {
      const answer = await host.call(name, input)
      ;(codes[name] ??= []).push(answer.ok ? 'ok' : answer.error.code)
      for (const next of afterwards) await host.call(next, {})
      await host.answerMap('/map/online/1/0/0', undefined)
      const came = other.connections() + feed.requests.length
      if (came > seen) left.push(`${name} ${JSON.stringify(input)}`)
      seen = came
    }
  }
  expect(left).toEqual([])
  // The simulated gateway is still there: a person signs out and in again.
  const training = await host.call('training.vehicles', {})
  if (!training.ok) throw new Error(JSON.stringify(training))
  const { gateway } = training.value as { gateway: { url: string; user: string; password: string } }
  expect(await host.call('gateway.signOut', {})).toMatchObject({ ok: true })
  expect(await host.call('gateway.signIn', { ...gateway, scheme: { kind: 'normal' } })).toMatchObject({
    ok: true,
    value: { kind: 'signedIn', status: { url: gateway.url } }
  })
  expect(await host.call('internet.try', {})).toMatchObject({ ok: true, value: { ok: true } })
  expect(codes).toMatchObject({
    'gateway.signIn': ['REFUSED', 'REFUSED'],
    'gateway.chooseSite': ['REFUSED'],
    'internet.try': ['REFUSED', 'ok'],
    'team.join': ['REFUSED']
  })
})
