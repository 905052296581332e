import { networkInterfaces } from 'node:os'
import type { DeviceTable } from '../../../preload/contract/device/discovery.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { placeholderIn, readAnnouncedName, type DeviceName } from '../../../preload/contract/base/imei.ts'
import { createChanges } from './changes.ts'
import { createCardWatch, type CardWatch } from './cardWatch.ts'
import type { Card } from './cards.ts'
import type { Discovery, DiscoveryOptions } from './discovery.ts'
import { createProbeGate, placesOf, probeBeside, probeEntry, type ProbeAddress } from './prober.ts'
import type { ProbeResult } from './probe.ts'
import type { HeardHost, LookUp } from './querier.ts'
import { doubtfulAddresses } from './sameDevice.ts'
import { createSearch } from './search.ts'
import { checkOwnNetwork } from './networkSelfCheck.ts'
import { announcedName, liveSightings, type DeviceEntry, type Sighting, type Via } from './sighting.ts'
import { SightingTable } from './table.ts'

export { probeDevice, readStart, type Probe, type ProbeResult } from './probe.ts'
export type { AddedAddress, Discovery, DiscoveryOptions, FoundImei } from './discovery.ts'

const pollMs = 5000
const retryMs = 200
// Answers arrive in a storm; reading them comes before asking the found hosts.
const firstProbeMs = 30
const lostPollMs = 30_000
// The first two rounds of questions must be out before their answers can be judged.
const selfTestAfterMs = 1500

interface HeardPlace {
  card: Card
  host: HeardHost
  /** Of the sighting. */
  id: string
  addresses: Sighting['addresses']
  /** Absent for a device that does not know its IMEI yet. */
  device?: DeviceName & { isRenamed: boolean }
}

