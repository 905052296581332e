import type { SeenDevice } from '../../preload/contract/device/discovery.ts'
import type { ProbeResult } from './probe.ts'

export type Via = SeenDevice['via']

/** One host as found in one way: by name on a card, or by a given address. */
export interface Sighting {
  id: string
  hostname: string | null
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
  /** Hosts that were renamed because they claim the same name, by sighting. */
  rivals: Map<string, { name: string; addresses: string[] }>
  /** What each of its doubtful addresses answered in the latest round. */
  compared: ReadonlyMap<string, ProbeResult>
}

export function liveSightings(entry: DeviceEntry): Sighting[] {
  return [...entry.sightings.values()].filter((sighting) => !sighting.isGone && sighting.addresses.length > 0)
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
