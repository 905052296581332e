import type { NetworkCard } from '../../../preload/contract/device/discovery.ts'
import { openCardSocket, type CardSocket, type CardTraffic } from './cardSocket.ts'
import { isOnCard, listCards, type Card, type Interfaces } from './cards.ts'
import { createQuerier, type HeardHost, type LookUp, type Querier } from './querier.ts'

export interface CardReport {
  card: Card
  traffic: CardTraffic
  hosts: number
}

export interface CardWatchOptions {
  interfaces: () => Interfaces
  onHost: (card: Card, host: HeardHost) => void
  onGone: (card: Card, name: string, reason: 'goodbye' | 'expired') => void
  onCards: () => void
  onNewCard: (card: Card) => void
  onResume: () => void
}

interface Station {
  card: Card
  socket: CardSocket
  querier: Querier
}

const lookMs = 1000
// A gap this long between two looks means that the computer was asleep.
const sleptMs = 15_000

export type CardWatch = ReturnType<typeof createCardWatch>

/** One querier per card address, created and removed with the cards. */
export function createCardWatch(options: CardWatchOptions) {
  const stations = new Map<string, Station>()
  let timer: NodeJS.Timeout | undefined
  let lookedAt = Date.now()

  /**
   * On Linux every socket on port 5353 receives the packets of all cards. A packet belongs to the card whose subnet
   * contains its sender; without such a card, to all of them.
   */
  const isFor = (card: Card, sender: string): boolean =>
    isOnCard(sender, card) ||
    ![...stations.values()].some((other) => other.socket.traffic().listening && isOnCard(sender, other.card))

  /** The last address is asked on its own card. */
  const partFor = (card: Card, { names, lastAddress }: LookUp): LookUp => ({
    names,
    lastAddress: lastAddress !== undefined && isOnCard(lastAddress, card) ? lastAddress : undefined
  })

  const open = (card: Card, urgent?: LookUp): void => {
    const socket = openCardSocket({
      card,
      onTraffic: options.onCards,
      onPacket: (packet, from, isOneShot) => {
        // RFC 6762 section 11: ignore a unicast answer from outside the card's subnet.
        if (isOneShot ? isOnCard(from.address, card) : isFor(card, from.address)) querier.hear(packet, from, isOneShot)
      }
    })
    const querier = createQuerier({
      send: (packet, from, to) => socket.send(packet, from, to),
      isListening: () => !socket.traffic().problem,
      onHost: (host) => options.onHost(card, host),
      onGone: (name, reason) => options.onGone(card, name, reason)
    })
    stations.set(card.id, { card, socket, querier })
    querier.start(urgent && partFor(card, urgent))
    options.onNewCard(card)
  }

  const shut = (station: Station, isCardGone: boolean): void => {
    const names = station.querier.hosts().map((host) => host.name)
    stations.delete(station.card.id)
    station.querier.stop()
    station.socket.close()
    if (isCardGone) for (const name of names) options.onGone(station.card, name, 'expired')
  }

  const look = (urgent?: LookUp): void => {
    const wall = Date.now()
    const hasSlept = wall - lookedAt > sleptMs
    lookedAt = wall
    const cards = listCards(options.interfaces())
    const present = new Set(cards.map((card) => card.id))
    let hasChanged = false
    for (const station of [...stations.values()]) {
      if (present.has(station.card.id)) continue
      shut(station, true)
      hasChanged = true
    }
    for (const card of cards) {
      if (stations.has(card.id)) continue
      open(card, urgent)
      hasChanged = true
    }
    if (hasChanged) options.onCards()
    if (hasSlept) {
      rebuild()
      options.onResume()
    }
  }

  const rebuild = (): void => {
    for (const station of [...stations.values()]) shut(station, false)
    for (const card of listCards(options.interfaces())) open(card)
    options.onCards()
  }

  return {
    start: (urgent?: LookUp): void => {
      lookedAt = Date.now()
      look(urgent)
      timer = setInterval(look, lookMs)
    },
    stop: (): void => {
      clearInterval(timer)
      for (const station of [...stations.values()]) shut(station, false)
    },
    /** Reopens every socket: after sleep the multicast memberships are stale. */
    rebuild,
    ask: (): void => {
      for (const { querier } of stations.values()) querier.ask()
    },
    verify: (name: string): void => {
      for (const { querier } of stations.values())
        if (querier.hosts().some((host) => host.name === name)) querier.verify(name)
    },
    confirm: (name: string): void => {
      for (const { querier } of stations.values()) querier.confirm(name)
    },
    lookUp: (wanted: LookUp): void => {
      for (const { card, querier } of stations.values()) querier.lookUp(partFor(card, wanted))
    },
    addressesOf: (name: string): string[] =>
      [...stations.values()].flatMap(({ querier }) =>
        querier.hosts().flatMap((host) => (host.name === name ? host.addresses.map((item) => item.address) : []))
      ),
    list: (): Card[] => [...stations.values()].map(({ card }) => card),
    cards: (): NetworkCard[] =>
      [...stations.values()].map(({ card, socket }) => {
        const { listening, problem } = socket.traffic()
        return { name: card.name, address: card.address, kind: card.kind, listening, problem }
      }),
    report: (): CardReport[] =>
      [...stations.values()].map(({ card, socket, querier }) => ({
        card,
        traffic: socket.traffic(),
        hosts: querier.hosts().length
      }))
  }
}
