import { networkInterfaces } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import type { Notice } from '../../../preload/contract/app/app.ts'
import type { SeenDevice } from '../../../preload/contract/device/discovery.ts'
import { hostWithPort } from '../../base/addresses/address.ts'
import { createDeviceAccess } from './devices.ts'
import {
  createDiscovery,
  probeDevice,
  readStart,
  type DiscoveryOptions,
  type Probe
} from '../../device/discovery/index.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { isInsecure } from '../client/transport/address.ts'
import { createInstallationGateway } from '../client/vehicles/installation.ts'
import type { PlatformProxies } from '../../base/internet/proxies.ts'
import { createInternet, type InternetOptions } from './internet.ts'
import type { OutputsPort } from './outputsPort.ts'
import { createGatewayAccess, type GatewayAccess } from './sites.ts'
import { createSecrets } from '../../base/secrets/keychain.ts'
import { createRedactor } from '../../base/secrets/redact.ts'
import { isOnCard, listCards, type Interfaces } from '../../device/discovery/cards.ts'

/** What a person did in this run and no file keeps: it outlives a visit to the training workplace. */
export interface RunMemory {
  secrets: Map<string, string | null>
  unstored: Map<string, string>
  picked: Map<string, string | null>
}

export interface ConnectionsOptions {
  runMemory?: RunMemory | undefined
  gatewayUrl(): string
  /** The chosen account; empty: the last one. */
  gatewayUser?(): string
  deviceModels(): string[]
  /** The most calls to the gateway in a minute; null: as many as it allows. */
  gatewayCalls?(): number | null
  /** Credentials for this process only: from the environment, or the simulator's. */
  given?: {
    device?: { user: string; password: string } | undefined
    gateway?: { user: string; password: string } | undefined
  }
  /** Does not use the keychain (training). */
  inMemory?: boolean
  known?: DiscoveryOptions['known']
  interfaces?: DiscoveryOptions['interfaces']
  onGatewayStatus?(): void
  noticesChanged?(): void
  /** AppError REFUSED for a gateway that may not be used. */
  refuseGateway?: ((url: string) => void) | undefined
  /** `host:port` of the only devices that are asked anything (training). */
  onlyDevices?: readonly string[] | undefined
  internet?: InternetOptions['settings'] | undefined
  proxies?: PlatformProxies | undefined
  outputs?: OutputsPort | undefined
}

/** Everything external that Fitter connects to: the keychain, devices, the gateway. Needs no data folder. */
export type Connections = ReturnType<typeof createConnections>

/** A larger difference is reported, because evidence and reports contain this computer's time. */
const wrongClockS = 60

