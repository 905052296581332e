import type { DeviceTable, SeenDevice } from '../../../preload/contract/device/discovery.ts'
import { parseDeviceName } from '../../../preload/contract/base/imei.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { hostWithPort } from '../../base/addresses/address.ts'
import { whyPlaceholder } from '../../base/reading/imeiSentence.ts'
import type { ProbeResult } from './probe.ts'
import { compareAddresses } from './sameDevice.ts'
import {
  announcedName,
  bareName,
  expectedName,
  isLinkLocal6,
  isSameHost,
  liveSightings,
  splitRenamed,
  type DeviceEntry,
  type Sighting
} from './sighting.ts'

type Standing = SeenDevice['standing']

export interface KnownDevice {
  model: string
  lastVehicle: string | null
  lastJobAt: string | null
  lastAddress: string | null
  label: string
}

export const mostDevices = 2000

function rankOf(entry: DeviceEntry, sighting: Sighting, item: Sighting['addresses'][number]): number {
  return (
    (sighting.isGone ? 8 : 0) +
    (item.isLeaving ? 4 : 0) +
    (entry.answer?.address === item.address && entry.misses === 0 ? 0 : 1) +
    (isLinkLocal6(item.address) ? 2 : 0)
  )
}

/** Addresses, best first: the one that answered, then the newest; link-local IPv6 only if there is no other. */
export function rankAddresses(entry: DeviceEntry): { address: string; sighting: Sighting }[] {
  const { rivals } = splitRenamed(entry)
  const all = [...entry.sightings.values()]
    .filter((sighting) => !rivals.includes(sighting))
    .flatMap((sighting) => sighting.addresses.map((item) => ({ item, sighting, rank: rankOf(entry, sighting, item) })))
  const usable = all.some(({ item }) => !item.address.includes(':'))
    ? all.filter(({ item }) => !isLinkLocal6(item.address))
    : all
  const seen = new Set<string>()
  return usable
    .sort((a, b) => a.rank - b.rank || b.item.heardAtMs - a.item.heardAtMs)
    .filter(({ item }) => !seen.has(item.address) && seen.add(item.address))
    .map(({ item, sighting }) => ({ address: item.address, sighting }))
}

function conflictingNames(entry: DeviceEntry): string[] {
  const { own, rivals } = splitRenamed(entry)
  const names = new Set([...own, ...rivals].flatMap((sighting) => announcedName(sighting) ?? []).map(bareName))
  return names.size > 1 ? [...names].sort() : []
}

/** The state with one sentence about it. */
export function standingOf(entry: DeviceEntry): { standing: Standing; detail: Message } {
  if (entry.isLost === 'goodbye') return { standing: 'lost', detail: message('discovery.saidGoodbye') }
  if (entry.isLost === 'silent') return { standing: 'lost', detail: message('discovery.stoppedAnswering') }
  const comparison = compareAddresses(entry)
  if (comparison.kind === 'two')
    return { standing: 'conflict', detail: message('discovery.twoAnswer', { addresses: comparison.addresses }) }
  const rivals = comparison.kind === 'one' ? [] : conflictingNames(entry)
  if (rivals.length > 0) return { standing: 'conflict', detail: message('discovery.twoHosts', { hosts: rivals }) }
  const competing =
    comparison.kind === 'one' ? [] : [...new Set(liveSightings(entry).flatMap((sighting) => sighting.competing ?? []))]
  if (competing.length > 0)
    return { standing: 'conflict', detail: message('discovery.twoAddresses', { addresses: competing }) }
  const name = expectedName(entry)
  const { answer } = entry
  if (!answer) return { standing: 'found', detail: message('discovery.nameHeard') }
  const where = hostWithPort(answer.address, answer.port)
  switch (answer.result.kind) {
    case 'needsSignIn':
      return { standing: 'needsSignIn', detail: message('discovery.wantsSignIn') }
    case 'wrongService':
      return {
        standing: 'wrongService',
        detail: message('discovery.somethingElse', { where, why: answer.result.detail })
      }
    case 'unreachable':
      // Only what never let a connection through can be kept apart by the network.
      if (answer.result.refused || answer.result.isConnected)
        return { standing: 'found', detail: message('discovery.heardButSilent', { where, why: answer.result.detail }) }
      return { standing: 'found', detail: message('discovery.heardButApart', { where }) }
    case 'device': {
      const own = answer.result.hostname
      const placeholder = whyPlaceholder(own)
      if (placeholder) return { standing: name ? 'impostor' : 'answering', detail: placeholder }
      if (!name) return { standing: 'answering', detail: message('discovery.answersAs', { where, name: own }) }
      if (isSameHost(name, own) || liveSightings(entry).some(({ hostname }) => hostname && isSameHost(hostname, own)))
        return { standing: 'verified', detail: message('discovery.sameName') }
      return {
        standing: 'impostor',
        detail: message('discovery.otherName', { name: bareName(name), ownName: own })
      }
    }
  }
}