/** Finds devices on every network card, asks each for its identity, and maintains the table. */
export function createDiscovery(options: DiscoveryOptions): Discovery {
  const nowMs = (): number => performance.now()
  const now = options.now ?? (() => new Date())
  const probe = createProbeGate(options.probe)
  const polls = new Map<string, { timer: NodeJS.Timeout | undefined; isRunning: boolean; isAgain: boolean }>()
  /** When a person's sign-in last confirmed a device's identity. */
  const learnedAtMs = new Map<string, number>()
  const lookups = new Set<string>()
  const looks = new Set<() => void>()
  let sightings = new SightingTable({ nowMs, now, find: options.known?.find })
  let watching: CardWatch | undefined
  let ending = new AbortController()
  let gatewayTimer: NodeJS.Timeout | undefined
  let lastHeardAt: string | null = null
  let watchedSinceMs = -Infinity

  const changes = createChanges({
    table: () => sightings,
    cards: () => watching?.cards() ?? [],
    lastHeardAt: () => lastHeardAt,
    nowMs
  })

  const table = (): DeviceTable => ({
    devices: sightings.showAll(),
    cards: watching?.cards() ?? [],
    lastHeardAt,
    changeNumber: changes.changeNumber()
  })

  const changed = (entry?: DeviceEntry): void => {
    for (const look of [...looks]) look()
    changes.changed(entry)
  }

  const remember = (entry: DeviceEntry): void => {
    if (entry.imei && options.known) options.known.seen(sightings.show(entry))
  }

  const see = (sighting: Sighting): DeviceEntry | undefined => {
    const before = sightings.entries().length
    const entry = sightings.see(sighting)
    if (entry && sightings.entries().length > before) remember(entry)
    return entry
  }

  const isOwnAddress = (address: string): boolean => watching?.list().some((card) => card.address === address) ?? false

  const namesOf = (entry: DeviceEntry): string[] => [
    ...new Set(liveSightings(entry).flatMap((item) => announcedName(item) ?? []))
  ]

  /** Two misses in a row count as lost, unless mDNS heard the name since the first one. */
  const judgeMiss = (entry: DeviceEntry): void => {
    if (entry.misses < 2) {
      for (const name of namesOf(entry)) watching?.verify(name)
      return
    }
    const heardSince = liveSightings(entry).some(
      (item) => item.card !== null && item.hostname && item.heardAtMs > (entry.missedSinceMs ?? Infinity)
    )
    if (heardSince) sightings.markMute(entry)
    else entry.isLost ??= 'silent'
  }

  /** Its answer is shown before others are asked: those may be silent. */
  const compareBeside = async (
    entry: DeviceEntry,
    answer: { result: ProbeResult; place: ProbeAddress },
    signal: AbortSignal
  ): Promise<void> => {
    if (doubtfulAddresses(entry).length > 1) changed(entry)
    sightings.compare(entry, await probeBeside(entry, answer, probe, signal))
  }

  /** Asks one device who it is and plans the next time. */
  const poll = async (entry: DeviceEntry): Promise<void> => {
    const state = polls.get(entry.key) ?? { timer: undefined, isRunning: false, isAgain: false }
    polls.set(entry.key, state)
    if (state.isRunning) {
      state.isAgain = true
      return
    }
    clearTimeout(state.timer)
    state.isRunning = true
    const askedAtMs = nowMs()
    const { signal } = ending
    try {
      const outcome = await probeEntry(entry, probe, signal)
      if (signal.aborted || sightings.get(entry.key) !== entry) return
      // A person signed in while it was being asked without a password.
      const isOvertaken =
        outcome?.result.kind === 'needsSignIn' && (learnedAtMs.get(entry.key) ?? -Infinity) >= askedAtMs
      if (outcome && !isOvertaken) {
        const wasVerified = entry.answer?.result.kind === 'device'
        sightings.answered(entry, outcome.result, outcome.place)
        // A host that refuses the connection exists as well.
        if (outcome.result.kind !== 'unreachable' || (outcome.result.refused && entry.misses === 0))
          for (const name of namesOf(entry)) watching?.confirm(name)
        if (outcome.result.kind === 'device' && !wasVerified) remember(entry)
        await compareBeside(entry, outcome, signal)
        if (signal.aborted || sightings.get(entry.key) !== entry) return
      }
      if (entry.misses > 0) judgeMiss(entry)
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'CANCELLED')) throw error
      return
    } finally {
      state.isRunning = false
    }
    changed(entry)
    const isAgain = state.isAgain
    state.isAgain = false
    plan(entry, isAgain ? 0 : entry.isLost ? lostPollMs : entry.misses === 1 ? retryMs : pauseFor(entry))
  }

  const plan = (entry: DeviceEntry, delayMs: number): void => {
    const state = polls.get(entry.key) ?? { timer: undefined, isRunning: false, isAgain: false }
    polls.set(entry.key, state)
    if (state.isRunning) {
      state.isAgain ||= delayMs <= firstProbeMs
      return
    }
    clearTimeout(state.timer)
    state.timer = setTimeout(() => void poll(entry), delayMs)
  }

  const hearHost = (card: Card, host: HeardHost): void => {
    lastHeardAt = now().toISOString()
    const addresses = host.addresses
      .filter((item) => card.isLoopback || !item.address.startsWith('127.'))
      .map((item) => ({
        ...item,
        address: /^fe80/i.test(item.address) ? `${item.address}%${card.zone}` : item.address
      }))
    if (addresses.length === 0) return
    const id = `${card.id} ${host.name}`
    const device = readAnnouncedName(host.name)
    if (device) hearAt({ card, host, id, addresses, device })
    // Devices that do not know their IMEI yet share a name: each is known by its address alone.
    else for (const one of bestOf(addresses)) hearAt({ card, host, id: `${id} ${one.address}`, addresses: [one] })
  }

  const hearAt = ({ card, host, id, addresses, device }: HeardPlace): void => {
    const existing = device ? sightings.byImei(device.imei) : sightings.bySighting(id)
    const known = existing?.sightings.get(id)
    // A host that was gone is asked again even if it returns unchanged.
    const oldPlaces = known && !known.isGone && !existing?.isLost ? placeText(known) : ''
    const via: Via = lookups.has(host.name) && !known ? 'imei' : (known?.via ?? 'mdns')
    // A simulated device on this computer announces itself with each of its addresses.
    const competing = device && host.competing.some((address) => !isOwnAddress(address)) ? host.competing : []
    const names = device?.isRenamed
      ? { hostname: `${device.model}-${device.imei}.local`, renamedTo: host.name }
      : { hostname: device ? host.name : null }
    const entry = see({
      id,
      ...names,
      card: card.name,
      via,
      addresses,
      ports: portsOf(host),
      competing,
      heardAtMs: host.heardAtMs,
      isGone: false
    })
    if (!entry) return
    const current = entry.sightings.get(id)
    if (current && placeText(current) !== oldPlaces) plan(entry, firstProbeMs)
    changed(entry)
  }

  const hostGone = (card: Card, name: string, reason: 'goodbye' | 'expired'): void => {
    const id = `${card.id} ${name}`
    const ids = placeholderIn(name) === undefined ? [id] : sightings.sightingsOf(`${id} `)
    for (const one of ids) {
      const entry = sightings.leave(one, reason === 'goodbye' ? 'goodbye' : 'silent')
      if (!entry) continue
      plan(entry, entry.isLost ? lostPollMs : 0)
      changed(entry)
    }
  }

  const search = createSearch({
    options,
    probe,
    lookups,
    looks,
    nowMs,
    table: () => sightings,
    cards: () => watching,
    ending: () => ending.signal,
    watch: (urgent) => watch(urgent),
    see,
    remember,
    changed,
    planPoll: (entry) => plan(entry, pollMs)
  })

  const tryGateways = (): void => {
    gatewayTimer = undefined
    search.gatewayAddresses().catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'CANCELLED')) throw error
    })
  }

  const watch = (urgent?: LookUp): boolean => {
    const isNew = !watching
    if (!watching) {
      ending = new AbortController()
      watchedSinceMs = nowMs()
      sightings = new SightingTable({ nowMs, now, find: options.known?.find })
      watching = createCardWatch({
        interfaces: options.interfaces ?? networkInterfaces,
        onHost: hearHost,
        onGone: hostGone,
        onCards: () => {
          changed()
        },
        onNewCard: () => {
          gatewayTimer ??= setTimeout(tryGateways, firstProbeMs)
        },
        onResume: () => pollAll()
      })
      watching.start(urgent)
    }
    return isNew
  }

  const pollAll = (): void => {
    for (const entry of sightings.entries()) plan(entry, 0)
  }

  return {
    watch: () => {
      watch()
      return table()
    },
    table,
    stop: () => {
      ending.abort()
      watching?.stop()
      watching = undefined
      clearTimeout(gatewayTimer)
      changes.stop()
      gatewayTimer = undefined
      for (const state of polls.values()) clearTimeout(state.timer)
      polls.clear()
      learnedAtMs.clear()
    },
    ask: () => {
      watch()
      watching?.ask()
      pollAll()
      tryGateways()
    },
    onChange: changes.onChange,
    addAddress: search.addAddress,
    findImei: search.findImei,
    resumed: () => {
      watching?.rebuild()
      pollAll()
    },
    gatewayAddresses: search.gatewayAddresses,
    sweep: search.sweep,
    selfTest: async (isTerminal = false) => {
      watch()
      const leftMs = watchedSinceMs + selfTestAfterMs - nowMs()
      if (leftMs > 0) await new Promise((done) => setTimeout(done, leftMs))
      return checkOwnNetwork(watching?.report() ?? [], sightings.showAll(), isTerminal)
    },
    probeNow: async (key, { signal } = {}) => {
      const entry = sightings.get(key)
      if (!entry) return undefined
      const outcome = await probeEntry(entry, probe, signal ? AbortSignal.any([signal, ending.signal]) : ending.signal)
      if (outcome) sightings.answered(entry, outcome.result, outcome.place)
      if (outcome) await compareBeside(entry, outcome, ending.signal)
      changed(entry)
      return sightings.show(entry)
    },
    learn: (key, own) => {
      const entry = sightings.get(key)
      const place = entry?.answer ?? (entry && placesOf(entry)[0])
      if (!entry || !place) return
      sightings.answered(entry, { kind: 'device', ...own }, { address: place.address, port: place.port })
      learnedAtMs.set(key, nowMs())
      remember(entry)
      changed(entry)
    },
    setSignedIn: (key, isSignedIn) => {
      if (sightings.setSignedIn(key, isSignedIn)) changed(sightings.get(key))
    },
    remembered: (imei) => {
      const entry = sightings.byImei(imei)
      if (entry) changed(entry)
    }
  }
}

/** IPv4, or IPv6 where there is no other. */
function bestOf<Heard extends { address: string }>(addresses: readonly Heard[]): Heard[] {
  const plain = addresses.filter(({ address }) => !address.includes(':'))
  return plain.length > 0 ? plain : addresses.slice(0, 1)
}

/** A host whose name is announced but that never answers is asked less and less often. */
function pauseFor(entry: DeviceEntry): number {
  return Math.min(pollMs * 2 ** entry.muteRounds, 60_000)
}

function placeText(sighting: Sighting): string {
  return `${sighting.addresses
    .filter((item) => !item.isLeaving)
    .map((item) => item.address)
    .sort()
    .join(' ')} ${sighting.ports.join(' ')}`
}

/** Web services first, then ports above the reserved ones; 80 is the device's own management page. */
function portsOf(host: HeardHost): number[] {
  const isWeb = (type: string): boolean => type.includes('http')
  return [...host.services]
    .filter((service) => service.port !== 80 && (isWeb(service.type) || service.port > 1023))
    .sort((a, b) => Number(isWeb(b.type)) - Number(isWeb(a.type)) || a.port - b.port)
    .map((service) => service.port)
    .filter((port, index, all) => all.indexOf(port) === index)
    .slice(0, 3)
}
