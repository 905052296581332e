import { createSocket } from 'node:dgram'
import createMulticastDns, { type MulticastDNS } from 'multicast-dns'
import { decode, encode, type Answer, type Packet } from 'dns-packet'
import { afterEach, describe, expect, test } from 'vitest'
import { createDiscovery, probeDevice } from '../../../../main/device/discovery/index.ts'
import { startAnnouncer } from '../../../../simulator/mdns.ts'
import { startSimulation } from '../../../../simulator/simulation.ts'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})

/** Listens on the loopback card; `seen` holds the records of one host name, also those of other runs are heard. */
async function listen() {
  const mdns: MulticastDNS = createMulticastDns({ interface: '127.0.0.1', bind: '0.0.0.0' })
  stops.push(() => new Promise<void>((resolve) => mdns.destroy(resolve)))
  const heard: Answer[] = []
  const packets: Answer[][] = []
  mdns.on('response', (packet) => {
    heard.push(...packet.answers, ...packet.additionals)
    packets.push(packet.answers)
  })
  await new Promise<void>((resolve) => mdns.once('ready', resolve))
  const about = (hostname: string) => heard.filter((record) => JSON.stringify(record).includes(hostname))
  return { mdns, heard, packets, about }
}

describe('a simulated device on multicast DNS', () => {
  test('answers a query for services with its name, port and address', async () => {
    const { mdns, heard, about } = await listen()
    const simulation = await startSimulation({ mdns: true, seed: 4101 })
    stops.push(simulation.stop)
    const device = simulation.devices[0]!
    expect(simulation.announced).toEqual({ addresses: ['127.0.0.1'], problems: [] })
    expect(device.hostname).toMatch(/^ft4-\d{15}$/)
    heard.length = 0
    mdns.query('_http._tcp.local', 'PTR')
    await expect
      .poll(() => [...new Set(about(device.hostname).map(({ type }) => type))].sort())
      .toEqual(['A', 'PTR', 'SRV', 'TXT'])
    expect(about(device.hostname)).toContainEqual(
      expect.objectContaining({ type: 'A', name: `${device.hostname}.local`, data: '127.0.0.1' })
    )
    expect(about(device.hostname)).toContainEqual(
      expect.objectContaining({
        type: 'SRV',
        data: expect.objectContaining({ port: device.port, target: `${device.hostname}.local` })
      })
    )
  })

  test('announces itself without being asked, and answers for its host name in any letter case', async () => {
    const { mdns, packets, about } = await listen()
    const simulation = await startSimulation({ mdns: true, devices: 2, seed: 4102, model: 'ft5' })
    stops.push(simulation.stop)
    for (const { hostname } of simulation.devices) {
      await expect.poll(() => about(hostname).length).toBeGreaterThan(0)
    }
    const { hostname } = simulation.devices[1]!
    mdns.query(`${hostname.toUpperCase()}.local`, 'A')
    // An answer holds the address alone; an announcement holds everything.
    const addresses = () =>
      packets.filter((answers) => answers.length === 1 && answers[0]?.name === `${hostname}.local`)
    await expect.poll(() => addresses().length).toBeGreaterThan(0)
  })

  test('has a device under a changed name, and one that does not know its IMEI, as a technician’s computer finds them', async () => {
    const lo = {
      address: '127.0.0.1',
      netmask: '255.0.0.0',
      family: 'IPv4' as const,
      mac: '00:00:00:00:00:00',
      internal: true,
      cidr: null
    }
    const discovery = createDiscovery({ probe: probeDevice, models: () => ['ft4'], interfaces: () => ({ lo: [lo] }) })
    stops.push(() => Promise.resolve(discovery.stop()))
    const simulation = await startSimulation({ mdns: true, openSystemInfo: true, seed: 4_104, faults: ['renamed'] })
    stops.push(simulation.stop)
    const device = simulation.devices[0]!
    expect(device.announcedName()).toBe(`${device.hostname}-2`)
    discovery.watch()
    const found = () =>
      discovery.table().devices.filter(({ port, standing }) => port === device.port && standing !== 'lost')
    await expect.poll(found).toMatchObject([{ imei: device.imei, standing: 'verified', hostname: device.hostname }])
    device.setFault('renamed', false)
    await expect.poll(found).toMatchObject([{ imei: device.imei, standing: 'verified' }])
    device.setFault('noImei', true)
    await expect
      .poll(() => discovery.table().devices.filter(({ detail }) => detail.id === 'device.placeholderName'))
      .toMatchObject([{ imei: null, port: device.port }])
  })

  test('says goodbye when it stops, and says nothing when it loses power', async () => {
    const { about } = await listen()
    const simulation = await startSimulation({ mdns: true, devices: 2, seed: 4103 })
    stops.push(simulation.stop)
    const [silent, polite] = simulation.devices
    await silent!.stop({ withGoodbye: false })
    await polite!.stop()
    const goodbyes = (hostname: string) => about(hostname).filter((record) => 'ttl' in record && record.ttl === 0)
    await expect
      .poll(() =>
        goodbyes(polite!.hostname)
          .map(({ type }) => type)
          .sort()
      )
      .toEqual(['A', 'PTR', 'SRV', 'TXT'])
    expect(goodbyes(silent!.hostname)).toEqual([])
  })

  test('does not answer once it has stopped', async () => {
    const { mdns, heard, about } = await listen()
    const announcer = await startAnnouncer('127.0.0.1')
    stops.push(() => announcer.stop())
    const gone = await announcer.announce({ hostname: 'ft4-861234019999991', port: 1 })
    await announcer.announce({ hostname: 'ft4-861234018888885', port: 2 })
    await gone.stop()
    // A goodbye may still be on its way: it is no answer.
    const answered = (hostname: string) => about(hostname).filter((record) => 'ttl' in record && record.ttl !== 0)
    await expect.poll(() => about('ft4-861234019999991').length - answered('ft4-861234019999991').length).toBe(4)
    heard.length = 0
    mdns.query('_http._tcp.local', 'PTR')
    await expect.poll(() => about('ft4-861234018888885').length).toBeGreaterThan(0)
    expect(answered('ft4-861234019999991')).toEqual([])
  })

  test('answers a simple resolver on another port directly', async () => {
    const announcer = await startAnnouncer('127.0.0.1')
    stops.push(() => announcer.stop())
    const hostname = 'ft4-861234017777779'
    await announcer.announce({ hostname, port: 7 })
    const socket = createSocket('udp4')
    stops.push(() => new Promise<void>((resolve) => socket.close(() => resolve())))
    const heard: Packet[] = []
    socket.on('message', (message) => heard.push(decode(message)))
    await new Promise<void>((resolve) => socket.bind(0, resolve))
    socket.setMulticastInterface('127.0.0.1')
    const query = encode({ type: 'query', id: 77, questions: [{ type: 'A', name: `${hostname}.local` }] })
    socket.send(query, 5353, '224.0.0.251')
    await expect.poll(() => heard.length).toBeGreaterThan(0)
    expect(heard[0]).toMatchObject({
      id: 77,
      questions: [{ name: `${hostname}.local` }],
      answers: [{ type: 'A', data: '127.0.0.1' }]
    })
  })

  test('names the card that it cannot use and runs all the same', async () => {
    const announcer = await startAnnouncer('203.0.113.9')
    stops.push(() => announcer.stop())
    await announcer.announce({ hostname: 'ft4-861234017777779', port: 7 })
    await expect.poll(() => announcer.problems.join()).toContain('203.0.113.9')
  })
})
