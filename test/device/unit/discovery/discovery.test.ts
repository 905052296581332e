import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  createDiscovery,
  probeDevice,
  type Discovery,
  type Probe,
  type ProbeResult
} from '../../../../main/device/discovery/index.ts'
import type { SeenDevice } from '../../../../preload/contract/device/discovery.ts'
import { imeiOf } from '../../../world/device/mdnsLab.ts'
import { message } from '../../../../preload/contract/messages.ts'

const imei = imeiOf(1)
const own: ProbeResult = { kind: 'device', hostname: `ft4-${imei}`, osVersion: '4.2' }
const noAnswer: ProbeResult = { kind: 'unreachable', detail: message('discovery.doesNotAnswer'), refused: false }
// A card of documentation addresses: nothing is there, and nothing can be sent from it.
const card = {
  eth9: [
    {
      address: '198.51.100.2',
      netmask: '255.255.255.240',
      family: 'IPv4' as const,
      mac: '00:00:00:00:00:01',
      internal: false,
      cidr: null
    }
  ]
}

let discovery: Discovery | undefined
const create = (probe: Probe, more: Partial<Parameters<typeof createDiscovery>[0]> = {}): Discovery => {
  discovery = createDiscovery({ probe, models: () => ['ft4'], interfaces: () => ({}), ...more })
  return discovery
}
afterEach(() => {
  discovery?.stop()
  vi.useRealTimers()
})

