import { createDeviceClient, type Credentials, type DeviceClient } from '../device/client.ts'
import { createDeviceQueue, type DeviceQueue } from '../device/queue.ts'
import { demandDevice } from '../device/identity.ts'
import type { Secrets } from '../secrets/keychain.ts'

export interface DeviceAccessOptions {
  secrets: Secrets
  /** Credentials of this process alone (environment, training); they come after the keychain. */
  given?: Credentials | undefined
  onSecret(text: string): void
}

/** Opens devices with the credentials that belong to them, and makes sure that they are who they are taken for. */
export interface DeviceAccess {
  open(address: string, imei: string | null): DeviceClient
  /** A person said that this IP address outside the local network is meant: it counts for the rest of this run. */
  confirmPublic(ip: string): void
  /** Opens a device with credentials that are being tried. */
  openWith(address: string, credentials: Credentials): DeviceClient
  /** Opens a device for work: refused unless `/system-info` names the same host. */
  openVerified(address: string, imei: string, signal: AbortSignal): Promise<DeviceClient>
  hasCredentials(imei: string | null): Promise<boolean>
  /** Whether a person signed in to this very device before: then discovery may use what is kept for it. */
  isPicked(imei: string): Promise<boolean>
  keep(imei: string | null, credentials: Credentials, isShared: boolean): Promise<void>
  forget(imei: string | null): Promise<void>
  /** What devices are delivered with, as a person typed it once; tried only when a person asks for it. */
  defaults(): Promise<Credentials | undefined>
  keepDefaults(credentials: Credentials): Promise<void>
  forgetDefaults(): Promise<void>
  /** Whether a device is opened with the default ones; null when either is not known. */
  usesDefaults(imei: string | null): Promise<boolean | null>
}

const defaultCredentials = 'device/defaults'
const sharedCredentials = 'device/shared'

export function createDeviceAccess(options: DeviceAccessOptions): DeviceAccess {
  const { secrets } = options
  /** One line in front of each device, whoever asks it. */
  const queues = new Map<string, DeviceQueue>()
  /** Addresses outside the local network that a person confirmed in this run. */
  const confirmed = new Set<string>()

  function nameOf(imei: string): string {
    return `device/${imei}`
  }

  async function find(imei: string | null): Promise<Credentials | undefined> {
    for (const name of imei === null ? [sharedCredentials] : [nameOf(imei), sharedCredentials]) {
      const text = await secrets.get(name)
      if (text === undefined) continue
      const kept = JSON.parse(text) as Credentials
      options.onSecret(kept.password)
      return kept
    }
    return options.given
  }

  function queueOf(address: string): DeviceQueue {
    let queue = queues.get(address)
    if (!queue) queues.set(address, (queue = createDeviceQueue()))
    return queue
  }

  function openAs(address: string, imei: string | null, credentials: () => Promise<Credentials | undefined>): DeviceClient {
    return createDeviceClient({ address, queue: queueOf(address), isConfirmed: (ip) => confirmed.has(ip), imei: imei ?? undefined, credentials })
  }

  function open(address: string, imei: string | null): DeviceClient {
    return openAs(address, imei, () => find(imei))
  }

  return {
    open,
    openWith: (address, credentials) => openAs(address, null, () => Promise.resolve(credentials)),
    confirmPublic: (ip) => void confirmed.add(ip),
    isPicked: async (imei) => (await secrets.get(nameOf(imei))) !== undefined,
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
    async forget(imei) {
      if (imei !== null) await secrets.remove(nameOf(imei))
      await secrets.remove(sharedCredentials)
    },
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
