import { createSocket } from 'node:dgram'
import { decode, encode, type Answer } from 'dns-packet'
import fc from 'fast-check'
import { imeiOf } from './mdnsLab.ts'

/**
 * Sends mDNS packets that no well-behaved responder would, from the namespace it is started in:
 *   node rawMdns.ts storm ADDRESS COUNT     answers each question for _http._tcp as COUNT devices at once
 *   node rawMdns.ts fuzz ADDRESS COUNT SEED  sends COUNT broken packets, then says "sent"
 *   node rawMdns.ts linkLocal ADDRESS        one device that has a link-local IPv6 address only
 *   node rawMdns.ts rude ADDRESS             one device at that address, which never looks whether its name is in use
 *   node rawMdns.ts renamed ADDRESS         the same under the name with a number that it gets when its name is in use
 *   node rawMdns.ts hostile ADDRESS          one device that claims loopback, public and multicast addresses
 */
const [mode = '', address = '', count = '0', seed = '0'] = process.argv.slice(2)
const group = '224.0.0.251'
const web = '_http._tcp.local'

function answersOf(imei: string, addresses: Answer[], end = ''): Answer[] {
  const host = `ft4-${imei}${end}`
  return [
    { type: 'PTR', name: web, ttl: 4500, data: `${host}.${web}` },
    { type: 'SRV', name: `${host}.${web}`, ttl: 120, flush: true, data: { port: 8080, target: `${host}.local` } },
    ...addresses
  ]
}

const a = (imei: string, data: string, end = ''): Answer => ({
  type: 'A',
  name: `ft4-${imei}${end}.local`,
  ttl: 120,
  flush: true,
  data
})
const aaaa = (imei: string, data: string): Answer => ({
  type: 'AAAA',
  name: `ft4-${imei}.local`,
  ttl: 120,
  flush: true,
  data
})
const packet = (answers: Answer[]): Buffer => encode({ type: 'response', flags: 1024, answers })

function packetsOf(kind: string): Buffer[] {
  if (kind === 'storm') {
    return Array.from({ length: Number(count) }, (_, index) => {
      const imei = imeiOf(5000 + index)
      return packet(answersOf(imei, [a(imei, `10.9.${10 + Math.floor(index / 200)}.${1 + (index % 200)}`)]))
    })
  }
  const imei = imeiOf(4000)
  if (kind === 'linkLocal') return [packet(answersOf(imei, [aaaa(imei, 'fe80::1234')]))]
  if (kind === 'rude') return [packet(answersOf(imei, [a(imei, address)]))]
  if (kind === 'renamed') return [packet(answersOf(imei, [a(imei, address, '-2')], '-2'))]
  if (kind === 'hostile')
    return [packet(answersOf(imei, [a(imei, '127.0.0.1'), a(imei, '8.8.8.8'), a(imei, '224.0.0.5')]))]
  return []
}

const socket = createSocket({ type: 'udp4', reuseAddr: true })
socket.bind(5353, '0.0.0.0', () => {
  socket.addMembership(group, address)
  socket.setMulticastInterface(address)
  if (mode === 'fuzz') {
    const whole = packet([
      ...answersOf(imeiOf(1), []),
      { type: 'A', name: 'office-printer.local', ttl: 120, data: '10.9.2.1' },
      { type: 'TXT', name: `x.${web}`, ttl: 120, data: 'a=b' }
    ])
    const broken = fc.sample(
      fc.oneof(
        fc.uint8Array({ maxLength: 1400 }).map((bytes) => Buffer.from(bytes)),
        // Never the name itself: a packet that is whole but for another name would be another device's.
        fc.array(fc.tuple(fc.nat(39), fc.nat(255)), { minLength: 1, maxLength: 8 }).map((changes) => {
          const bytes = Buffer.from(whole)
          for (const [at, value] of changes) bytes[at] = value
          return bytes
        }),
        fc.nat(whole.length - 1).map((length) => whole.subarray(0, length))
      ),
      { numRuns: Number(count), seed: Number(seed) }
    )
    const next = (index: number): void => {
      const bytes = broken[index]
      if (bytes) socket.send(bytes, 5353, group, () => setImmediate(next, index + 1))
      else process.stdout.write('sent\n')
    }
    next(0)
    return
  }
  process.stdout.write('ready\n')
})

socket.on('message', (bytes, from) => {
  if (mode === 'fuzz') return
  let isAsked = false
  try {
    const query = decode(bytes)
    const names = mode === 'rude' ? [web, `ft4-${imeiOf(4000)}.local`] : [web]
    isAsked =
      query.type === 'query' &&
      (query.answers ?? []).length === 0 &&
      (query.questions ?? []).some((question) => names.includes(question.name))
  } catch {
    // Others may send what they like; only a whole question is answered.
    return
  }
  if (!isAsked) return
  for (const answer of packetsOf(mode)) {
    if (from.port === 5353) socket.send(answer, 5353, group)
    else socket.send(answer, from.port, from.address)
  }
})
