import type { Finding } from '../../preload/contract/app/app.ts'
import type { DeviceTable, SeenDevice, TableChange } from '../../preload/contract/device/discovery.ts'
import type { Message } from '../../preload/contract/messages.ts'
import type { Interfaces } from './cards.ts'
import type { Probe } from './probe.ts'
import type { KnownDevice } from './table.ts'

export interface DiscoveryOptions {
  /** Asks one place who it is; 2 s at most (see `probeDevice`). */
  probe: Probe
  /** Models that an IMEI is looked up with, besides those seen. */
  models: () => string[]
  known?: {
    find: (imei: string) => KnownDevice | undefined
    seen: (device: SeenDevice) => void
  }
  interfaces?: () => Interfaces
  /** Told of each address outside the local network that a person confirmed. */
  confirmed?: (ip: string) => void
  now?: () => Date
}

export type AddedAddress =
  | { kind: 'added'; device: SeenDevice }
  | { kind: 'notADevice'; detail: Message }
  | { kind: 'publicAddress'; detail: Message }

export type FoundImei = { kind: 'found'; device: SeenDevice } | { kind: 'notHeard'; detail: Message } | { kind: 'badImei'; detail: Message }

export interface SweepProgress {
  asked: number
  total: number
  found: number
  leftMs: number
}

export interface Discovery {
  /** Starts listening (if it does not listen yet) and gives the table. */
  watch(): DeviceTable
  stop(): void
  /** Asks again on every card, every known place and every default gateway at once. */
  ask(): void
  table(): DeviceTable
  /** What changed since the last time; the whole is `table()`. */
  onChange(listener: (change: TableChange) => void): () => void
  addAddress(text: string, options?: { confirmPublic?: boolean | undefined; signal?: AbortSignal | undefined }): Promise<AddedAddress>
  findImei(imei: string, options?: { timeoutMs?: number | undefined; signal?: AbortSignal | undefined }): Promise<FoundImei>
  /** The machine was asleep: every socket is opened anew and every device asked. */
  resumed(): void
  /** Asks the default gateway of each card (a device's own hotspot) and gives those that are devices. */
  gatewayAddresses(options?: { signal?: AbortSignal | undefined }): Promise<SeenDevice[]>
  /** Asks every address of the card's own subnet, /24 at most. Only ever when a person asked for it. */
  sweep(card: string, options?: { onProgress?: ((progress: SweepProgress) => void) | undefined; signal?: AbortSignal | undefined }): Promise<{ found: SeenDevice[]; asked: number }>
  /** `isTerminal`: remedies may name commands. */
  selfTest(isTerminal?: boolean): Promise<Finding[]>
  /** Asks the device again, now; undefined when the table has no such key. */
  probeNow(key: string, options?: { signal?: AbortSignal | undefined }): Promise<SeenDevice | undefined>
  /** The device at this place said who it is to a person who signed in: a place that was typed gets its IMEI this way. */
  learn(key: string, own: { hostname: string; osVersion: string | null }): void
  /** Shown in the table; discovery itself never sees credentials. */
  setSignedIn(key: string, isSignedIn: boolean): void
  /** What is remembered of this device changed. */
  remembered(imei: string): void
}
