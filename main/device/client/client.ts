import { isLocalIp, parseAddress } from '../../base/addresses/address.ts'
import { gpsArea } from './gps.ts'
import { createIdentityProof } from './identity.ts'
import { hotspotArea } from './radio/hotspot.ts'
import { ioArea } from './io.ts'
import { modemArea } from './radio/modem.ts'
import { createDeviceQueue, type DeviceQueue } from './queue.ts'
import { authArea, execArea } from './session.ts'
import { appsArea, systemArea, updatesArea } from './system.ts'
import { noAddress, publicAddress } from './failures.ts'
import { createSentPasswords, type SentPasswords } from './sentPasswords.ts'
import { createTransport } from './transport.ts'
import { createWire, type Credentials, type DeviceRead, type CallOptions, type Wire } from './wire.ts'
import { wifiArea } from './radio/wifi.ts'
import {
  accelerometerConfiguration,
  accelerometerState,
  ethernetState,
  type AccelerometerConfiguration,
  type AccelerometerState,
  type EthernetState,
  type Reading
} from '../../../preload/contract/device/deviceAreas.ts'
import type { EcuEntry } from '../../../preload/contract/device/workspace.ts'

export type { Credentials, DeviceRead } from './wire.ts'

export interface DeviceClientOptions {
  /** Host name, IPv4 address, or IPv6 address in brackets (link-local with its zone), with an optional port. */
  address: string
  /** Used when `address` has no port; default 8080. */
  port?: number | undefined
  /** Called before every request that has credentials; they are not stored here. */
  credentials?: (() => Promise<Credentials | undefined>) | undefined
  /**
   * Time limit of one request, including connection and body. Default 5 s; longer for a scan, a command, an update
   * check.
   */
  timeoutMs?: number | undefined
  onRead?: ((read: DeviceRead) => void) | undefined
  isConfirmed?: ((ip: string) => boolean) | undefined
  /** The local address for connections to this IP address; undefined: chosen by the system. */
  startFrom?: ((ip: string) => string | undefined) | undefined
  /** The expected device: `/system-info` is read right before every change, and a different device receives none. */
  imei?: string | undefined
  /**
   * Asked right before a change that can cut the connection leaves; throws while an output of this device (null:
   * unknown which) may be on.
   */
  assertLinkMayEnd?: ((imei: string | null) => void) | undefined
  /** Shared by all clients; a client without it remembers its own. */
  sent?: SentPasswords | undefined
  /** Shared by all clients of one device; a client without it has its own queue. */
  queue?: DeviceQueue | undefined
}

/**
 * The device API, one method per documented operation: `client.<area>.<verb>` is the operation `<area>.<verb>`. Every
 * method returns a `Reading` (the readable fields, a sentence for each other field, the raw answer without secrets) or
 * throws an AppError: UNREACHABLE, TIMEOUT, UNREADABLE, NOT_AUTHENTICATED, NOT_PERMITTED, NOT_FOUND, REFUSED, CONFLICT,
 * RATE_LIMITED, SERVER_ERROR, CANCELLED or INVALID_REQUEST.
 */
export type DeviceClient = ReturnType<typeof createDeviceClient>

/** Does not connect yet. Throws INVALID_REQUEST for an invalid address, or a public one that nobody confirmed. */
export function createDeviceClient(options: DeviceClientOptions) {
  const address = parseAddress(options.address, options.port)
  if (!address) throw noAddress(options.address)
  const isAllowed = (ip: string): boolean => isLocalIp(ip) || (options.isConfirmed?.(ip) ?? false)
  if (!address.isName && !isAllowed(address.host)) throw publicAddress(address.label)
  const wire = createWire({
    label: address.label,
    transport: createTransport(address, { isAllowed, startFrom: options.startFrom }),
    queue: options.queue ?? createDeviceQueue(),
    credentials: options.credentials,
    sent: options.sent ?? createSentPasswords(),
    timeoutMs: options.timeoutMs,
    onRead: options.onRead,
    identity: options.imei === undefined ? undefined : createIdentityProof(options.imei),
    assertLinkMayEnd: options.assertLinkMayEnd
  })
  return {
    /** `host:port`, as shown to people. */
    label: address.label,
    auth: authArea(wire),
    exec: execArea(wire),
    gps: gpsArea(wire),
    eth: ethernetArea(wire),
    wifi: wifiArea(wire),
    hotspot: hotspotArea(wire),
    modem: modemArea(wire),
    io: ioArea(wire),
    accel: accelerometerArea(wire),
    system: systemArea(wire),
    updates: updatesArea(wire),
    apps: appsArea(wire),
    ecu: ecuArea(wire)
  }
}

function ethernetArea(wire: Wire) {
  /** `GET /eth/state`: strings, except `connected`; bytes as strings. */
  return {
    state: (options?: CallOptions): Promise<Reading<EthernetState>> => wire.read('eth.state', ethernetState, options)
  }
}

function accelerometerArea(wire: Wire) {
  return {
    /** `GET /storage/hgetall/accel_current_state`: strings; MOTION `0` or `1`. */
    state: (options?: CallOptions): Promise<Reading<AccelerometerState>> =>
      wire.read('accel.state', accelerometerState, options),
    /** `GET /storage/hgetall/accel_configuration`: strings; thresholds in milli-g, times in seconds. */
    configuration: (options?: CallOptions): Promise<Reading<AccelerometerConfiguration>> =>
      wire.read('accel.configuration', accelerometerConfiguration, options),
    /** `POST /Accel/AutoAlignment`: the result cannot be read back. */
    autoAlignment: ({ state }: { state: boolean }, options?: CallOptions): Promise<Reading<unknown>> =>
      wire.command('accel.autoAlignment', { body: { state } }, options)
  }
}

interface EcuConfiguration {
  PRIMARY_CAN: string
  SECONDARY_CAN: string
  J1708: string
  LISTEN_ONLY_MODE: string
}

/** `/ecu/*` is write-only; the gateway shows the effect. Answers are not documented. */
function ecuArea(wire: Wire) {
  return {
    addParameter: (input: EcuEntry, options?: CallOptions): Promise<Reading<unknown>> =>
      wire.command('ecu.addParameter', { body: input }, options),
    configure: (input: EcuConfiguration, options?: CallOptions): Promise<Reading<unknown>> =>
      wire.command('ecu.configure', { body: input }, options)
  }
}
