import type { Finding } from '../../../preload/contract/app/app.ts'
import type { DeviceTable, SeenDevice, TableChange } from '../../../preload/contract/device/discovery.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import type { Interfaces } from './cards.ts'
import type { Probe } from './probe.ts'
import type { KnownDevice } from './table.ts'

export interface DiscoveryOptions {
  /** Asks one host for its identity; 2 s at most (see `probeDevice`). */
  probe: Probe
  /** Models to try when looking up an IMEI, besides the known ones. */
  models: () => string[]
  known?: {
    find: (imei: string) => KnownDevice | undefined
    seen: (device: SeenDevice) => void
  }
  interfaces?: () => Interfaces
  /** Called with each address outside the local network that a person confirmed. */
  confirmed?: (ip: string) => void
  /** Why this `host:port` is not asked anything; undefined for one that may be. */
  refuse?: (address: string) => Message | undefined
  now?: () => Date
}

export type AddedAddress =
  | { kind: 'added'; device: SeenDevice }
  | { kind: 'notADevice'; detail: Message }
  | { kind: 'publicAddress'; detail: Message }

export type FoundImei =
  { kind: 'found'; device: SeenDevice } | { kind: 'notHeard'; detail: Message } | { kind: 'badImei'; detail: Message }

export interface SweepProgress {
  asked: number
  total: number
  found: number
  leftMs: number
}

export interface Discovery {
  /** Starts listening if necessary and returns the table. */
  watch(): DeviceTable
  stop(): void
  /** Searches again on every card, at every known address and every default gateway. */
  ask(): void
  table(): DeviceTable
  /** The changes since the last report; `table()` has everything. */
  onChange(listener: (change: TableChange) => void): () => void
  addAddress(
    text: string,
    options?: { confirmPublic?: boolean | undefined; signal?: AbortSignal | undefined }
  ): Promise<AddedAddress>
  findImei(
    imei: string,
    options?: { timeoutMs?: number | undefined; signal?: AbortSignal | undefined }
  ): Promise<FoundImei>
  /** The computer was asleep: reopens every socket and asks every device. */
  resumed(): void
  /** Asks the default gateway of each card (a device's own hotspot) and returns those that are devices. */
  gatewayAddresses(options?: { signal?: AbortSignal | undefined }): Promise<SeenDevice[]>
  /** Asks every address of the card's subnet, at most a /24. Only on a person's request. */
  sweep(
    card: string,
    options?: { onProgress?: ((progress: SweepProgress) => void) | undefined; signal?: AbortSignal | undefined }
  ): Promise<{ found: SeenDevice[]; asked: number }>
  /** `isTerminal`: remedies may name commands. */
  selfTest(isTerminal?: boolean): Promise<Finding[]>
  /** Asks the device again now; undefined for an unknown key. */
  probeNow(key: string, options?: { signal?: AbortSignal | undefined }): Promise<SeenDevice | undefined>
  /**
   * The device at this address reported its identity to a person who signed in: a typed address gets its IMEI this way.
   */
  learn(key: string, own: { hostname: string; osVersion: string | null }): void
  /** Shown in the table; discovery itself never sees credentials. */
  setSignedIn(key: string, isSignedIn: boolean): void
  /** The remembered data of this device changed. */
  remembered(imei: string): void
}
