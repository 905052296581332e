import { createServer as createSecureServer } from 'node:tls'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGatewayClient } from '../../../main/gateway/client/client.ts'
import { createTrust } from '../../../main/base/internet/authorities.ts'
import { createProxies } from '../../../main/base/internet/proxies.ts'
import { createGatewayRoutes } from '../../../main/base/internet/routes.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import { startGateway } from '../../../simulator/gateway/gateway.ts'
import type { FrontName } from '../../../simulator/gateway/fronts.ts'
import type { Fault } from '../../../simulator/gateway/types.ts'
import { english } from '../../world/window/english.ts'
import { sendJson, startScriptedServer } from '../../world/device/scriptedServer.ts'
import { issue } from '../../world/gateway/testCertificates.ts'

async function open(fault?: Fault | Fault[]) {
  const gateway = await startGateway({ devices: [], rateTiers: {} })
  if (fault) gateway.setFault(fault)
  const client = createGatewayClient({
    url: gateway.url,
    credentials: () => Promise.resolve({ user: gateway.user, password: gateway.password }),
    timeoutMs: 3_000
  })
  onTestFinished(async () => {
    client.close()
    await gateway.stop()
  })
  return {
    gateway,
    client,
    logins: () => gateway.requests.filter(({ operation }) => operation === 'session.login').length
  }
}

const failure = (work: Promise<unknown>): Promise<AppError> =>
  work.then(
    () => expect.unreachable('it succeeded'),
    (error: AppError) => error
  )
const write = { id: '0123456789ABCDEF', entity: 1 }

/** The sentence, and that of the gateway with its own words. */
const idOf = ({ id, values }: Message): string =>
  id === 'gateway.itSays' || id === 'gateway.noSignInFor' ? `${id} ${idOf(values['what'] as unknown as Message)}` : id

describe.each<[FrontName, { code: string; says: string; words?: string; hindrance: string }]>([
  ['challenge', { code: 'UNREADABLE', says: 'gateway.challenge', hindrance: 'between' }],
  ['busyChallenge', { code: 'UNREADABLE', says: 'gateway.challenge', hindrance: 'between' }],
  ['firewall', { code: 'UNREADABLE', says: 'gateway.inBetween', hindrance: 'between' }],
  ['hotelPage', { code: 'UNREADABLE', says: 'gateway.inBetween', hindrance: 'between' }],
  ['wrongBackend', { code: 'UNREADABLE', says: 'gateway.inBetween', hindrance: 'between' }],
  ['lawPage', { code: 'UNREADABLE', says: 'gateway.inBetween', hindrance: 'between' }],
  ['noBackend', { code: 'SERVER_ERROR', says: 'gateway.failedBefore', hindrance: 'failing' }],
  [
    'proxyPassword',
    { code: 'UNREACHABLE', says: 'gateway.proxyAsks', words: 'squid.company.example', hindrance: 'proxy' }
  ],
  [
    'maintenance',
    { code: 'SERVER_ERROR', says: 'gateway.itSays gateway.maintenance', words: 'until 14:00 UTC', hindrance: 'failing' }
  ],
  [
    'maintenanceAnswered',
    {
      code: 'SERVER_ERROR',
      says: 'gateway.itSays gateway.maintenance',
      words: 'back at 14:00 UTC',
      hindrance: 'failing'
    }
  ],
  [
    'maintenanceLaw',
    {
      code: 'SERVER_ERROR',
      says: 'gateway.itSays gateway.maintenance',
      words: 'Maintenance in progress',
      hindrance: 'failing'
    }
  ]
])('%s', (front, { code, says, words = '', hindrance }) => {
  it.each([
    ['a read', undefined, 'away'],
    ['a write', undefined, 'unknown'],
    ['a sign-in', 'session.login' as const, 'notSent']
  ])(
    'is never taken for the gateway’s refusal of %s, and the state shows the same sentence',
    async (what, operation, fate) => {
      const { gateway, client } = await open()
      if (!operation) await client.signIn()
      gateway.setFault({ front })
      const error = await failure(what === 'a write' ? client.ibuttons.create(write) : client.user.own())
      expect([error.code, idOf(error.sentence), error.fate]).toEqual([code, says, fate])
      expect(english(error.sentence)).toContain(words)
      expect(english(error.sentence)).not.toMatch(/not permitted|not found or|does not allow|user name and password\.$/)
      const status = await client.status()
      expect([status.state, status.hindrance, english(status.detail)]).toEqual([
        'unreachable',
        hindrance,
        english(error.sentence)
      ])
      gateway.setFault(null)
      expect((await client.user.own()).value.username).toBe(gateway.user)
      expect(await client.status()).toMatchObject({ state: 'reachable', hindrance: null })
    }
  )
})

