import { AppError } from '../../../preload/contract/errors.ts'
import type { Message } from '../../../preload/contract/messages.ts'
import { parseAddress } from '../../base/addresses/address.ts'
import { createDeviceClient, type Credentials, type DeviceClient, type DeviceRead } from '../../device/client/client.ts'
import { correctGpsEpoch } from '../../device/client/facts.ts'
import { createDeviceQueue, type DeviceQueue } from '../../device/client/queue.ts'
import { demandDevice } from '../../device/client/identity.ts'
import { createSentPasswords } from '../../device/client/sentPasswords.ts'
import type { Secrets } from '../../base/secrets/keychain.ts'
import type { OutputsPort } from './outputsPort.ts'

export interface DeviceAccessOptions {
  /** Selected addresses of this run, when they outlive one workplace. */
  picked?: Map<string, string | null> | undefined
  secrets: Secrets
  /** Credentials of this process only (environment, training); the keychain takes precedence. */
  given?: Credentials | undefined
  onSecret(text: string): void
  /** The local address for connections to this IP address: of the card on which the device was found. */
  startFrom?: ((ip: string) => string | undefined) | undefined
  /** Why this `host:port` is not asked anything; undefined for one that may be. */
  refuse?: ((address: string) => Message | undefined) | undefined
  /** Without it there are no outputs: nothing was switched on with this data. */
  outputs?: OutputsPort | undefined
}

/** A reading of a device, by its IMEI or, while that is unknown, its `host:port`. */
export type ReadListener = (device: string, read: DeviceRead) => void

/**
 * Opens devices with their credentials, and makes sure of their identity. Stored credentials are sent only to an
 * address that a person selected in this run: anyone on the network can claim the name of a device, or take over its
 * old address.
 * The assumption is that a selected address still leads to the same computer. Plain HTTP proves no more.
 */
export type DeviceAccess = ReturnType<typeof createDeviceAccess>

const defaultCredentials = 'device/defaults'
const sharedCredentials = 'device/shared'
/** Stored instead of a device's own credentials: the common ones are not for this device. */
const signedOutMark = { signedOut: true }

