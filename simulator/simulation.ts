import { startDevice, type DeviceOptions, type SimulatedDevice } from './device/device.ts'
import type { Violation } from './device/record.ts'
import type { FaultName } from './faults.ts'
import { makeCredentials, makeIdentity } from './identity.ts'
import { startAnnouncer, type Announcer } from './mdns.ts'
import { startGateway } from './gateway/gateway.ts'
import type { SimulatedGateway } from './gateway/types.ts'
import type { DeviceReport } from './report.ts'
import type { StoryName } from './stories.ts'

export type { SimulatedDevice, SimulatedGateway }

export interface SimulationOptions {
  /** The number of devices; default 1. */
  devices?: number
  /** Default `ft4`. */
  model?: string
  /** Announces every device over multicast DNS on the card of `host`. */
  mdns?: boolean
  gateway?: boolean
  /** The vehicles have nearly two years of history at the gateway; default false. */
  history?: boolean
  /** Default `parked`. */
  story?: StoryName
  /** The story that a vehicle's helper plays when it is on; default `installation`. */
  helperStory?: StoryName
  /** The same seed gives the same devices, positions and noise; default 1. */
  seed?: number
  /** Every vehicle has all accessories, and a configured engine bus. */
  fitted?: boolean
  faults?: FaultName[]
  /** Address that the servers listen on; default 127.0.0.1. `0.0.0.0` announces on every card. */
  host?: string
  /** Port of the first device, the next one for each further; free ports if omitted. */
  firstPort?: number
  /** Time between a device's regular reports; default 10 s, in the fast story 1 s. */
  reportEveryMs?: number
  openSystemInfo?: boolean
  /** Delay between a report and its visibility at the gateway. */
  gatewayDelayMs?: number
  gpsTimestamp?: 'unix' | 'gps'
  rssiAs?: 'dbm' | 'csq'
  systemVolts?: 12 | 24
  slowMs?: number
  stopsAfterRequests?: number
  /** Clock of vehicles and devices, Unix milliseconds; for tests. */
  now?: () => number
}

export interface SimulationViolation {
  from: 'device' | 'gateway'
  imei?: string
  /** The gateway records only what is not documented. */
  kind: Violation['kind']
  at: string
  method: string
  path: string
  why: string
}

export interface Simulation {
  /** Undefined without the option `gateway`. */
  gateway: SimulatedGateway | undefined
  devices: SimulatedDevice[]
  /** Addresses of the cards that announce devices, and the problems of others. */
  announced: { addresses: string[]; problems: string[] }
  violations: () => SimulationViolation[]
  stop: () => Promise<void>
}

/** Starts devices and, if requested, their announcements and their gateway; resolves when everything listens. */
export async function startSimulation(options: SimulationOptions = {}): Promise<Simulation> {
  const host = options.host ?? '127.0.0.1'
  const devices: SimulatedDevice[] = []
  let announcer: Announcer | undefined
  let gateway: SimulatedGateway | undefined
  // Devices report from the start, but the gateway starts after them because it needs their addresses.
  const early: DeviceReport[] = []
  const report = (sent: DeviceReport) => (gateway ? gateway.receive(sent) : early.push(sent))

  async function stop(): Promise<void> {
    await Promise.all(devices.map((device) => device.stop()))
    await announcer?.stop()
    await gateway?.stop()
  }

  try {
    for (let index = 0; index < (options.devices ?? 1); index++) {
      devices.push(await startDevice({ ...deviceOptions(options, host, index), ...(options.gateway && { report }) }))
    }
    if (options.fitted) for (const { vehicle } of devices) fitAll(vehicle)
    if (options.gateway) {
      // The application accepts plain HTTP only from a gateway on loopback.
      gateway = await startGatewayFor(devices, options, host === '0.0.0.0' ? '127.0.0.1' : host)
      for (const sent of early.splice(0)) gateway.receive(sent)
    }
    if (options.mdns) {
      announcer = await startAnnouncer(host)
      for (const device of devices) await announceDevice(announcer, device)
    }
  } catch (error) {
    await stop()
    throw error
  }

  return {
    gateway,
    devices,
    announced: { addresses: announcer?.addresses ?? [], problems: announcer?.problems ?? [] },
    violations: () => [
      ...devices.flatMap(({ imei, violations }) => violations.map((violation) => ({ from: 'device' as const, imei, ...violation }))),
      ...(gateway?.violations ?? []).map((violation) => ({ from: 'gateway' as const, kind: 'undocumented' as const, ...violation }))
    ],
    stop
  }
}

function deviceOptions(options: SimulationOptions, host: string, index: number): DeviceOptions {
  const seed = options.seed ?? 1
  const story = options.story ?? 'parked'
  const { openSystemInfo, gpsTimestamp, rssiAs, systemVolts, slowMs, stopsAfterRequests, now } = options
  return {
    identity: makeIdentity(seed, index),
    model: options.model ?? 'ft4',
    ...makeCredentials(seed),
    host,
    port: options.firstPort === undefined ? 0 : options.firstPort + index,
    seed: seed * 1000 + index,
    story,
    helperStory: options.helperStory ?? (story === 'installation-fast' ? story : 'installation'),
    faults: options.faults ?? [],
    reportEveryMs: options.reportEveryMs ?? (story === 'installation-fast' ? 1000 : 10_000),
    ...(openSystemInfo !== undefined && { openSystemInfo }),
    ...(gpsTimestamp && { gpsTimestamp }),
    ...(rssiAs && { rssiAs }),
    ...(systemVolts && { systemVolts }),
    ...(slowMs !== undefined && { slowMs }),
    ...(stopsAfterRequests !== undefined && { stopsAfterRequests }),
    ...(now && { now })
  }
}

/** The gateway of these devices; a remote output command switches the output of its device while that is connected. */
async function startGatewayFor(devices: SimulatedDevice[], options: SimulationOptions, host: string): Promise<SimulatedGateway> {
  const { gatewayDelayMs, now } = options
  const gateway = await startGateway({
    host,
    seed: options.seed ?? 1,
    devices: devices.map(({ imei, model, iccid, vehicle }) => {
      const { latitude, longitude } = vehicle.state().fix
      return { imei, model, iccid, lat: latitude, lon: longitude }
    }),
    ...(gatewayDelayMs !== undefined && { delayMs: gatewayDelayMs }),
    ...(options.history === true && { history: true }),
    ...(now && { now })
  })
  gateway.onRemoteOutput(({ imei, out, state }) => {
    devices.find((device) => device.imei === imei)?.vehicle.setOutput(`OUT${out}`, state)
  })
  gateway.connectCameras((imei) => devices.find((device) => device.imei === imei)?.vehicle.accessories.cameras() ?? null)
  return gateway
}

/** Parameters of a configured bus, besides those of every bus. */
const truckParameters = ['ECU_COOLANT_TEMP', 'ECU_FUEL_LEVEL', 'ECU_TOTAL_FUEL', 'ECU_ENGINE_USAGE']

function fitAll(vehicle: SimulatedDevice['vehicle']): void {
  vehicle.accessories.fitAll()
  vehicle.bus.connect(truckParameters)
}

/** Announces a device; stopping the device withdraws the announcement. */
async function announceDevice(announcer: Announcer, device: SimulatedDevice): Promise<void> {
  const announcement = await announcer.announce(device)
  const stopDevice = device.stop
  device.stop = async (options) => {
    await announcement.stop(options)
    await stopDevice()
  }
}
