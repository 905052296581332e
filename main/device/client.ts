import { accelerometerArea, type AccelerometerArea } from './accelerometer.ts'
import { isLocalIp, parseAddress } from '../addresses/address.ts'
import { ecuArea, type EcuArea } from './ecu.ts'
import { gpsArea, type GpsArea } from './gps.ts'
import { createIdentityProof } from './identity.ts'
import { hotspotArea, type HotspotArea } from './hotspot.ts'
import { ioArea, type IoArea } from './io.ts'
import { modemArea, type ModemArea } from './modem.ts'
import { createDeviceQueue, type DeviceQueue } from './queue.ts'
import { authArea, execArea, type AuthArea, type ExecArea } from './session.ts'
import { appsArea, systemArea, updatesArea, type AppsArea, type SystemArea, type UpdatesArea } from './system.ts'
import { noAddress, publicAddress } from './failures.ts'
import { createSentPasswords, type SentPasswords } from './sentPasswords.ts'
import { createTransport } from './transport.ts'
import { createWire, type Credentials, type DeviceRead, type CallOptions, type Wire } from './wire.ts'
import { wifiArea, type WifiArea } from './wifi.ts'
import { ethernetState, type EthernetState, type Reading } from '../../preload/contract/device/deviceAreas.ts'

export type { Credentials, DeviceRead } from './wire.ts'

export interface DeviceClientOptions {
  /** Host name, IPv4 address, or IPv6 address in brackets (link-local with its zone), with an optional port. */
  address: string
  /** Used when `address` names no port; 8080 when neither does. */
  port?: number | undefined
  /** Asked before every request that carries credentials; nothing is kept here. */
  credentials?: (() => Promise<Credentials | undefined>) | undefined
  /** Limit of one request, connecting and body included. Default 5 s; longer for a scan, a command, an update check. */
  timeoutMs?: number | undefined
  /** Told when a request has been under way for 2 s. */
  onSlow?: ((slow: { operation: string; elapsedMs: number }) => void) | undefined
  /** Told of every reading that was made, or tried in vain. */
  onRead?: ((read: DeviceRead) => void) | undefined
  /** Whether a person has confirmed this IP address outside the local network. */
  isConfirmed?: ((ip: string) => boolean) | undefined
  /** The own address from which this IP address is asked; undefined: as the system chooses. */
  startFrom?: ((ip: string) => string | undefined) | undefined
  /** Whose device this has to be: `/system-info` is read right before every change, and another one gets none. */
  imei?: string | undefined
  /** Shared by all clients; a client that gets none remembers what it sent by itself. */
  sent?: SentPasswords | undefined
  /** Shared by all clients of one device; a client that gets none has a line of its own. */
  queue?: DeviceQueue | undefined
}

/**
 * The device API, one method per documented operation: `client.<area>.<verb>` is the operation `<area>.<verb>`. Every
 * method gives a `Reading` (the fields that could be read, a sentence for each that could not, the raw answer without
 * secrets) or throws an AppError: UNREACHABLE, TIMEOUT, UNREADABLE, NOT_AUTHENTICATED, NOT_PERMITTED, NOT_FOUND, REFUSED,
 * CONFLICT, RATE_LIMITED, SERVER_ERROR, CANCELLED or INVALID_REQUEST.
 */
export interface DeviceClient {
  /** `host:port`, as it is shown to people. */
  readonly label: string
  auth: AuthArea
  exec: ExecArea
  gps: GpsArea
  eth: EthernetArea
  wifi: WifiArea
  hotspot: HotspotArea
  modem: ModemArea
  io: IoArea
  accel: AccelerometerArea
  system: SystemArea
  updates: UpdatesArea
  apps: AppsArea
  ecu: EcuArea
}

/** Opens nothing yet. Throws INVALID_REQUEST for a text that is no address, or a public one that nobody confirmed. */
export function createDeviceClient(options: DeviceClientOptions): DeviceClient {
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
    onSlow: options.onSlow,
    onRead: options.onRead,
    identity: options.imei === undefined ? undefined : createIdentityProof(options.imei)
  })
  return {
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

interface EthernetArea {
  /** `GET /eth/state`: strings, but `connected`; bytes as strings. */
  state(options?: CallOptions): Promise<Reading<EthernetState>>
}

function ethernetArea(wire: Wire): EthernetArea {
  return { state: (options) => wire.read('eth.state', ethernetState, options) }
}
