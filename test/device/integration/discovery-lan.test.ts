// @module-tag long
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { resolve } from 'node:path'
import type { Finding } from '../../../preload/contract/app/app.ts'
import type { DeviceTable, SeenDevice } from '../../../preload/contract/device/discovery.ts'
import type { AddedAddress, FoundImei } from '../../../main/device/discovery/index.ts'
import {
  imeiOf,
  labObstacle,
  openLab,
  readJsonLines,
  type JsonLines,
  type Lab,
  type LabHost
} from '../../world/device/mdnsLab.ts'
import { message } from '../../../preload/contract/messages.ts'

const obstacle = labObstacle()
if (obstacle && process.env['CI'] === 'true') throw new Error(`The mDNS lab cannot run: ${obstacle}.`)
if (obstacle) process.stderr.write(`Discovery on a real network is not tested here: ${obstacle}.\n`)

interface Line {
  atMs: number
  table?: DeviceTable
  result?: unknown
  of?: string
}

const web = [{ type: '_http._tcp', port: 8080 }]
const script = resolve(import.meta.dirname, '..', '..', 'world', 'device', 'discoveryChild.ts')
const device = (line: Line, imei: string): SeenDevice | undefined =>
  line.table?.devices.find((item) => item.imei === imei)

describe.skipIf(obstacle !== undefined)('Discovery on a network with real mDNS responders', () => {
  let lab: Lab
  let running: JsonLines<Line>[] = []
  const senders: (() => void)[] = []
  const hosts: Record<string, LabHost> = {}

  const start = (): JsonLines<Line> => {
    const child = readJsonLines<Line>(lab.spawnIn(lab.tech, process.execPath, [script]))
    running.push(child)
    return child
  }
  const ask = async <T>(
    child: JsonLines<Line>,
    command: { do: string; text?: string },
    limitMs = 10_000
  ): Promise<T> => {
    const from = child.lines.length
    child.send(command)
    const line = await child.until(
      (item) => item.of === command.do && child.lines.indexOf(item) >= from,
      `an answer to ${command.do}`,
      limitMs
    )
    return line.result as T
  }

  beforeAll(async () => {
    lab = openLab([
      { name: 'br0', tech: '10.9.0.1/16' },
      { name: 'br1', tech: '10.8.0.1/16' }
    ])
    hosts['open'] = lab.addHost({ hostname: `ft4-${imeiOf(1)}`, on: { br0: '10.9.1.1/16' }, services: web })
    hosts['locked'] = lab.addHost({ hostname: `ft4-${imeiOf(2)}`, on: { br0: '10.9.1.2/16' }, services: web })
    hosts['twoCards'] = lab.addHost({
      hostname: `ft4-${imeiOf(3)}`,
      on: { br0: '10.9.1.3/16', br1: '10.8.1.3/16' },
      services: web
    })
    hosts['other'] = lab.addHost({
      hostname: `ft5-${imeiOf(4)}`,
      on: { br1: '10.8.1.4/16' },
      services: [{ type: '_tracker._tcp', port: 8080 }]
    })
    hosts['silent'] = lab.addHost({ hostname: `ft4-${imeiOf(5)}`, on: { br0: '10.9.1.5/16' } })
    hosts['impostor'] = lab.addHost({ hostname: `ft4-${imeiOf(6)}`, on: { br0: '10.9.1.6/16' }, services: web })
    hosts['page'] = lab.addHost({ hostname: `ft4-${imeiOf(7)}`, on: { br0: '10.9.1.7/16' }, services: web })
    hosts['noMdns'] = lab.addHost({ hostname: `ft4-${imeiOf(8)}`, on: { br0: '10.9.0.8/16' }, hasMdns: false })
    lab.addHost({
      hostname: 'office-printer',
      on: { br0: '10.9.2.1/16' },
      services: [{ type: '_ipp._tcp', port: 631 }, ...web]
    })
    lab.addHost({ hostname: `ft4-${imeiOf(9).slice(0, 14)}`, on: { br0: '10.9.2.2/16' }, services: web })
    const wrong = (Number(imeiOf(10)[14]) + 1) % 10
    lab.addHost({ hostname: `ft4-${imeiOf(10).slice(0, 14)}${wrong}`, on: { br1: '10.8.2.3/16' }, services: web })
    await Promise.all([
      hosts['open'].serve({}),
      hosts['locked'].serve({ mode: 'locked' }),
      hosts['twoCards'].serve({}),
      hosts['other'].serve({}),
      hosts['impostor'].serve({ hostname: `ft4-${imeiOf(77)}` }),
      hosts['page'].serve({ mode: 'page' }),
      hosts['noMdns'].serve({})
    ])
  })
  afterEach(async () => {
    await Promise.all(running.map((child) => child.stop()))
    running = []
    for (const stop of senders.splice(0)) stop()
  })
  afterAll(() => lab.close())

  test('every device on both cards is found with its standing, and nothing else', async () => {
    const child = start()
    const wanted: [string, SeenDevice['standing']][] = [
      [imeiOf(1), 'verified'],
      [imeiOf(2), 'needsSignIn'],
      [imeiOf(3), 'verified'],
      [imeiOf(4), 'verified'],
      [imeiOf(6), 'impostor'],
      [imeiOf(7), 'wrongService']
    ]
    const line = await child.until(
      (item) => wanted.every(([imei, standing]) => device(item, imei)?.standing === standing),
      'all six devices',
      15_000
    )
    // Host 5 advertises nothing, but its own start may still be heard.
    const seen = line.table?.devices.map((item) => item.imei).filter((imei) => imei !== imeiOf(5))
    expect(seen?.sort()).toEqual(wanted.map(([imei]) => imei).sort())
    expect(device(line, imeiOf(3))?.addresses.sort()).toEqual(['10.8.1.3', '10.9.1.3'])
    expect(device(line, imeiOf(4))?.card).toBe('eth1')
    expect(line.table?.cards.map((card) => [card.name, card.listening])).toEqual([
      ['eth0', true],
      ['eth1', true],
      ['lo', true]
    ])
  })

  test('an IMEI that was typed is found although its host advertises no service', async () => {
    const child = start()
    const found = await ask<FoundImei>(child, { do: 'findImei', text: imeiOf(5) })
    expect(found).toMatchObject({ kind: 'found', device: { imei: imeiOf(5), addresses: ['10.9.1.5'], via: 'imei' } })
    expect(await ask<FoundImei>(child, { do: 'findImei', text: '861234000000055' })).toMatchObject({ kind: 'badImei' })
    expect(await ask<FoundImei>(child, { do: 'findImei', text: imeiOf(99) })).toMatchObject({ kind: 'notHeard' })
  })

  test('a device without mDNS is found by its address and as the default gateway', async () => {
    const child = start()
    const added = await ask<AddedAddress>(child, { do: 'addAddress', text: '10.9.0.8' })
    expect(added).toMatchObject({
      kind: 'added',
      device: { imei: imeiOf(8), standing: 'answering', via: 'address', card: 'eth0' }
    })
    expect(await ask<AddedAddress>(child, { do: 'addAddress', text: '10.9.1.7' })).toMatchObject({ kind: 'notADevice' })
    expect(await ask<AddedAddress>(child, { do: 'addAddress', text: '8.8.8.8' })).toMatchObject({
      kind: 'publicAddress'
    })
    lab.ipIn(lab.tech, 'route', 'add', 'default', 'via', '10.9.0.8')
    try {
      const second = start()
      const line = await second.until((item) => device(item, imeiOf(8)) !== undefined, 'the gateway device')
      expect(device(line, imeiOf(8))).toMatchObject({ via: 'gateway-address', addresses: ['10.9.0.8'] })
    } finally {
      lab.ipIn(lab.tech, 'route', 'del', 'default')
    }
  })

  test('a changed address is followed within 2 s of its announcement, a goodbye at once', async () => {
    const host = lab.addHost({ hostname: `ft4-${imeiOf(20)}`, on: { br0: '10.9.3.1/16' }, services: web })
    await host.serve({})
    const child = start()
    await child.until((item) => device(item, imeiOf(20))?.standing === 'verified', 'the device')
    host.ip('addr', 'del', '10.9.3.1/16', 'dev', 'eth0')
    host.ip('addr', 'add', '10.9.3.2/16', 'brd', '+', 'dev', 'eth0')
    // The responder itself takes up to 3 s to probe for and announce its new address.
    await child.until((item) => device(item, imeiOf(20))?.addresses[0] === '10.9.3.2', 'the new address first', 6000)
    await child.until((item) => device(item, imeiOf(20))?.addresses.join() === '10.9.3.2', 'the old address gone', 3000)
    await host.stopMdns('SIGTERM')
    await child.until((item) => device(item, imeiOf(20))?.standing === 'lost', 'the goodbye', 2000)
  })

  test('a device that loses power is lost within 15 s and found again when it returns', async () => {
    const host = lab.addHost({ hostname: `ft4-${imeiOf(21)}`, on: { br0: '10.9.3.3/16' }, services: web })
    await host.serve({})
    const child = start()
    await child.until((item) => device(item, imeiOf(21))?.standing === 'verified', 'the device')
    await Promise.all([host.stopMdns('SIGKILL'), host.stopServing()])
    await child.until((item) => device(item, imeiOf(21))?.standing === 'lost', 'the loss', 15_000)
    await host.serve({})
    const from = child.lines.length
    host.startMdns()
    await child.until(
      (item) => device(item, imeiOf(21))?.standing === 'verified' && child.lines.indexOf(item) >= from,
      'its return'
    )
    await host.stopMdns('SIGTERM')
  })

  test('a card that goes down and comes back is listened to again', async () => {
    const child = start()
    await child.until((item) => device(item, imeiOf(4))?.standing === 'verified', 'the device on eth1')
    lab.ipIn(lab.tech, 'addr', 'del', '10.8.0.1/16', 'dev', 'eth1')
    lab.ipIn(lab.tech, 'link', 'set', 'eth1', 'down')
    await child.until(
      (item) => device(item, imeiOf(4))?.standing === 'lost' && item.table?.cards.length === 2,
      'the loss of the card',
      5000
    )
    lab.ipIn(lab.tech, 'link', 'set', 'eth1', 'up')
    lab.ipIn(lab.tech, 'addr', 'add', '10.8.0.1/16', 'brd', '+', 'dev', 'eth1')
    const from = child.lines.length
    const line = await child.until(
      (item) => child.lines.indexOf(item) >= from && device(item, imeiOf(4))?.standing === 'verified',
      'its return',
      8000
    )
    expect(device(line, imeiOf(3))?.addresses).toContain('10.9.1.3')
  })

  test('two hosts with one IMEI are a conflict until one of them leaves', async () => {
    const rival = lab.addHost({ hostname: `ft9-${imeiOf(1)}`, on: { br0: '10.9.3.4/16' }, services: web })
    const child = start()
    const line = await child.until((item) => device(item, imeiOf(1))?.standing === 'conflict', 'the conflict')
    expect(line.table?.devices.filter((item) => item.imei === imeiOf(1))).toHaveLength(1)
    await rival.stopMdns('SIGTERM')
    await child.until(
      (item) =>
        device(item, imeiOf(1))?.standing === 'verified' && child.lines.indexOf(item) > child.lines.indexOf(line),
      'the end of the conflict'
    )
  })

  test('devices are found and the self-test tells why when port 5353 is held exclusively', async () => {
    const holder = lab.spawnIn(lab.tech, process.execPath, [
      '-e',
      "const s=require('dgram').createSocket('udp4');s.bind(5353,'0.0.0.0',()=>console.log('held'))"
    ])
    await new Promise((done) => holder.stdout?.once('data', done))
    const child = start()
    const line = await child.until(
      (item) => [1, 2, 3, 4].every((number) => device(item, imeiOf(number)) !== undefined),
      'the devices'
    )
    expect(line.table?.cards[0]).toMatchObject({
      listening: false,
      problem: message('discovery.portHeld', { port: 5353 })
    })
    const findings = await ask<Finding[]>(child, { do: 'selfTest' })
    expect(findings.find((item) => item.name.id === 'selfTest.portName')).toMatchObject({
      ok: false,
      detail: {
        id: 'selfTest.portTakenBy',
        values: {
          programs: expect.arrayContaining([
            expect.objectContaining({ values: expect.objectContaining({ processId: String(holder.pid) }) })
          ])
        }
      }
    })
    holder.kill('SIGKILL')
    await child.until((item) => item.table?.cards.every((card) => card.listening) ?? false, 'the port free again', 8000)
  })

  test('devices are found beside a responder that shares port 5353', async () => {
    const holder = lab.spawnIn(lab.tech, process.execPath, [
      '-e',
      "const s=require('dgram').createSocket({type:'udp4',reuseAddr:true});s.bind(5353,'0.0.0.0',()=>console.log('held'))"
    ])
    await new Promise((done) => holder.stdout?.once('data', done))
    const child = start()
    const line = await child.until(
      (item) => [1, 2, 3, 4].every((number) => device(item, imeiOf(number)) !== undefined),
      'the devices'
    )
    expect(line.table?.cards.every((card) => card.listening)).toBe(true)
    holder.kill('SIGKILL')
  })

  const raw = async (host: LabHost, ...args: string[]): Promise<void> => {
    const child = lab.spawnIn(host.namespace, process.execPath, [
      resolve(import.meta.dirname, '..', '..', 'world', 'device', 'rawMdns.ts'),
      ...args
    ])
    child.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk))
    await new Promise((done) => child.stdout?.once('data', done))
    senders.push(() => void child.kill('SIGKILL'))
  }

  test('a device that lost its name to its own earlier announcement is found under the changed one, proves who it is, and is one device', async () => {
    const renamed = [
      [31, '-2', '10.9.5.1'],
      [32, '-17', '10.9.5.2']
    ] as const
    for (const [number, end, address] of renamed) {
      const host = lab.addHost({ hostname: `ft4-${imeiOf(number)}${end}`, on: { br0: `${address}/16` }, services: web })
      await host.serve({ hostname: `ft4-${imeiOf(number)}` })
      senders.push(() => void host.stopMdns('SIGTERM'))
    }
    const child = start()
    const line = await child.until(
      (item) => renamed.every(([number]) => device(item, imeiOf(number))?.standing === 'verified'),
      'both devices',
      15_000
    )
    for (const [number, , address] of renamed)
      expect(line.table?.devices.filter(({ imei }) => imei === imeiOf(number))).toMatchObject([
        { hostname: `ft4-${imeiOf(number)}`, addresses: [address] }
      ])
    // The same computer under its first name as well.
    const both = lab.addHost({ hostname: 'both', on: { br0: '10.9.5.3/16' }, hasMdns: false })
    await both.serve({ hostname: `ft4-${imeiOf(4000)}` })
    await raw(both, 'rude', '10.9.5.3')
    await raw(both, 'renamed', '10.9.5.3')
    const after = await child.until(
      (item) => device(item, imeiOf(4000))?.standing === 'verified',
      'the device with two names',
      15_000
    )
    expect(after.table?.devices.filter(({ addresses }) => addresses.includes('10.9.5.3'))).toHaveLength(1)
  })

  test('two devices that do not know their IMEI are two, and are no device of any IMEI', async () => {
    const zeros = `ft4-${'0'.repeat(15)}`
    const child = start()
    const told = (item: Line) =>
      (item.table?.devices ?? []).filter(({ detail }) => detail.id === 'device.placeholderName')
    const join = async (address: string, devices: number): Promise<Line> => {
      const host = lab.addHost({ hostname: zeros, on: { br0: `${address}/16` }, services: web })
      await host.serve({ hostname: zeros })
      senders.push(() => void host.stopMdns('SIGTERM'))
      return child.until((item) => told(item).length === devices, `${devices} of the devices`, 15_000)
    }
    // One after the other: two that ask for a name at the same moment both give it up, again and again.
    await join('10.9.5.4', 1)
    const line = await join('10.9.5.5', 2)
    expect(
      told(line)
        .map(({ imei, standing, addresses, verified }) => ({ imei, standing, addresses, verified }))
        .sort((a, b) => String(a.addresses).localeCompare(String(b.addresses)))
    ).toEqual([
      { imei: null, standing: 'answering', addresses: ['10.9.5.4'], verified: false },
      { imei: null, standing: 'answering', addresses: ['10.9.5.5'], verified: false }
    ])
  })

  test('a device that is heard but kept apart by the network is told with that cause', async () => {
    const host = lab.addHost({ hostname: `ft4-${imeiOf(33)}`, on: { br0: '10.9.5.6/16' }, services: web })
    await host.serve({})
    // Multicast passes; whoever asks for its address gets no answer, as behind an access point that isolates its
    // clients.
    host.ip('link', 'set', 'eth0', 'arp', 'off')
    const child = start()
    const line = await child.until(
      (item) => device(item, imeiOf(33))?.detail.id.startsWith('discovery.heardBut') ?? false,
      'its silence',
      15_000
    )
    expect(device(line, imeiOf(33))).toMatchObject({
      standing: 'found',
      detail: message('discovery.heardButApart', { where: '10.9.5.6:8080' })
    })
    await host.stopMdns('SIGTERM')
  })

  test('200 devices that answer at the same moment are all found', async () => {
    const host = lab.addHost({ hostname: 'storm', on: { br0: '10.9.4.1/16' }, hasMdns: false })
    await raw(host, 'storm', '10.9.4.1', '200')
    const child = start()
    const line = await child.until(
      (item) => (item.table?.devices.filter((one) => Number(one.imei?.slice(6, 14)) >= 5000).length ?? 0) >= 200,
      '200 devices',
      5000
    )
    expect(line.table?.devices.filter((one) => Number(one.imei?.slice(6, 14)) >= 5000)).toHaveLength(200)
  })

  test('2,500 broken packets on the wire bring no device in and stop nothing', async () => {
    const child = start()
    await child.until((item) => device(item, imeiOf(1))?.standing === 'verified', 'the real devices')
    await child.until(
      (item) => device(item, imeiOf(3)) !== undefined && device(item, imeiOf(4)) !== undefined,
      'the real devices'
    )
    const names = (line: Line | undefined): (string | null)[] =>
      (line?.table?.devices ?? []).map((one) => one.hostname).sort()
    const before = names(child.lines.findLast((item) => item.table))
    const host = lab.addHost({ hostname: 'fuzzer', on: { br0: '10.9.4.2/16' }, hasMdns: false })
    const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000)
    process.stdout.write(`Fuzzed mDNS packets on the wire: FUZZ_SEED=${seed}\n`)
    await raw(host, 'fuzz', '10.9.4.2', '2500', String(seed))
    const findings = await ask<Finding[]>(child, { do: 'selfTest' })
    expect(findings.find((item) => item.name.values['card'] === 'eth0')?.detail.values['unreadable']).toBeGreaterThan(
      100
    )
    expect(names(child.lines.findLast((item) => item.table))).toEqual(before)
  })

  test('two devices that use one name without asking for it are told within 9 s and before a sign-in, one on two networks is not', async () => {
    const twins = ['10.9.4.5', '10.9.4.6'].map((address) =>
      lab.addHost({ hostname: `twin-${address.at(-1)}`, on: { br0: `${address}/16` }, hasMdns: false })
    )
    await Promise.all(twins.map((twin) => twin.serve({ mode: 'locked' })))
    for (const [index, twin] of twins.entries()) await raw(twin, 'rude', index === 0 ? '10.9.4.5' : '10.9.4.6')
    const child = start()
    const line = await child.until((item) => device(item, imeiOf(4000))?.standing === 'conflict', 'the conflict', 9000)
    expect(device(line, imeiOf(4000))?.detail).toEqual(
      message('discovery.twoAddresses', { addresses: ['10.9.4.5', '10.9.4.6'] })
    )
    await child.until((item) => device(item, imeiOf(3))?.addresses.length === 2, 'the device on both networks')
    senders.splice(1, 1)[0]?.()
    await child.until(
      (item) =>
        device(item, imeiOf(4000))?.standing === 'needsSignIn' && child.lines.indexOf(item) > child.lines.indexOf(line),
      'the end of the conflict',
      30_000
    )
    expect(child.lines.map((item) => device(item, imeiOf(3))?.standing)).not.toContain('conflict')
  })

  test('two devices with one name on two networks are told by when they started, one at two addresses of a network is one', async () => {
    const host = (address: string, bridge: string) =>
      lab.addHost({ hostname: `ft4-${imeiOf(30)}`, on: { [bridge]: `${address}/16` }, services: web })
    const [here, there] = [host('10.9.4.7', 'br0'), host('10.8.4.7', 'br1')]
    await Promise.all([here.serve({}), there.serve({ upS: 900 })])
    // Each of its addresses is named alone, as by a device that is connected twice.
    const twice = lab.addHost({ hostname: 'twice', on: { br0: '10.9.4.8/16' }, hasMdns: false })
    twice.ip('addr', 'add', '10.9.4.9/16', 'dev', 'eth0')
    await twice.serve({ hostname: `ft4-${imeiOf(4000)}` })
    for (const address of ['10.9.4.8', '10.9.4.9']) await raw(twice, 'rude', address)
    const child = start()
    const line = await child.until((item) => device(item, imeiOf(30))?.standing === 'conflict', 'the conflict')
    expect(device(line, imeiOf(30))?.detail).toEqual(
      message('discovery.twoAnswer', { addresses: ['10.8.4.7', '10.9.4.7'] })
    )
    // Its two addresses compete by now; the other tests show how soon that is told of two devices.
    await child.until(
      (item) => device(item, imeiOf(4000))?.standing === 'verified' && item.atMs > 12_000,
      'the device that is connected twice',
      25_000
    )
    expect(
      child.lines
        .findLast((item) => item.table)
        ?.table?.devices.find(({ imei }) => imei === imeiOf(4000))
        ?.addresses.sort()
    ).toEqual(['10.9.4.8', '10.9.4.9'])
    await there.stopMdns('SIGTERM')
    const from = child.lines.length
    await child.until(
      (item) => device(item, imeiOf(30))?.standing === 'verified' && child.lines.indexOf(item) >= from,
      'the end of the conflict',
      20_000
    )
    await here.stopMdns('SIGTERM')
  })

  test('a link-local IPv6 address is kept with its card where there is no other, claims of foreign addresses are not', async () => {
    const first = lab.addHost({ hostname: 'linklocal', on: { br0: '10.9.4.3/16' }, hasMdns: false })
    await raw(first, 'linkLocal', '10.9.4.3')
    const child = start()
    const line = await child.until((item) => device(item, imeiOf(4000)) !== undefined, 'the device')
    expect(device(line, imeiOf(4000))?.addresses).toEqual(['fe80::1234%eth0'])
    for (const stop of senders.splice(0)) stop()
    const second = lab.addHost({ hostname: 'hostile', on: { br0: '10.9.4.4/16' }, hasMdns: false })
    await raw(second, 'hostile', '10.9.4.4')
    const other = start()
    const hostile = await other.until((item) => device(item, imeiOf(4000)) !== undefined, 'the device')
    expect(device(hostile, imeiOf(4000))).toMatchObject({ addresses: ['8.8.8.8'], standing: 'found' })
  })
})
