import type { SeenDevice } from '../../../preload/contract/device/discovery.ts'
import type { ProbeResult } from './probe.ts'

export type Via = SeenDevice['via']

/** One host as found in one way: by name on a card, or by a given address. */
export interface Sighting {
  id: string
  hostname: string | null
  /** The name with a number at its end that the host announces instead, because the name was in use. */
  renamedTo?: string | undefined
  card: string | null
  via: Via
  addresses: { address: string; heardAtMs: number; isLeaving: boolean }[]
  /** Ports to try, best first. */
  ports: number[]
  /** Addresses of different computers that use this name on this card. */
  competing?: string[]
  heardAtMs: number
  isGone: boolean
}

/** A device of the table, with data beyond what is shown. */
export interface DeviceEntry {
  key: string
  imei: string | null
  model: string | null
  sightings: Map<string, Sighting>
  firstSeenMs: number
  firstSeenAt: string
  lastSeenAt: string
  /** The last meaningful answer and its source. */
  answer: { result: ProbeResult; address: string; port: number } | null
  hasAnswered: boolean
  misses: number
  missedSinceMs: number | null
  /** How often in a row its name was heard while its port did not answer. */
  muteRounds: number
  /** The kind of the last miss. */
  lastMiss: { result: ProbeResult; address: string; port: number } | null
  isLost: 'goodbye' | 'silent' | null
  osVersion: string | null
  isSignedIn: boolean
  /** What each of its doubtful addresses answered in the latest round. */
  compared: ReadonlyMap<string, ProbeResult>
}

export function liveSightings(entry: DeviceEntry): Sighting[] {
  return [...entry.sightings.values()].filter((sighting) => !sighting.isGone && sighting.addresses.length > 0)
}

/** The name that the host announces. */
export function announcedName({ renamedTo, hostname }: Sighting): string | null {
  return renamedTo ?? hostname
}

/**
 * The places of a device, and those of hosts under a changed name that may be second ones. Alone, or at an address of
 * the device, a host under a changed name is the device itself: it found its own earlier announcement in use.
 */
export function splitRenamed(entry: DeviceEntry): { own: Sighting[]; rivals: Sighting[] } {
  const live = liveSightings(entry)
  const [latest] = live.filter(({ renamedTo }) => renamedTo !== undefined).sort((a, b) => b.heardAtMs - a.heardAtMs)
  const named = live.filter(({ renamedTo }) => renamedTo === undefined)
  const own = named.length > 0 ? named : live.filter(({ renamedTo }) => renamedTo === latest?.renamedTo)
  const addresses = new Set(own.flatMap((sighting) => sighting.addresses.map(({ address }) => address)))
  return {
    own,
    rivals: live.filter(
      (sighting) => !own.includes(sighting) && !sighting.addresses.some(({ address }) => addresses.has(address))
    )
  }
}

/** The host name that its answers must match. */
export function expectedName(entry: DeviceEntry): string | null {
  const named =
    liveSightings(entry).find((sighting) => sighting.hostname) ??
    [...entry.sightings.values()].find((sighting) => sighting.hostname)
  return named?.hostname ?? null
}

/** A host name as people read it: without the final dot and without `.local`. */
export function bareName(name: string): string {
  return name.replace(/\.$/, '').replace(/\.local$/i, '')
}

export function isSameHost(a: string, b: string): boolean {
  return bareName(a).toLowerCase() === bareName(b).toLowerCase()
}

export function isLinkLocal6(address: string): boolean {
  return /^fe80:/i.test(address)
}
