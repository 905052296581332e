import { parseAddress } from '../addresses/address.ts'
import { createDeviceClient, type Credentials, type DeviceClient, type DeviceRead } from '../device/client.ts'
import { createDeviceQueue, type DeviceQueue } from '../device/queue.ts'
import { demandDevice } from '../device/identity.ts'
import { createSentPasswords } from '../device/sentPasswords.ts'
import type { Secrets } from '../secrets/keychain.ts'

export interface DeviceAccessOptions {
  secrets: Secrets
  /** Credentials of this process only (environment, training); the keychain takes precedence. */
  given?: Credentials | undefined
  onSecret(text: string): void
  /** The local address for connections to this IP address: of the card on which the device was found. */
  startFrom?: ((ip: string) => string | undefined) | undefined
}

/** A reading of a device, by its IMEI or, while that is unknown, its `host:port`. */
export type ReadListener = (device: string, read: DeviceRead) => void

/**
 * Opens devices with their credentials, and makes sure of their identity. Stored credentials are sent only to an address
 * that a person selected in this run: anyone on the network can claim the name of a device, or take over its old address.
 * The assumption is that a selected address still leads to the same computer. Plain HTTP proves no more.
 */
export interface DeviceAccess {
  open(address: string, imei: string | null): DeviceClient
  /** Reports every reading of every device, whoever made it. */
  onRead(listener: ReadListener): void
  /** A person works with this device at this address: by name, by signing in, by starting a job there. */
  pick(address: string, imei: string | null): void
  /** The same, unless this device was selected at another address in this run: then a person must select this one. */
  pickFirst(address: string, imei: string | null): void
  isPicked(address: string): boolean
  /** The device that a person selected at this address; null when none, or when it was unknown then. */
  pickedFor(address: string): string | null
  /** A person confirmed this IP address outside the local network, for the rest of this run. */
  confirmPublic(ip: string): void
  /** Opens a device with credentials that are being tried. */
  openWith(address: string, credentials: Credentials): DeviceClient
  /** Opens a device for work: refused unless `/system-info` names the same host. */
  openVerified(address: string, imei: string, signal: AbortSignal): Promise<DeviceClient>
  hasCredentials(imei: string | null): Promise<boolean>
  /** The credentials that a person entered for this device; undefined without any, or after signing out of it. */
  kept(imei: string | null): Promise<Credentials | undefined>
  keep(imei: string | null, credentials: Credentials, isShared: boolean): Promise<void>
  /** Signs out of one device at its address; credentials for all devices stay. */
  forget(imei: string | null, address: string | undefined): Promise<void>
  /** Removes the credentials for all devices. */
  forgetShared(): Promise<void>
  /** Whether there is a password for every selected device. */
  hasShared(): Promise<boolean>
  /** The factory login of devices, as a person entered it once; tried only when a person asks for it. */
  defaults(): Promise<Credentials | undefined>
  keepDefaults(credentials: Credentials): Promise<void>
  forgetDefaults(): Promise<void>
  /** Whether a device uses the factory login; null when unknown. */
  usesDefaults(imei: string | null): Promise<boolean | null>
}

const defaultCredentials = 'device/defaults'
const sharedCredentials = 'device/shared'
/** Stored instead of a device's own credentials: the common ones are not for this device. */
const signedOutMark = { signedOut: true }