/** The found devices, with the rules for merging, ageing and state. Knows no network and no timer. */
export class SightingTable {
  #entries = new Map<string, DeviceEntry>()
  readonly #startedMs: number
  readonly #options: {
    nowMs: () => number
    now: () => Date
    find?: ((imei: string) => KnownDevice | undefined) | undefined
  }

  constructor(options: {
    nowMs: () => number
    now: () => Date
    find?: ((imei: string) => KnownDevice | undefined) | undefined
  }) {
    this.#options = options
    this.#startedMs = options.nowMs()
  }

  entries(): DeviceEntry[] {
    return [...this.#entries.values()]
  }

  get(key: string): DeviceEntry | undefined {
    return this.#entries.get(key)
  }

  byImei(imei: string): DeviceEntry | undefined {
    return this.#entries.get(imei) ?? this.entries().find((entry) => entry.imei === imei)
  }

  byAddress(address: string, port?: number): DeviceEntry | undefined {
    return this.entries().find((entry) =>
      [...entry.sightings.values()].some(
        (sighting) =>
          !sighting.isGone &&
          sighting.addresses.some((item) => item.address === address) &&
          (port === undefined || sighting.ports.includes(port))
      )
    )
  }

  /** The device that was found at this place. */
  bySighting(id: string): DeviceEntry | undefined {
    return this.entries().find((entry) => entry.sightings.has(id))
  }

  /** The places whose ids begin like this. */
  sightingsOf(prefix: string): string[] {
    return this.entries().flatMap((entry) => [...entry.sightings.keys()].filter((id) => id.startsWith(prefix)))
  }

  /** Adds a sighting; a lost device is back. Undefined when the table is full. */
  see(sighting: Sighting): DeviceEntry | undefined {
    const name = sighting.hostname ? parseDeviceName(sighting.hostname) : undefined
    const first = sighting.addresses[0]
    const key = name?.imei ?? (first ? hostWithPort(first.address, sighting.ports[0] ?? 8080) : sighting.id)
    let entry = this.#entries.get(key) ?? (name ? this.byImei(name.imei) : undefined)
    if (!entry) {
      if (this.#entries.size >= mostDevices) return undefined
      const at = this.#options.now().toISOString()
      entry = {
        key,
        imei: name?.imei ?? null,
        model: name?.model ?? null,
        sightings: new Map(),
        firstSeenMs: Math.max(0, Math.round(this.#options.nowMs() - this.#startedMs)),
        firstSeenAt: at,
        lastSeenAt: at,
        answer: null,
        hasAnswered: false,
        misses: 0,
        missedSinceMs: null,
        muteRounds: 0,
        lastMiss: null,
        isLost: null,
        osVersion: null,
        isSignedIn: false,
        compared: new Map()
      }
      this.#entries.set(key, entry)
      // A placeholder that was known by address alone is this device.
      if (name && first) this.#absorb(entry, first.address, sighting.ports)
    }
    if (entry.isLost) {
      Object.assign(entry, { isLost: null, misses: 0, missedSinceMs: null, answer: null, hasAnswered: false })
    }
    entry.sightings.set(sighting.id, sighting)
    entry.lastSeenAt = this.#options.now().toISOString()
    return entry
  }

  #absorb(entry: DeviceEntry, address: string, ports: number[]): void {
    for (const [key, other] of this.#entries) {
      if (other.imei) continue
      const isSame = [...other.sightings.values()].some(
        (item) =>
          item.addresses.some((held) => held.address === address) && item.ports.some((port) => ports.includes(port))
      )
      if (!isSame) continue
      entry.firstSeenAt = other.firstSeenAt
      entry.firstSeenMs = other.firstSeenMs
      entry.isSignedIn = other.isSignedIn
      this.#entries.delete(key)
    }
  }

  /** The sighting has ended. The device is lost if it was the last one. */
  leave(id: string, reason: 'goodbye' | 'silent'): DeviceEntry | undefined {
    const entry = this.bySighting(id)
    const sighting = entry?.sightings.get(id)
    if (!entry || !sighting || sighting.isGone) return undefined
    sighting.isGone = true
    if (liveSightings(entry).length === 0) entry.isLost = reason
    else entry.sightings.delete(id)
    return entry
  }

  /** An answer, or none, from one of its addresses. */
  answered(entry: DeviceEntry, result: ProbeResult, at: { address: string; port: number }): void {
    const isMiss = result.kind === 'unreachable' && (entry.hasAnswered || !result.refused)
    if (isMiss) {
      entry.misses += 1
      entry.missedSinceMs ??= this.#options.nowMs()
      entry.lastMiss = { result, ...at }
      if (!entry.hasAnswered) entry.answer = entry.lastMiss
      return
    }
    entry.answer = { result, ...at }
    entry.misses = 0
    entry.missedSinceMs = null
    if (result.kind === 'unreachable') return
    entry.hasAnswered = true
    entry.muteRounds = 0
    entry.isLost = null
    entry.lastSeenAt = this.#options.now().toISOString()
    if (result.kind !== 'device') return
    entry.osVersion = result.osVersion ?? entry.osVersion
    entry.isSignedIn ||= result.isSignedIn ?? false
    const own = parseDeviceName(result.hostname)
    if (!entry.imei && own) Object.assign(entry, { imei: own.imei, model: own.model })
  }

  /** What its doubtful addresses answered when they were asked together. */
  compare(entry: DeviceEntry, answers: ReadonlyMap<string, ProbeResult>): void {
    entry.compared = answers
  }

  /** It answers mDNS but no longer on its port: it exists, and its state says so. */
  markMute(entry: DeviceEntry): void {
    entry.answer = entry.lastMiss
    Object.assign(entry, { misses: 0, missedSinceMs: null, hasAnswered: false, muteRounds: entry.muteRounds + 1 })
  }

  setSignedIn(key: string, isSignedIn: boolean): boolean {
    const entry = this.#entries.get(key)
    if (!entry || entry.isSignedIn === isSignedIn) return false
    entry.isSignedIn = isSignedIn
    return true
  }

  show(entry: DeviceEntry): SeenDevice {
    const ranked = rankAddresses(entry)
    const best = ranked[0]?.sighting
    const known = entry.imei ? this.#options.find?.(entry.imei) : undefined
    const { standing, detail } = standingOf(entry)
    const own = entry.answer?.result.kind === 'device' ? entry.answer.result.hostname : null
    // mDNS names are compared in lower case; a verified device uses its own spelling.
    const name = standing === 'verified' ? own : (expectedName(entry) ?? own)
    return {
      key: entry.key,
      imei: entry.imei,
      model: (standing === 'verified' && own && parseDeviceName(own)?.model) || entry.model,
      hostname: name && bareName(name),
      addresses: ranked.map((item) => item.address),
      port: entry.answer?.port ?? best?.ports[0] ?? 8080,
      card: best?.card ?? null,
      via: best?.via ?? 'mdns',
      standing,
      verified: standing === 'verified',
      detail,
      osVersion: entry.osVersion,
      firstSeenMs: entry.firstSeenMs,
      firstSeenAt: entry.firstSeenAt,
      lastSeenAt: entry.lastSeenAt,
      lastVehicle: known?.lastVehicle ?? null,
      lastJobAt: known?.lastJobAt ?? null,
      label: known?.label ?? null,
      signedIn: entry.isSignedIn
    }
  }

  showAll(): DeviceTable['devices'] {
    return this.entries().map((entry) => this.show(entry))
  }
}