export function createConnections(options: ConnectionsOptions) {
  const redactor = createRedactor()
  const onSecret = (text: string) => void redactor.add(text)
  const secrets = createSecrets({ inMemory: options.inMemory, memory: options.runMemory?.secrets })
  if (options.given?.device) onSecret(options.given.device.password)
  if (options.given?.gateway) onSecret(options.given.gateway.password)
  const devices = createDeviceAccess({
    secrets,
    picked: options.runMemory?.picked,
    given: options.given?.device,
    onSecret,
    startFrom,
    refuse: refuseDevice,
    outputs: options.outputs
  })
  const internet = createInternet({
    secrets,
    settings: options.internet ?? {
      get: () => ({ gatewayProxy: { kind: 'system' }, gatewayCard: '', gatewayAuthorities: [] })
    },
    platform: options.proxies,
    interfaces: options.interfaces,
    onSecret,
    changed: () => gateway.renew(0)
  })
  const gateway: GatewayAccess = createGatewayAccess({
    secrets,
    unstored: options.runMemory?.unstored,
    ways: internet.ways,
    url: () => options.gatewayUrl(),
    user: () => options.gatewayUser?.() ?? '',
    given: options.given?.gateway,
    callsPerMinute: () => options.gatewayCalls?.() ?? null,
    refuse: (url) => options.refuseGateway?.(url),
    onSecret,
    onStatus: () => options.onGatewayStatus?.(),
    outputs: options.outputs
  })
  function startFrom(ip: string): string | undefined {
    return startingPointFor(ip, discovery.table().devices, (options.interfaces ?? networkInterfaces)())
  }
  /** Why this device is not asked anything; undefined for one that may be. */
  function refuseDevice(address: string): Message | undefined {
    return options.onlyDevices === undefined || options.onlyDevices.includes(address)
      ? undefined
      : message('training.onlySimulation')
  }
  /** Without credentials first; then with stored ones, if a person selected this address in this run. */
  const probe: Probe = async (target, signal) => {
    const address = hostWithPort(target.host, target.port)
    const refused = refuseDevice(address)
    if (refused) return { kind: 'unreachable', detail: refused, refused: false }
    const result = await probeDevice({ ...target, from: startFrom(target.host) }, signal)
    const imei = target.imei ?? devices.pickedFor(address)
    if (result.kind !== 'needsSignIn' || !imei || !devices.isPicked(address)) return result
    try {
      const { value } = await devices.open(address, imei).system.info({ signal, timeoutMs: 2_000 })
      if (!value.hostname) return result
      return {
        kind: 'device',
        hostname: value.hostname,
        osVersion: value.osVersion ?? null,
        ...readStart(value.uptime, value.netLink),
        isSignedIn: true
      }
    } catch (error) {
      if (error instanceof AppError) return result
      throw error
    }
  }
  const discovery = createDiscovery({
    probe,
    models: () => options.deviceModels(),
    confirmed: (ip) => devices.confirmPublic(ip),
    refuse: refuseDevice,
    ...(options.known ? { known: options.known } : {}),
    ...(options.interfaces ? { interfaces: options.interfaces } : {})
  })

  let keychainAsked: Promise<void> | undefined
  let isKeychainKnown = false
  let isClosed = false

  /** The first screen is answered before: already loading the keychain's library takes longer. */
  async function askKeychain(): Promise<void> {
    await setImmediate()
    await secrets.status()
    isKeychainKnown = true
    if (!isClosed) options.noticesChanged?.()
  }

  return {
    secrets,
    redactor,
    devices,
    gateway,
    internet,
    /** The network cards to use, if not all of this computer's. */
    interfaces: options.interfaces,
    discovery,
    installation: createInstallationGateway(() => gateway.client()),
    addressOf,
    /** A device of the table; NOT_FOUND when it is no longer there. */
    seen(key: string): SeenDevice {
      const device = discovery.table().devices.find((candidate) => candidate.key === key)
      if (!device) throw new AppError('NOT_FOUND', message('connections.deviceGone'))
      return device
    },
    /** Its best address; UNREACHABLE when none is known. */
    demandAddress(device: SeenDevice): string {
      const address = addressOf(device)
      if (address === undefined) throw new AppError('UNREACHABLE', message('connections.noAddress'))
      return address
    },
    async signInState({
      imei,
      signedIn
    }: SeenDevice): Promise<{ signedIn: boolean; defaultsKnown: boolean; usesDefaults: boolean | null }> {
      const [known, usesDefaults] = await Promise.all([devices.defaults(), devices.usesDefaults(imei)])
      return { signedIn, defaultsKnown: known !== undefined, usesDefaults: signedIn ? usesDefaults : null }
    },
    /**
     * A keychain that has not been asked yet has no notice: it may wait for its owner, and `noticesChanged` follows its
     * answer.
     */
    async notices(): Promise<Notice[]> {
      const notices: Notice[] = []
      if (!options.inMemory) keychainAsked ??= askKeychain()
      const keychain = isKeychainKnown ? await secrets.status() : undefined
      if (keychain?.kind === 'thisRunOnly') {
        notices.push({
          id: 'keychain',
          level: 'warn',
          text: message('connections.passwordsNotStored'),
          remedy: keychain.reason ?? message('keychain.notUsed')
        })
      }
      if (process.env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
        notices.push({ id: 'certificates', level: 'warn', text: message('connections.certificatesIgnored') })
      if (isInsecure(options.gatewayUrl()) && !options.inMemory) {
        notices.push({ id: 'gateway-http', level: 'warn', text: message('connections.insecure') })
      }
      const differenceS = Math.round((gateway.clockDifferenceMs() ?? 0) / 1000)
      if (Math.abs(differenceS) >= wrongClockS) {
        const text =
          differenceS > 0
            ? message('connections.clockBehind', { differenceS })
            : message('connections.clockAhead', { differenceS: -differenceS })
        notices.push({ id: 'clock', level: 'warn', text, remedy: message('connections.setClock') })
      }
      return notices
    },
    close(): void {
      isClosed = true
      discovery.stop()
      gateway.close()
    }
  }
}

function addressOf({ addresses, port }: Pick<SeenDevice, 'addresses' | 'port'>): string | undefined {
  const [best] = addresses
  if (best === undefined) return undefined
  return hostWithPort(best, port)
}

/**
 * The local address for connections to a device's IPv4 address: of the card on which the device was found, otherwise of
 * the only network that contains the address. So a VPN or the internet connection, which may use the same addresses,
 * never sees such a request. Undefined when unknown, and for this computer itself: then the system chooses.
 */
export function startingPointFor(
  ip: string,
  devices: readonly Pick<SeenDevice, 'addresses' | 'card'>[],
  interfaces: Interfaces
): string | undefined {
  const near = listCards(interfaces).filter((card) => !card.isLoopback && isOnCard(ip, card))
  const heardOn = devices.find(({ addresses }) => addresses.includes(ip))?.card
  const chosen = near.find(({ name }) => name === heardOn) ?? (near.length === 1 ? near[0] : undefined)
  // A computer needs no card to reach itself.
  return chosen?.address === ip ? undefined : chosen?.address
}