it.each([
  ['a read', undefined, 'REFUSED', 'gateway.itSays gateway.refused', 'refused'],
  ['a write', undefined, 'REFUSED', 'gateway.itSays gateway.refused', 'refused'],
  ['a sign-in', 'session.login' as const, 'NOT_AUTHENTICATED', 'gateway.itSays gateway.wrongPassword', 'notSent']
])(
  '%s that is answered 200 with “success: false” is no success, with the gateway’s words',
  async (what, operation, code, says, fate) => {
    const { gateway, client } = await open(operation && { front: 'refusedInBody', operation })
    if (!operation) {
      await client.signIn()
      gateway.setFault({ front: 'refusedInBody' })
    }
    const error = await failure(what === 'a write' ? client.ibuttons.create(write) : client.user.own())
    expect([error.code, idOf(error.sentence), error.fate]).toEqual([code, says, fate])
    expect(english(error.sentence)).toContain('The unit does not exist')
    // The gateway itself answers.
    expect((await client.status()).state).not.toBe('unreachable')
  }
)

it('a block for legal reasons is said with the words of whoever blocks', async () => {
  const { gateway, client } = await open()
  await client.signIn()
  gateway.setFault({ front: 'law' })
  const error = await failure(client.user.own())
  expect([error.code, idOf(error.sentence)]).toEqual(['REFUSED', 'gateway.itSays gateway.legalBlock'])
  expect(english(error.sentence)).toContain('Not available in this country')
})

it.each([
  [
    'a page that the gateway itself sends keeps the meaning of its status',
    { 'Content-Type': 'text/html', 'X-Gw-Id': '7' },
    'NOT_PERMITTED'
  ],
  [
    'a challenge stays one, whatever else its headers say',
    { 'Content-Type': 'text/html', 'X-Gw-Id': '7', 'cf-mitigated': 'challenge' },
    'UNREADABLE'
  ]
])('%s', async (_, headers, code) => {
  const server = await startScriptedServer(({ path }, response) =>
    path === '/api/login'
      ? sendJson(response, { auth: 'the-token' })
      : response.writeHead(403, headers).end('<html>no</html>')
  )
  const client = createGatewayClient({
    url: `http://${server.address}/api`,
    credentials: () => Promise.resolve({ user: 'a@example.com', password: 'b' })
  })
  onTestFinished(async () => {
    client.close()
    await server.stop()
  })
  expect((await failure(client.user.own())).code).toBe(code)
})

describe('a sign-in that is limited', () => {
  it.each<[FrontName, string]>([
    ['tooMany', '60'],
    ['tooMany', new Date(Date.now() + 90_000).toUTCString()],
    ['busy', '60'],
    ['maintenance', '120'],
    ['accountLocked423', '60']
  ])('%s with Retry-After %s: no further one by itself and none by hand until then', async (front, retryAfter) => {
    const { client, logins } = await open({ front, retryAfter, operation: 'session.login' })
    const first = await failure(client.user.own())
    expect(idOf(first.sentence)).toMatch(/^gateway\.noSignInFor /)
    expect(english(first.sentence)).toMatch(/\d+ (s|min)\b/)
    for (let i = 0; i < 3; i++) await failure(client.user.own(undefined, { priority: 'background' }))
    const byHand = await failure(client.signIn())
    expect(byHand).toMatchObject({ code: 'RATE_LIMITED', fate: 'notSent', sentence: { id: 'gateway.signInClosed' } })
    expect(byHand.retryAtMs).toBeGreaterThan(Date.now() + 20_000)
    expect(logins()).toBe(1)
  })
})