export function createDeviceAccess(options: DeviceAccessOptions) {
  const { secrets } = options
  /** One queue for each device, whoever asks it. */
  const queues = new Map<string, DeviceQueue>()
  const sent = createSentPasswords(options.onSecret)
  const confirmed = new Set<string>()
  /** `host:port` that a person selected in this run, and the device. */
  const picked = options.picked ?? new Map<string, string | null>()
  /** Where a person signed out: only a person can select it again. */
  const left = new Set<string>()
  const listeners: ReadListener[] = []
  /** How far the clock of each device was ahead of this computer's when its time was read last. */
  const clocks = new Map<string, { aheadS: number; atMs: number }>()

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

  /** A person works with this device at this address: by name, by signing in, by starting a job there. */
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

  function openAs(
    address: string,
    imei: string | null,
    credentials: () => Promise<Credentials | undefined>
  ): DeviceClient {
    const refused = options.refuse?.(labelOf(address))
    if (refused) throw new AppError('REFUSED', refused)
    const onRead = (read: DeviceRead) => {
      noteClock(imei ?? address, read)
      for (const listener of listeners) listener(imei ?? address, read)
    }
    return createDeviceClient({
      address,
      queue: queueOf(address),
      sent,
      isConfirmed: (ip) => confirmed.has(ip),
      startFrom: options.startFrom,
      imei: imei ?? undefined,
      credentials,
      onRead,
      assertLinkMayEnd: options.outputs?.assertLinkMayEnd
    })
  }

  function noteClock(device: string, { operation, value, atMs }: DeviceRead): void {
    const timestampS =
      operation === 'gps.position' && typeof value === 'object' && value !== null && 'timestamp' in value
        ? value.timestamp
        : undefined
    if (typeof timestampS !== 'number' || timestampS <= 0) return
    const { unixMs, isUnsure } = correctGpsEpoch(timestampS, atMs)
    if (!isUnsure) clocks.set(device, { aheadS: (unixMs - atMs) / 1000, atMs })
  }

  function open(address: string, imei: string | null): DeviceClient {
    const label = labelOf(address)
    return openAs(address, imei, () => (picked.has(label) ? find(imei) : Promise.resolve(undefined)))
  }

  return {
    open,
    /** Reports every reading of every device, whoever made it. */
    onRead: (listener: ReadListener): void => void listeners.push(listener),
    clocks: (): ReadonlyMap<string, { aheadS: number; atMs: number }> => clocks,
    openWith: (address: string, credentials: Credentials): DeviceClient =>
      openAs(address, null, () => Promise.resolve(credentials)),
    /** A person confirmed this IP address outside the local network, for the rest of this run. */
    confirmPublic: (ip: string): void => void confirmed.add(ip),
    pick,
    /** The same, unless this device was selected at another address in this run: then a person must select this one. */
    pickFirst(address: string, imei: string | null): void {
      const isElsewhere = imei !== null && [...picked.values()].includes(imei)
      if (!isElsewhere && !left.has(labelOf(address))) pick(address, imei)
    },
    isPicked: (address: string): boolean => picked.has(labelOf(address)),
    /** The device that a person selected at this address; null when none, or when it was unknown then. */
    pickedFor: (address: string): string | null => picked.get(labelOf(address)) ?? null,
    /** The credentials that a person entered for this device; undefined without any, or after signing out of it. */
    kept: async (imei: string | null): Promise<Credentials | undefined> => (await readKept(imei)) ?? undefined,
    /** Opens a device for work: refused unless `/system-info` names the same host. */
    async openVerified(address: string, imei: string, signal: AbortSignal): Promise<DeviceClient> {
      const client = open(address, imei)
      const { value } = await client.system.info({ signal })
      demandDevice(value.hostname, imei)
      return client
    },
    hasCredentials: async (imei: string | null): Promise<boolean> => (await find(imei)) !== undefined,
    async keep(imei: string | null, credentials: Credentials, isShared: boolean): Promise<void> {
      options.onSecret(credentials.password)
      const text = JSON.stringify(credentials)
      if (isShared || imei === null) await secrets.set(sharedCredentials, text)
      if (imei !== null) await secrets.set(nameOf(imei), text)
    },
    /**
     * Signs out of one device at its address; credentials for all devices stay. CONFLICT while an output may be on that
     * needs them.
     */
    async forget(imei: string | null, address: string | undefined): Promise<void> {
      await options.outputs?.leave({ ...(imei === null ? {} : { imei }), path: 'local' })
      if (address !== undefined) {
        picked.delete(labelOf(address))
        left.add(labelOf(address))
      }
      if (imei !== null) await secrets.set(nameOf(imei), JSON.stringify(signedOutMark))
    },
    /** CONFLICT while an output may be on that needs them. */
    async forgetShared(): Promise<void> {
      await leaveShared()
      await secrets.remove(sharedCredentials)
    },
    /**
     * Throws CONFLICT while an output may be on that needs the credentials which these would replace: others may be
     * allowed less.
     * Those that the device does not accept any more switch nothing off, so they may be replaced.
     */
    async assertReplaceable(
      address: string,
      imei: string | null,
      credentials: Credentials,
      isShared: boolean
    ): Promise<void> {
      if (imei !== null) {
        const own = await find(imei)
        if (own && !isSame(own, credentials)) {
          try {
            await options.outputs?.leave({ imei, path: 'local' })
          } catch (error) {
            if (await isAccepted(address, own)) throw error
          }
        }
      }
      const shared = isShared ? await secrets.get(sharedCredentials) : undefined
      if (shared !== undefined && !isSame(JSON.parse(shared) as Credentials, credentials)) await leaveShared(imei)
    },
    hasShared: async (): Promise<boolean> => (await secrets.get(sharedCredentials)) !== undefined,
    defaults,
    async keepDefaults(credentials: Credentials): Promise<void> {
      options.onSecret(credentials.password)
      await secrets.set(defaultCredentials, JSON.stringify(credentials))
    },
    forgetDefaults: () => secrets.remove(defaultCredentials),
    /** Whether a device uses the factory login; null when unknown. */
    async usesDefaults(imei: string | null): Promise<boolean | null> {
      const [own, known] = await Promise.all([find(imei), defaults()])
      return own && known ? isSame(own, known) : null
    }
  }

  /** Outputs of the devices without credentials of their own are off, except those of one device. */
  async function leaveShared(except: string | null = null): Promise<void> {
    for (const imei of options.outputs?.devices() ?? []) {
      if (imei !== except && (await secrets.get(nameOf(imei))) === undefined)
        await options.outputs?.leave({ imei, path: 'local' })
    }
  }

  /** What cannot be asked counts as accepted. */
  async function isAccepted(address: string, { user, password }: Credentials): Promise<boolean> {
    try {
      await openAs(address, null, () => Promise.resolve({ user, password })).auth.login({ username: user, password })
      return true
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return error.code !== 'NOT_AUTHENTICATED'
    }
  }

  /** The factory login of devices, as a person entered it once; tried only when a person asks for it. */
  async function defaults(): Promise<Credentials | undefined> {
    const text = await secrets.get(defaultCredentials)
    return text === undefined ? undefined : (JSON.parse(text) as Credentials)
  }
}

function isSame(one: Credentials, other: Credentials): boolean {
  return one.user === other.user && one.password === other.password
}
