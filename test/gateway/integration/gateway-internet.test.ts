import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { runDoctor } from '../../../main/app/doctor.ts'
import { createConnections } from '../../../main/gateway/accounts/connections.ts'
import { createInternetHandlers } from '../../../main/gateway/accounts/internetHandlers.ts'
import type { KeptInternet } from '../../../main/gateway/accounts/internet.ts'
import type { ConnectionStep } from '../../../preload/contract/app/internet.ts'
import { english } from '../../world/window/english.ts'
import { startProxyServer } from '../../world/gateway/proxyServer.ts'
import { startSecureGateway } from '../../world/gateway/secureGateway.ts'
import { fingerprintOf, issue, makeAuthority } from '../../world/gateway/testCertificates.ts'

const signal = new AbortController().signal

/**
 * What the settings page works with: a gateway with a certificate of the company, and a proxy that wants a password.
 */
async function openPage() {
  const company = makeAuthority('Company Root')
  const gateway = await startSecureGateway(issue({ name: 'gateway', for: ['127.0.0.1'] }, company))
  const proxy = await startProxyServer({ user: 'worker', password: 'proxy-word' })
  let kept: KeptInternet = { gatewayProxy: { kind: 'none' }, gatewayCard: '', gatewayAuthorities: [] }
  const connections = createConnections({
    gatewayUrl: () => `https://127.0.0.1:${gateway.port}/api`,
    deviceModels: () => [],
    inMemory: true,
    interfaces: () => ({}),
    given: { gateway: { user: 'someone@example.com', password: 'secret-word' } },
    internet: { get: () => kept, change: (change) => (kept = { ...kept, ...change }) }
  })
  const steps: ConnectionStep[] = []
  const calls = createInternetHandlers({
    connections,
    events: { tell: (_name, payload) => void steps.push(payload as ConnectionStep) }
  })
  onTestFinished(() => {
    connections.close()
    proxy.stop()
    gateway.stop()
  })
  return { company, gateway, proxy, calls, steps, connections, kept: () => kept }
}

const shown = (steps: ConnectionStep[]) => steps.map(({ name, outcome }) => `${name} ${outcome}`)

test('a trial says step by step how far it came, and what to do', async () => {
  const { calls, company, proxy, steps } = await openPage()
  const refused = await calls['internet.try']({}, signal)
  expect(shown(refused.steps)).toEqual([
    'name notNeeded',
    'connected ok',
    'certificate failed',
    'proxy notReached',
    'answer notReached',
    'signIn notReached'
  ])
  expect(refused).toMatchObject({ ok: false, remedy: { id: 'gateway.certificateIssuer' } })
  expect(steps).toEqual(refused.steps)
  await calls['internet.addAuthority']({ pem: company.cert }, signal)
  const good = await calls['internet.try']({}, signal)
  expect(good).toMatchObject({ ok: true, remedy: null })
  expect(shown(good.steps)).toEqual([
    'name notNeeded',
    'connected ok',
    'proxy notNeeded',
    'certificate ok',
    'answer ok',
    'signIn ok'
  ])
  expect(good.steps.find(({ name }) => name === 'certificate')?.detail.values).toMatchObject({
    issuer: 'Company Root',
    validUntilAt: '2049-01-01T00:00:00.000Z'
  })
  await calls['internet.chooseProxy']({ proxy: { kind: 'address', address: proxy.url } }, signal)
  expect(await calls['internet.try']({}, signal)).toMatchObject({
    ok: false,
    remedy: { id: 'gateway.proxyWantsPassword', values: { proxy: proxy.label } }
  })
  await calls['internet.chooseProxy'](
    { proxy: { kind: 'address', address: proxy.url }, user: 'worker', password: 'proxy-word' },
    signal
  )
  expect(shown((await calls['internet.try']({}, signal)).steps)).toContain('proxy ok')
})