export function createDeviceAccess(options: DeviceAccessOptions): DeviceAccess {
  const { secrets } = options
  /** One queue for each device, whoever asks it. */
  const queues = new Map<string, DeviceQueue>()
  const sent = createSentPasswords(options.onSecret)
  /** Addresses outside the local network that a person confirmed in this run. */
  const confirmed = new Set<string>()
  /** `host:port` that a person selected in this run, and the device. */
  const picked = new Map<string, string | null>()
  /** Where a person signed out: only a person can select it again. */
  const left = new Set<string>()
  const listeners: ReadListener[] = []

  function nameOf(imei: string): string {
    return `device/${imei}`
  }

  /** Undefined without stored credentials, null if a person signed out of this device. */
  async function readKept(imei: string | null): Promise<Credentials | null | undefined> {
    for (const name of imei === null ? [sharedCredentials] : [nameOf(imei), sharedCredentials]) {
      const text = await secrets.get(name)
      if (text === undefined) continue
      const kept = JSON.parse(text) as Credentials | typeof signedOutMark
      if ('signedOut' in kept) return null
      options.onSecret(kept.password)
      return kept
    }
    return undefined
  }

  async function find(imei: string | null): Promise<Credentials | undefined> {
    const kept = await readKept(imei)
    return kept === undefined ? options.given : (kept ?? undefined)
  }

  function labelOf(address: string): string {
    return parseAddress(address)?.label ?? address
  }

  function pick(address: string, imei: string | null): void {
    if (imei !== null) for (const [label, whose] of picked) if (whose === imei) picked.delete(label)
    left.delete(labelOf(address))
    picked.set(labelOf(address), imei)
  }

  function queueOf(address: string): DeviceQueue {
    let queue = queues.get(address)
    if (!queue) queues.set(address, (queue = createDeviceQueue()))
    return queue
  }

  function openAs(address: string, imei: string | null, credentials: () => Promise<Credentials | undefined>): DeviceClient {
    const onRead = (read: DeviceRead) => {
      for (const listener of listeners) listener(imei ?? address, read)
    }
    return createDeviceClient({ address, queue: queueOf(address), sent, isConfirmed: (ip) => confirmed.has(ip), startFrom: options.startFrom, imei: imei ?? undefined, credentials, onRead })
  }

  function open(address: string, imei: string | null): DeviceClient {
    const label = labelOf(address)
    return openAs(address, imei, () => (picked.has(label) ? find(imei) : Promise.resolve(undefined)))
  }

  return {
    open,
    onRead: (listener) => void listeners.push(listener),
    openWith: (address, credentials) => openAs(address, null, () => Promise.resolve(credentials)),
    confirmPublic: (ip) => void confirmed.add(ip),
    pick,
    pickFirst(address, imei) {
      const isElsewhere = imei !== null && [...picked.values()].includes(imei)
      if (!isElsewhere && !left.has(labelOf(address))) pick(address, imei)
    },
    isPicked: (address) => picked.has(labelOf(address)),
    pickedFor: (address) => picked.get(labelOf(address)) ?? null,
    kept: async (imei) => (await readKept(imei)) ?? undefined,
    async openVerified(address, imei, signal) {
      const client = open(address, imei)
      const { value } = await client.system.info({ signal })
      demandDevice(value.hostname, imei)
      return client
    },
    hasCredentials: async (imei) => (await find(imei)) !== undefined,
    async keep(imei, credentials, isShared) {
      options.onSecret(credentials.password)
      const text = JSON.stringify(credentials)
      if (isShared || imei === null) await secrets.set(sharedCredentials, text)
      if (imei !== null) await secrets.set(nameOf(imei), text)
    },
    async forget(imei, address) {
      if (address !== undefined) {
        picked.delete(labelOf(address))
        left.add(labelOf(address))
      }
      if (imei !== null) await secrets.set(nameOf(imei), JSON.stringify(signedOutMark))
    },
    forgetShared: () => secrets.remove(sharedCredentials),
    hasShared: async () => (await secrets.get(sharedCredentials)) !== undefined,
    defaults,
    async keepDefaults(credentials) {
      options.onSecret(credentials.password)
      await secrets.set(defaultCredentials, JSON.stringify(credentials))
    },
    forgetDefaults: () => secrets.remove(defaultCredentials),
    async usesDefaults(imei) {
      const [own, known] = await Promise.all([find(imei), defaults()])
      return own && known ? own.user === known.user && own.password === known.password : null
    }
  }

  async function defaults(): Promise<Credentials | undefined> {
    const text = await secrets.get(defaultCredentials)
    return text === undefined ? undefined : (JSON.parse(text) as Credentials)
  }
}
