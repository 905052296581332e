import { describe, expect, test } from 'vitest'
import {
  readProbeAnswer,
  type DeviceAnswer,
  type Probe,
  type ProbeResult
} from '../../../../main/device/discovery/probe.ts'
import { probeBeside, probeEntry } from '../../../../main/device/discovery/prober.ts'
import { doubtfulAddresses } from '../../../../main/device/discovery/sameDevice.ts'
import type { DeviceEntry, Sighting } from '../../../../main/device/discovery/sighting.ts'
import { SightingTable, standingOf } from '../../../../main/device/discovery/table.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { imeiOf } from '../../../world/device/mdnsLab.ts'

const imei = imeiOf(1)
const name = `ft4-${imei}`
const [a, b] = ['10.9.1.1', '10.9.1.2']
const elsewhere = '192.168.8.1'
const locked: ProbeResult = { kind: 'needsSignIn' }
const silent: ProbeResult = { kind: 'unreachable', detail: message('discovery.doesNotAnswer'), refused: false }

function tracker(more: Partial<DeviceAnswer> = {}): DeviceAnswer {
  return { kind: 'device', hostname: name, osVersion: '4.2', upSinceMs: 1_000, linkAddress: a, ...more }
}

/** A device as mDNS names it, and what answers at its addresses. */
function network() {
  const table = new SightingTable({ nowMs: () => 0, now: () => new Date(0) })
  const asked: string[] = []
  let entry: DeviceEntry | undefined
  return {
    asked,
    table,
    hear(addresses: string[], more: Partial<Sighting> = {}) {
      const { hostname = `${name}.local`, card = 'eth0' } = more
      entry = table.see({
        id: `${card} ${hostname}`,
        hostname,
        card,
        via: 'mdns',
        addresses: addresses.map((address) => ({ address, heardAtMs: 0, isLeaving: false })),
        ports: [8080],
        heardAtMs: 0,
        isGone: false,
        ...more
      })
      return entry!
    },
    hearRenamed: (addresses: string[]) =>
      table.see({
        id: 'eth0 rival',
        hostname: `${name}.local`,
        renamedTo: `${name}-2.local`,
        card: 'eth0',
        via: 'mdns',
        addresses: addresses.map((address) => ({ address, heardAtMs: 0, isLeaving: false })),
        ports: [8080],
        heardAtMs: 0,
        isGone: false
      }),
    async ask(answers: Record<string, ProbeResult>) {
      asked.length = 0
      const probe: Probe = ({ host, port }) => (
        asked.push(`${host}:${String(port)}`),
        Promise.resolve(answers[host] ?? silent)
      )
      const outcome = await probeEntry(entry!, probe, new AbortController().signal)
      table.answered(entry!, outcome!.result, outcome!.place)
      table.compare(entry!, await probeBeside(entry!, outcome!, probe, new AbortController().signal))
      return standingOf(entry!)
    }
  }
}

const two = (addresses: string[]) => ({ standing: 'conflict', detail: message('discovery.twoAnswer', { addresses }) })

describe('One device at two addresses of one network', () => {
  test('that are named one by one is one, as it started once and names one link', async () => {
    const { hear, ask, asked } = network()
    hear([a, b], { competing: [a, b] })
    expect(await ask({ [a]: tracker(), [b]: tracker({ upSinceMs: 4_400 }) })).toMatchObject({ standing: 'verified' })
    expect(asked.sort()).toEqual([`${a}:8080`, `${b}:8080`])
  })

  test('each with another name is one, whichever of them it answers with', async () => {
    for (const hostname of [name, `ft5-${imei}`]) {
      const { hear, ask } = network()
      hear([a])
      hear([b], { hostname: `ft5-${imei}.local` })
      expect(await ask({ [a]: tracker({ hostname }), [b]: tracker({ hostname }) })).toMatchObject({
        standing: 'verified'
      })
    }
  })

  test('that renamed itself because of its own announcement is one', async () => {
    const { hear, hearRenamed, ask } = network()
    hear([a])
    hearRenamed([b])
    expect(await ask({ [a]: tracker(), [b]: tracker() })).toMatchObject({ standing: 'verified' })
  })

  test('that is signed in at one of them is one where it names the other one as its own', async () => {
    const { hear, ask } = network()
    hear([a, b], { competing: [a, b] })
    expect(await ask({ [a]: tracker({ linkAddress: b, isSignedIn: true }), [b]: locked })).toMatchObject({
      standing: 'verified'
    })
    expect(await ask({ [a]: tracker({ isSignedIn: true }), [b]: locked })).toMatchObject({
      standing: 'conflict',
      detail: { id: 'discovery.twoAddresses' }
    })
    // At the address that it names there is something of another name.
    expect(
      await ask({ [a]: tracker({ linkAddress: b }), [b]: tracker({ hostname: `ft4-${imeiOf(2)}`, linkAddress: b }) })
    ).toMatchObject({ standing: 'conflict' })
  })

  test.each<[string, ProbeResult, ProbeResult]>([
    ['tells nothing before a sign-in', locked, locked],
    ['tells no start', tracker({ upSinceMs: undefined as never }), tracker()],
    ['tells no link', tracker({ linkAddress: undefined as never }), tracker({ linkAddress: undefined as never })],
    ['names another link at each', tracker(), tracker({ linkAddress: b })],
    ['answers at one of them only', tracker(), silent]
  ])('that %s may be two', async (_, atA, atB) => {
    const { hear, hearRenamed, ask } = network()
    hear([a, b], { competing: [a, b] })
    expect(await ask({ [a]: atA, [b]: atB })).toEqual({
      standing: 'conflict',
      detail: message('discovery.twoAddresses', { addresses: [a, b] })
    })
    hear([a])
    hearRenamed([b])
    expect(await ask({ [a]: atA, [b]: atB })).toEqual({
      standing: 'conflict',
      detail: message('discovery.twoHosts', { hosts: [name, `${name}-2`] })
    })
  })
})