test('an address that is only typed is tested without the account, and a newer address ends the test of the one before', async () => {
  const { calls, company, steps, gateway } = await openPage()
  await calls['internet.addAuthority']({ pem: company.cert }, signal)
  const url = `https://localhost:${gateway.port}/api`
  const tried = await calls['internet.try']({ url }, signal)
  expect(shown(tried.steps)).toEqual([
    'name ok',
    'connected ok',
    'certificate failed',
    'proxy notReached',
    'answer notReached',
    'signIn notReached'
  ])
  const own = `https://127.0.0.1:${gateway.port}/api`
  const deaf = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void deaf.close())
  await once(deaf, 'listening')
  const ended: string[] = []
  const older = calls['internet.try']({ url: `http://127.0.0.1:${(deaf.address() as AddressInfo).port}/api` }, signal)
  await once(deaf, 'connection')
  const end = Promise.resolve(older).then(() => ended.push('older'))
  const good = await calls['internet.try']({ url: own }, signal)
  ended.push('newer')
  await end
  expect(ended).toEqual(['older', 'newer'])
  expect(good.ok).toBe(true)
  // Nobody signs in to an address that somebody only looks at.
  expect(shown(good.steps).at(-1)).toBe('signIn notNeeded')
  const ofOwn = steps.filter((step) => step.url === own)
  expect(ofOwn).toEqual(good.steps)
  expect(
    ofOwn
      .filter(({ outcome, name }) => outcome === 'ok' && (name === 'connected' || name === 'answer'))
      .every(({ tookMs }) => tookMs !== undefined && tookMs >= 1)
  ).toBe(true)
  await expect(
    Promise.resolve().then(() => calls['internet.try']({ url: 'not an address' }, signal))
  ).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

test('certificates are shown with fingerprint, subject and end, and go away again; what is none is refused in words', async () => {
  const { calls, company, kept, connections } = await openPage()
  const added = await calls['internet.addAuthority']({ pem: `some text\n${company.cert}` }, signal)
  expect(added.authorities).toEqual([
    {
      fingerprint: fingerprintOf(company),
      subject: 'Company Root',
      issuer: 'Company Root',
      validFrom: '2020-01-01T00:00:00.000Z',
      validUntil: '2049-01-01T00:00:00.000Z'
    }
  ])
  expect((await calls['internet.addAuthority']({ pem: company.cert }, signal)).authorities).toHaveLength(1)
  await connections.gateway.client().then((client) => client.user.own())
  const refused = async (pem: string) => {
    await expect(Promise.resolve().then(() => calls['internet.addAuthority']({ pem }, signal))).rejects.toMatchObject({
      code: 'INVALID_REQUEST'
    })
  }
  await refused('nothing')
  await refused(company.cert.replace('MII', 'MIX'))
  await refused(company.key + company.cert)
  await refused(company.cert.repeat(21))
  expect(
    (await calls['internet.removeAuthority']({ fingerprint: fingerprintOf(company) }, signal)).authorities
  ).toEqual([])
  expect(kept().gatewayAuthorities).toEqual([])
  // Also a connection that was open is not used any more.
  await expect(connections.gateway.client().then((client) => client.user.own())).rejects.toMatchObject({
    sentence: { id: 'gateway.certificateIssuer' }
  })
})

test('the password of a proxy is in the keychain and nowhere else, and leaves no text', async () => {
  const { calls, kept, connections, proxy } = await openPage()
  const chosen = await calls['internet.chooseProxy'](
    { proxy: { kind: 'address', address: proxy.url }, user: 'worker', password: 'proxy-word' },
    signal
  )
  expect(chosen).toMatchObject({ proxy: { kind: 'address', address: proxy.url }, proxyUser: 'worker' })
  expect(JSON.stringify([kept(), chosen])).not.toContain('proxy-word')
  expect(await connections.secrets.get(`proxy/${proxy.label}`)).toContain('proxy-word')
  expect(
    connections.redactor.text(
      `Proxy-Authorization: Basic ${Buffer.from('worker:proxy-word').toString('base64')} proxy-word`
    )
  ).not.toMatch(/proxy-word|d29ya2Vy/)
  await expect(
    calls['internet.chooseProxy'](
      { proxy: { kind: 'address', address: 'http://worker:proxy-word@127.0.0.1:3128' } },
      signal
    )
  ).rejects.toMatchObject({ sentence: { id: 'internet.noPasswordInAddress' } })
  await expect(
    calls['internet.chooseProxy']({ proxy: { kind: 'address', address: 'socks://127.0.0.1:1080' } }, signal)
  ).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  await expect(
    calls['internet.chooseProxy']({ proxy: { kind: 'pac', address: 'file:///etc/passwd' } }, signal)
  ).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
})

test('devices never use the proxy, the card or the certificates of the gateway', async () => {
  const { calls, connections, proxy } = await openPage()
  await calls['internet.chooseProxy']({ proxy: { kind: 'address', address: proxy.url } }, signal)
  await calls['internet.chooseCard']({ card: 'usb0' }, signal)
  await expect(
    connections.devices.openWith('127.0.0.1:9', { user: 'x', password: 'yyy' }).system.info({ signal })
  ).rejects.toMatchObject({ code: 'UNREACHABLE' })
  expect([proxy.asked, proxy.plain]).toEqual([[], []])
})

test('the self-test names the way: from where, through which proxy, and who vouches', async () => {
  const { calls, connections, company, proxy } = await openPage()
  const look = async () => {
    const findings = await runDoctor(connections, {
      dataFolder: '/nowhere',
      isTraining: true,
      checkData: () => Promise.resolve({ ok: true, findings: [], jobs: 0 }),
      mayBeOn: () => undefined,
      team: () => undefined,
      parts: ['connection']
    })
    return findings
      .filter(({ name }) => name.id.startsWith('internet.'))
      .map(({ ok, detail, remedy }) => ({ ok, detail: english(detail), remedy: remedy && english(remedy) }))
  }
  expect(await look()).toMatchObject([
    {
      ok: false,
      detail: expect.stringContaining('This computer does not trust the issuer of the gateway’s certificate') as string
    },
    { ok: true, detail: 'No company certificate added.' }
  ])
  await calls['internet.addAuthority']({ pem: company.cert }, signal)
  await calls['internet.chooseProxy'](
    { proxy: { kind: 'address', address: proxy.url }, user: 'worker', password: 'proxy-word' },
    signal
  )
  const [way, trust] = await look()
  expect(way).toMatchObject({ ok: true, remedy: null })
  expect(way?.detail).toContain(`${proxy.label} accepted the connection.`)
  expect(way?.detail).toContain('issued by Company Root')
  expect(trust).toMatchObject({ ok: true, detail: '1 company certificate added: Company Root.' })
  proxy.stop()
  expect(await look()).toMatchObject([
    { ok: false, detail: expect.stringContaining(`The proxy ${proxy.label} does not answer.`) as string },
    {}
  ])
})