describe('Without mDNS', () => {
  test('an address that answers as a device is added, and remembered', async () => {
    const seen: SeenDevice[] = []
    const added = await create(() => Promise.resolve(own), {
      known: { find: () => undefined, seen: (device) => seen.push(device) }
    }).addAddress('10.0.0.5:9000')
    expect(added).toMatchObject({
      kind: 'added',
      device: { imei, addresses: ['10.0.0.5'], port: 9000, via: 'address', standing: 'answering' }
    })
    expect(seen.at(-1)?.imei).toBe(imei)
  })

  test('an address from a browser is that of its device; with https the reason is said, and nothing is asked', async () => {
    const asked: string[] = []
    const probe: Probe = ({ host, port }) => {
      asked.push(`${host}:${port}`)
      return Promise.resolve(own)
    }
    expect(await create(probe).addAddress(' http://10.0.0.5:9000/status?a=b ')).toMatchObject({ kind: 'added' })
    expect(await discovery?.addAddress('https://10.0.0.6/')).toEqual({
      kind: 'notADevice',
      detail: message('device.onlyHttp', { host: '10.0.0.6' })
    })
    expect(asked).toEqual(['10.0.0.5:9000'])
  })

  test('a public address is asked only after a person confirmed it', async () => {
    const asked: string[] = []
    const probe: Probe = ({ host }) => {
      asked.push(host)
      return Promise.resolve(own)
    }
    expect(await create(probe).addAddress('8.8.8.8')).toMatchObject({ kind: 'publicAddress' })
    expect(asked).toEqual([])
    expect(await discovery?.addAddress('8.8.8.8', { confirmPublic: true })).toMatchObject({ kind: 'added' })
  })

  test.each<[string, ProbeResult]>([
    ['8 9', own],
    ['10.0.0.5', { kind: 'wrongService', detail: message('discovery.otherStatus', { status: 404 }) }],
    ['10.0.0.5', noAnswer],
    ['10.0.0.5', { kind: 'device', hostname: 'nas', osVersion: null }]
  ])('%s answering %o is not a device', async (text, result) => {
    const added = await create(() => Promise.resolve(result)).addAddress(text)
    expect(added.kind).toBe('notADevice')
    expect(discovery?.table().devices).toEqual([])
  })

  test('a sweep asks every other address of the own subnet, at most eight at a time, and tells how far it is', async () => {
    let running = 0
    let most = 0
    const asked: string[] = []
    const probe: Probe = async ({ host }) => {
      running += 1
      most = Math.max(most, running)
      asked.push(host)
      await new Promise((done) => setTimeout(done, 5))
      running -= 1
      return host === '198.51.100.7' ? own : noAnswer
    }
    const steps: number[] = []
    const result = await create(probe, { interfaces: () => card }).sweep('eth9', {
      onProgress: (step) => steps.push(step.asked / step.total)
    })
    expect(result).toMatchObject({ asked: 13, found: [{ imei, via: 'sweep' }] })
    expect(asked.filter((host) => host.startsWith('198.51.100.')).length).toBe(13)
    expect(most).toBeLessThanOrEqual(8)
    expect(steps.at(-1)).toBe(1)
  })

  test('a sweep that is stopped asks nobody any more', async () => {
    const stop = new AbortController()
    let asked = 0
    const probe: Probe = (_target, signal) =>
      new Promise((_done, fail) => {
        asked += 1
        signal.addEventListener('abort', () => fail(new Error('stopped')))
      })
    const sweeping = create(probe, { interfaces: () => card }).sweep('eth9', { signal: stop.signal })
    stop.abort()
    await expect(sweeping).rejects.toMatchObject({ code: 'CANCELLED' })
    const before = asked
    await new Promise((done) => setImmediate(done))
    expect(asked).toBe(before)
  })

  test('a card that is not there is refused', async () => {
    await expect(create(() => Promise.resolve(own)).sweep('eth7')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })

  test('an IMEI is looked for at its last address, and a wrong one is told from one that is not heard', async () => {
    const find = (asked: string) =>
      asked === imei
        ? {
            model: 'ft4',
            lastVehicle: 'Truck 12',
            lastJobAt: null,
            lastAddress: '10.0.0.5',
            label: '',
            imei,
            lastSeenAt: '2026-10-01T08:00:00.000Z'
          }
        : undefined
    create(() => Promise.resolve(own), { known: { find, seen: () => undefined } })
    expect(await discovery?.findImei(` ${imei} `)).toMatchObject({
      kind: 'found',
      device: { imei, via: 'known', standing: 'verified', lastVehicle: 'Truck 12' }
    })
    expect(await discovery?.findImei(imeiOf(2), { timeoutMs: 20 })).toMatchObject({ kind: 'notHeard' })
    expect(await discovery?.findImei('1234')).toMatchObject({
      kind: 'badImei',
      detail: message('label.length', { n: 4 })
    })
    expect(await discovery?.findImei(`${imei.slice(0, 14)}${(Number(imei[14]) + 1) % 10}`)).toMatchObject({
      kind: 'badImei'
    })
  })

  test('a search for an IMEI can be given up', async () => {
    const stop = new AbortController()
    const search = create(() => Promise.resolve(noAnswer)).findImei(imei, { signal: stop.signal })
    stop.abort()
    await expect(search).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  test('the self-test says so when there is no network card', async () => {
    const findings = await create(() => Promise.resolve(own)).selfTest()
    expect(findings[0]).toMatchObject({ name: message('selfTest.cardsName'), ok: false })
    for (const finding of findings) expect(finding.ok || finding.remedy !== null).toBe(true)
  })
})

describe('A device that is watched', () => {
  beforeEach(() => vi.useFakeTimers())

  test('is lost after two missed probes, within 15 s, and back with the next answer', async () => {
    let answer: ProbeResult = own
    create(() => Promise.resolve(answer))
    await discovery?.addAddress('10.0.0.5')
    const standing = (): string | undefined => discovery?.table().devices[0]?.standing
    await vi.advanceTimersByTimeAsync(12_000)
    expect(standing()).toBe('answering')
    answer = noAnswer
    await vi.advanceTimersByTimeAsync(15_000)
    expect(standing()).toBe('lost')
    answer = own
    await vi.advanceTimersByTimeAsync(31_000)
    expect(standing()).toBe('answering')
  })

  test('is not lost by a single missed probe', async () => {
    const answers = [own, noAnswer]
    create(() => Promise.resolve(answers.shift() ?? own))
    const changes: string[] = []
    discovery?.onChange(({ devices }) => changes.push(devices[0]?.standing ?? ''))
    await discovery?.addAddress('10.0.0.5')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(changes).not.toContain('lost')
  })

  test('is waited for 2 s at most, even by a probe that hears nothing', async () => {
    let isDeaf = false
    create(() => (isDeaf ? new Promise(() => undefined) : Promise.resolve(own)))
    await discovery?.addAddress('10.0.0.5')
    isDeaf = true
    await vi.advanceTimersByTimeAsync(15_000)
    expect(discovery?.table().devices[0]?.standing).toBe('lost')
  })

  test('stays signed in when a person signed in while it was still being asked without a password', async () => {
    let answer: (result: ProbeResult) => void = () => undefined
    let asked = 0
    create(() => {
      asked += 1
      return asked === 2 ? new Promise((done) => (answer = done)) : Promise.resolve({ kind: 'needsSignIn' })
    })
    await discovery?.addAddress('10.0.0.5')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(asked).toBe(2)
    discovery?.learn('10.0.0.5:8080', { hostname: `ft4-${imei}`, osVersion: '4.2' })
    const standing = () => discovery?.table().devices[0]?.standing
    expect(standing()).toBe('answering')
    answer({ kind: 'needsSignIn' })
    await vi.advanceTimersByTimeAsync(0)
    expect(standing()).toBe('answering')
    // Asked after that, and still without: then it is so.
    await vi.advanceTimersByTimeAsync(5_000)
    expect(standing()).toBe('needsSignIn')
  })

  test('that answers with what it was picked with is signed in from its first answer on', async () => {
    create(() => Promise.resolve({ ...own, isSignedIn: true }))
    expect(await discovery?.addAddress('10.0.0.5')).toMatchObject({
      kind: 'added',
      device: { imei, standing: 'answering', signedIn: true }
    })
  })

  test('is told of with what it answers, also while its other address is silent', async () => {
    let isDeaf = false
    let osVersion = '4.2'
    create(({ host }) =>
      isDeaf && host === '10.0.0.5' ? new Promise(() => undefined) : Promise.resolve({ ...own, osVersion })
    )
    for (const address of ['10.0.0.5', '10.0.0.6']) await discovery?.addAddress(address)
    expect(discovery?.table().devices).toMatchObject([{ addresses: expect.arrayContaining(['10.0.0.5', '10.0.0.6']) }])
    await vi.advanceTimersByTimeAsync(6_000)
    isDeaf = true
    osVersion = '4.3'
    const versions: unknown[] = []
    discovery?.onChange(({ devices }) => versions.push(...devices.map((device) => device.osVersion)))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(versions).toContain('4.3')
  })

  test('whose two addresses answer since different moments is two', async () => {
    create(({ host }) => Promise.resolve({ ...own, upSinceMs: host === '10.0.0.6' ? 0 : 60_000 }))
    for (const address of ['10.0.0.5', '10.0.0.6']) await discovery?.addAddress(address)
    await vi.advanceTimersByTimeAsync(6_000)
    expect(discovery?.table().devices).toMatchObject([{ standing: 'conflict', detail: { id: 'discovery.twoAnswer' } }])
    expect(await discovery?.probeNow(discovery.table().devices[0]!.key)).toMatchObject({ standing: 'conflict' })
  })

  test('is told of as seen now for as long as it answers', async () => {
    const seenAt: string[] = []
    create(() => Promise.resolve(own), { now: () => new Date() })
    discovery?.onChange(({ devices }) => seenAt.push(...devices.map((device) => device.lastSeenAt)))
    await discovery?.addAddress('10.0.0.5')
    await vi.advanceTimersByTimeAsync(12 * 60_000)
    expect(Date.now() - Date.parse(seenAt.at(-1) ?? '')).toBeLessThan(20_000)
  })

  test('is told of when what is remembered of it changed', async () => {
    const vehicles: (string | null)[] = []
    let lastVehicle: string | null = null
    const known = {
      find: () => ({
        imei,
        model: 'ft4',
        label: '',
        lastVehicle,
        lastAddress: null,
        lastJobAt: null,
        lastSeenAt: '2026-01-01T00:00:00.000Z'
      }),
      seen: () => undefined
    }
    create(() => Promise.resolve(own), { known })
    discovery?.onChange(({ devices }) => vehicles.push(...devices.map((device) => device.lastVehicle)))
    await discovery?.addAddress('10.0.0.5')
    await vi.advanceTimersByTimeAsync(100)
    lastVehicle = 'Truck 12'
    discovery?.remembered(imei)
    await vi.advanceTimersByTimeAsync(100)
    expect(vehicles).toEqual([null, 'Truck 12'])
  })

  test('shows that a person signed in', async () => {
    create(() => Promise.resolve(own))
    await discovery?.addAddress('10.0.0.5')
    discovery?.setSignedIn('10.0.0.5:8080', true)
    expect(discovery?.table().devices[0]?.signedIn).toBe(true)
  })
})

describe('The question to a device', () => {
  let server: Server
  let reply: (authorization: string | undefined) => { status: number; body: string } | undefined
  const ask = (port = (server.address() as { port: number }).port): Promise<ProbeResult> =>
    probeDevice({ host: '127.0.0.1', port }, new AbortController().signal)

  beforeEach(async () => {
    server = createServer((request, answer) => {
      const result = reply(request.headers.authorization)
      if (!result) return
      answer.statusCode = result.status
      answer.end(request.url === '/system-info' ? result.body : 'wrong path')
    }).listen(0, '127.0.0.1')
    await new Promise((done) => server.once('listening', done))
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  test('carries no credentials and reads the host name', async () => {
    let authorization: string | undefined = 'none yet'
    reply = (header) => {
      authorization = header
      return { status: 200, body: JSON.stringify({ hostname: `ft4-${imei}`, osVersion: '4.2' }) }
    }
    expect(await ask()).toEqual({ kind: 'device', hostname: `ft4-${imei}`, osVersion: '4.2' })
    expect(authorization).toBeUndefined()
  })

  test('gives up a device that never answers, after 2 s', async () => {
    reply = () => undefined
    const startedMs = performance.now()
    expect(await ask()).toMatchObject({ kind: 'unreachable', refused: false })
    expect(performance.now() - startedMs).toBeGreaterThan(1_900)
  })

  test('tells a closed port and an endless answer', async () => {
    const { port } = server.address() as { port: number }
    reply = () => ({ status: 200, body: JSON.stringify({ hostname: `ft4-${imei}`, more: 'x'.repeat(400_000) }) })
    expect((await ask()).kind).not.toBe('device')
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
    expect(await ask(port)).toMatchObject({ kind: 'unreachable', refused: true })
  })
})