describe('Two devices with one name', () => {
  test('on two networks are two, as they started at different moments', async () => {
    const { hear, ask, table } = network()
    hear([a])
    const entry = hear([elsewhere], { card: 'wlan0' })
    const answers = { [a]: tracker(), [elsewhere]: tracker({ upSinceMs: 4_600, linkAddress: elsewhere }) }
    expect(await ask(answers)).toEqual(two([a, elsewhere]))
    expect(await ask({ ...answers, [elsewhere]: tracker({ upSinceMs: -2_600, linkAddress: elsewhere }) })).toEqual(
      two([a, elsewhere])
    )
    expect(table.show(entry).verified).toBe(false)
    table.leave(`wlan0 ${name}.local`, 'silent')
    expect(await ask(answers)).toMatchObject({ standing: 'verified' })
  })

  test('on one network are two even before anyone compares their addresses', async () => {
    const { hear, hearRenamed, ask } = network()
    hear([a])
    hearRenamed([b])
    expect(await ask({ [a]: tracker(), [b]: tracker({ upSinceMs: 60_000 }) })).toEqual(two([a, b]))
  })

  test('of which one answers with another name are judged by the name alone', async () => {
    const { hear, ask } = network()
    hear([a])
    hear([elsewhere], { card: 'wlan0' })
    expect(
      await ask({ [a]: tracker(), [elsewhere]: tracker({ hostname: `ft4-${imeiOf(2)}`, upSinceMs: 60_000 }) })
    ).toMatchObject({ standing: 'verified' })
  })

  test('that started at one moment, or tell nothing, are not told apart', async () => {
    const { hear, ask } = network()
    hear([a])
    hear([elsewhere], { card: 'wlan0' })
    expect(await ask({ [a]: tracker(), [elsewhere]: tracker({ linkAddress: elsewhere }) })).toMatchObject({
      standing: 'verified'
    })
    expect(await ask({ [a]: locked, [elsewhere]: locked })).toMatchObject({ standing: 'needsSignIn' })
  })
})

describe('What is asked', () => {
  test('is one address where one packet named all, and the one that answers on both networks', async () => {
    const { hear, ask, asked } = network()
    hear([a, b])
    expect(await ask({ [a]: tracker() })).toMatchObject({ standing: 'verified' })
    expect(asked).toEqual([`${a}:8080`])
    hear([a], { card: 'wlan0' })
    await ask({ [a]: tracker() })
    expect(asked).toEqual([`${a}:8080`])
  })

  test('is one address where the device tells nothing before a sign-in', async () => {
    const { hear, ask, asked } = network()
    hear([a, b], { competing: [a, b] })
    await ask({ [a]: locked, [b]: tracker() })
    expect(asked).toHaveLength(1)
  })

  test('is never a public address, nor one that is leaving, nor a link-local one beside another', () => {
    const { hear, ask, asked, hearRenamed } = network()
    const entry = hear(['fe80::1%eth0', a])
    hear([], { card: 'wlan0', addresses: [{ address: elsewhere, heardAtMs: 0, isLeaving: true }] })
    expect(doubtfulAddresses(entry)).toEqual([a])
    hearRenamed(['8.8.8.8'])
    expect(doubtfulAddresses(entry)).toEqual([a, '8.8.8.8'].sort())
    return ask({ [a]: tracker() }).then(() => expect(asked).toEqual([`${a}:8080`]))
  })

  test('of a renamed host is never taken for this device', async () => {
    const { hear, hearRenamed, ask, asked } = network()
    const entry = hear([a])
    hearRenamed([b])
    await ask({ [a]: silent, [b]: tracker() })
    expect(entry.answer?.address).toBe(a)
    expect(asked.filter((one) => one.startsWith(a))).toHaveLength(1)
  })
})

test('an answer tells when the device started, and its link', () => {
  const answer = (body: object) => readProbeAnswer(200, JSON.stringify({ hostname: name, ...body }))
  const told = answer({ uptime: 340, netLink: { name: 'eth0', ip: a } })
  expect(told).toMatchObject({ linkAddress: a })
  expect(performance.now() - (told as DeviceAnswer).upSinceMs!).toBeGreaterThanOrEqual(340_000)
  for (const netLink of [null, 'eth0', {}, { ip: 5 }, { ip: '' }])
    expect(answer({ uptime: '340', netLink })).toEqual({ kind: 'device', hostname: name, osVersion: null })
})