it.each<FrontName>(['accountLocked', 'accountLocked401', 'accountLocked423'])(
  '%s is no wrong password, also when it is asked again',
  async (front) => {
    const { gateway, client, logins } = await open({ front, operation: 'session.login' })
    for (let i = 0; i < 3; i++) {
      const error = await failure(client.user.own())
      expect([error.code, idOf(error.sentence).replace('gateway.itSays ', '')]).toEqual([
        'NOT_AUTHENTICATED',
        'gateway.accountLocked'
      ])
    }
    expect(logins()).toBe(1)
    expect(await client.signIn()).toMatchObject({
      kind: 'wrongPassword',
      detail: { id: expect.stringMatching(/itSays|accountLocked/) as string }
    })
    gateway.setFault(null)
    expect(await client.signIn()).toEqual({ kind: 'signedIn' })
  }
)

describe('a 403 that says that the session has expired', () => {
  it('costs one new sign-in, and the read is repeated once', async () => {
    const { gateway, client, logins } = await open()
    await client.user.own()
    gateway.setFault({ front: 'sessionExpired', operation: 'user.own', times: 1 })
    expect((await client.user.own()).value.username).toBe(gateway.user)
    expect(logins()).toBe(2)
  })

  it('said again and again, it costs no further sign-in', async () => {
    const { gateway, client, logins } = await open()
    await client.user.own()
    gateway.setFault([
      { front: 'sessionExpired', operation: 'user.own' },
      { front: 'sessionExpired', operation: 'groups.list' }
    ])
    for (const work of [client.user.own, client.user.own, client.groups.list]) {
      const error = await failure(work())
      expect([error.code, idOf(error.sentence)]).toEqual(['NOT_AUTHENTICATED', 'gateway.itSays gateway.sessionOver'])
    }
    expect(logins()).toBe(2)
  })

  it('a change is not repeated: it may have been applied', async () => {
    const { gateway, client, logins } = await open()
    await client.user.own()
    gateway.setFault({ front: 'sessionExpired', operation: 'ibuttons.create', times: 1 })
    const error = await failure(client.ibuttons.create(write))
    expect([error.code, error.fate, idOf(error.sentence)]).toEqual([
      'NOT_AUTHENTICATED',
      'unknown',
      'gateway.itSays gateway.sessionOverChange'
    ])
    expect(gateway.requests.filter(({ operation }) => operation === 'ibuttons.create')).toHaveLength(1)
    await client.user.own()
    expect(logins()).toBe(2)
  })
})

it('an output is switched off in spite of a session that has ended', async () => {
  const { gateway, client, logins } = await open()
  const { value } = await client.vehicles.list({ set: 1 })
  gateway.setFault({ front: 'sessionExpired', operation: 'remote.output', times: 1 })
  await client.remote.output({ vid: value.data?.[0]?.id ?? 0, otype: 'e', out: 1, state: false }, { overtakes: true })
  expect([gateway.requests.filter(({ operation }) => operation === 'remote.output').length, logins()]).toEqual([2, 2])
})

/** A server that speaks no version of TLS that is accepted, or none at all. */
it.each([
  ['1.1', 'TLSv1.1' as const],
  ['1.0', 'TLSv1' as const]
])('a server that speaks only TLS %s is named so, and its certificate is not blamed', async (_, maxVersion) => {
  const server = createSecureServer({
    ...issue({ name: 'gateway', for: ['127.0.0.1'] }),
    minVersion: 'TLSv1',
    maxVersion,
    ciphers: 'DEFAULT@SECLEVEL=0'
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const ways = createGatewayRoutes({
    proxies: createProxies({ choice: () => ({ kind: 'none' }) }),
    trust: createTrust(() => []),
    interfaces: () => ({})
  })
  const client = createGatewayClient({
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    credentials: () => Promise.resolve({ user: 'a@example.com', password: 'b' }),
    ways
  })
  onTestFinished(() => {
    client.close()
    server.close()
  })
  const error = await failure(client.user.own())
  expect(error).toMatchObject({ code: 'UNREACHABLE', fate: 'notSent', sentence: { id: 'gateway.oldTls' } })
  expect(english(error.sentence)).not.toContain('certificate')
  expect(await client.status()).toMatchObject({
    state: 'unreachable',
    hindrance: 'encryption',
    detail: { id: 'gateway.oldTls' }
  })
})
