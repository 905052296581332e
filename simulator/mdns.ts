import { networkInterfaces } from 'node:os'
import type { RemoteInfo } from 'node:dgram'
import type { Answer, Question } from 'dns-packet'
import { Bonjour } from 'bonjour-service'
import type { MulticastDNS } from 'multicast-dns'

/** The announcement: `<host>.local` with one `_http._tcp` service on that port. */
export interface Announced {
  /** Host name without `.local`. */
  hostname: string
  port: number
}

export type Announcer = Awaited<ReturnType<typeof startAnnouncer>>

/** The responder inside bonjour-service: it stores records and answers queries for them. */
interface Responder {
  mdns: MulticastDNS
  register(records: Answer[]): void
  unregister(records: Answer[]): void
}

interface Card {
  address: string
  netmask: string
  responder: Responder
}

const mdnsPort = 5353
const serviceType = '_http._tcp.local'
const serviceTypesName = '_services._dns-sd._udp.local'
const hostTtlS = 120
const serviceTtlS = 4500
const readyWithinMs = 3000
/** RFC 6762, 8.3: an announcement is sent at least twice, a second apart. */
const repeatAfterMs = 1000

/**
 * Announces devices over real multicast DNS on the card with address `host`, or on all. An unusable card is a problem,
 * not an error.
 */
export async function startAnnouncer(host: string) {
  const problems: string[] = []
  const cards: Card[] = []
  for (const { address, netmask } of cardsOf(host)) {
    try {
      cards.push({ address, netmask, responder: await openCard(address, problems) })
    } catch (error) {
      problems.push(`Cannot announce on ${address}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const active = new Map<Announced, NodeJS.Timeout>()

  for (const card of cards) {
    card.responder.mdns.on('query', (query, from) => {
      if (from.port === mdnsPort) return
      for (const announced of active.keys()) answerSimpleResolver(card, announced, query, from)
    })
  }

  async function withdraw(announced: Announced, withGoodbye: boolean): Promise<void> {
    const timer = active.get(announced)
    if (!timer) return
    clearTimeout(timer)
    active.delete(announced)
    for (const card of cards) {
      card.responder.unregister(recordsOf(announced, card.address))
      // It removes records by name, and the devices share the names of the service type.
      for (const other of active.keys()) card.responder.register(recordsOf(other, card.address))
    }
    if (!withGoodbye) return
    await Promise.all(cards.map((card) => respond(card, { answers: goodbyeOf(announced, card.address) })))
  }

  return {
    addresses: cards.map((card) => card.address),
    problems,
    announce: async (announced: Announced) => {
      for (const card of cards) card.responder.register(recordsOf(announced, card.address))
      const tell = () =>
        Promise.all(cards.map((card) => respond(card, { answers: recordsOf(announced, card.address) })))
      const timer = setTimeout(() => void tell(), repeatAfterMs)
      timer.unref()
      active.set(announced, timer)
      await tell()
      return {
        /** Withdraws it; `withGoodbye: false` leaves it in caches, like a device that lost power. */
        stop: ({ withGoodbye = true }: { withGoodbye?: boolean } = {}) => withdraw(announced, withGoodbye)
      }
    },
    stop: async () => {
      for (const announced of [...active.keys()]) await withdraw(announced, true)
      await Promise.all(cards.map((card) => new Promise<void>((resolve) => card.responder.mdns.destroy(resolve))))
    }
  }

  function respond(card: Card, message: { answers: Answer[]; additionals?: Answer[] }, to?: RemoteInfo): Promise<void> {
    return new Promise((resolve) => {
      const done = (error?: Error | null) => {
        if (error) addProblem(problems, `Cannot announce on ${card.address}: ${error.message}`)
        resolve()
      }
      if (to) card.responder.mdns.respond(message, to, done)
      else card.responder.mdns.respond(message, done)
    })
  }

  /**
   * A simple resolver (RFC 6762, 6.7) needs a unicast answer, which bonjour-service does not give; only its network's
   * card answers.
   */
  function answerSimpleResolver(
    card: Card,
    announced: Announced,
    query: { id?: number; questions?: Question[] },
    from: RemoteInfo
  ): void {
    const records = recordsOf(announced, card.address)
    const isAsked = (record: Answer) =>
      (query.questions ?? []).some(
        (question) =>
          isSameName(question.name, record.name) &&
          (question.type === record.type || (question.type as string) === 'ANY')
      )
    const answers = records.filter(isAsked)
    if (answers.length === 0) return
    if (!isSameNetwork(card, from.address)) return
    const additionals = answers.some(({ type }) => type !== 'A')
      ? records.filter((record) => !answers.includes(record))
      : []
    const legacy = { id: query.id ?? 0, questions: query.questions ?? [], answers, additionals }
    void respond(card, legacy, from)
  }
}

function recordsOf({ hostname, port }: Announced, address: string): Answer[] {
  const host = `${hostname}.local`
  const instance = `${hostname}.${serviceType}`
  return [
    { type: 'PTR', name: serviceType, ttl: serviceTtlS, data: instance },
    { type: 'PTR', name: serviceTypesName, ttl: serviceTtlS, data: serviceType },
    { type: 'SRV', name: instance, ttl: hostTtlS, flush: true, data: { priority: 0, weight: 0, port, target: host } },
    { type: 'TXT', name: instance, ttl: serviceTtlS, flush: true, data: ['path=/'] },
    { type: 'A', name: host, ttl: hostTtlS, flush: true, data: address }
  ]
}

/** The list of service types is shared with other devices, so it gets no goodbye. */
function goodbyeOf(announced: Announced, address: string): Answer[] {
  return recordsOf(announced, address)
    .filter(({ name }) => name !== serviceTypesName)
    .map((record) => ({ ...record, ttl: 0 }) as Answer)
}

function openCard(address: string, problems: string[]): Promise<Responder> {
  return new Promise((resolve, reject) => {
    const report = (error: Error) => addProblem(problems, `mDNS on ${address}: ${error.message}`)
    // On Linux a socket bound to the card's own address receives no multicast. The library's own `publish` would
    // announce the address of every card and leave out loopback, so its responder gets the records that are true on
    // this card.
    const bonjour = new Bonjour({ interface: address, bind: '0.0.0.0', loopback: true } as object, report)
    const responder = (bonjour as unknown as { server: Responder }).server
    const { mdns } = responder
    const timer = setTimeout(() => fail(new Error('the mDNS port did not open in 3 s')), readyWithinMs)
    const fail = (error: Error) => {
      clearTimeout(timer)
      mdns.destroy()
      reject(error)
    }
    mdns.once('error', fail)
    mdns.on('warning', (warning: Error) => addProblem(problems, `mDNS on ${address}: ${warning.message}`))
    mdns.once('ready', () => {
      clearTimeout(timer)
      mdns.off('error', fail)
      mdns.on('error', report)
      resolve(responder)
    })
  })
}

function addProblem(problems: string[], problem: string): void {
  if (!problems.includes(problem) && problems.length < 50) problems.push(problem)
}

function cardsOf(host: string): { address: string; netmask: string }[] {
  const all = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family }) => family === 'IPv4')
  if (host === '0.0.0.0') return all
  return [all.find(({ address }) => address === host) ?? { address: host, netmask: '255.255.255.255' }]
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function isSameNetwork(card: Card, address: string): boolean {
  return (toNumber(card.address) & toNumber(card.netmask)) === (toNumber(address) & toNumber(card.netmask))
}

function toNumber(ipv4: string): number {
  return ipv4.split('.').reduce((sum, part) => (sum << 8) | Number(part), 0)
}
