import { startDevice, type DeviceOptions, type SimulatedDevice } from './device/device.ts'
import type { Violation } from './device/record.ts'
import { speakerOf } from './forms.ts'
import { makeCredentials, makeIdentity } from './identity.ts'
import { startAnnouncer, type Announcer } from './mdns.ts'
import { startGateway, type SimulatedGateway } from './gateway/gateway.ts'
import type { DeviceReport } from './report.ts'

export type { SimulatedDevice, SimulatedGateway }

type OptionsOfEachDevice =
  | 'model'
  | 'form'
  | 'story'
  | 'helperStory'
  | 'faults'
  | 'reportEveryMs'
  | 'openSystemInfo'
  | 'gpsTimestamp'
  | 'rssiAs'
  | 'systemVolts'
  | 'slowMs'
  | 'stopsAfterRequests'
  | 'now'

/** Unless said: one device of the model `ft4`, parked, that reports every 10 s; every second in the fast story. */
export interface SimulationOptions extends Partial<Pick<DeviceOptions, OptionsOfEachDevice>> {
  devices?: number
  /** Announces every device over multicast DNS on the card of `host`. */
  mdns?: boolean
  gateway?: boolean
  /** The vehicles have nearly two years of history at the gateway; default false. */
  history?: boolean
  /** The same seed gives the same devices, positions and noise; default 1. */
  seed?: number
  /** Every vehicle has all accessories, and a configured engine bus. */
  fitted?: boolean
  /** Address that the servers listen on; default 127.0.0.1. `0.0.0.0` announces on every card. */
  host?: string
  /** Port of the first device, the next one for each further; free ports if omitted. */
  firstPort?: number
  /** Delay between a report and its visibility at the gateway. */
  gatewayDelayMs?: number
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

export type Simulation = Awaited<ReturnType<typeof startSimulation>>

/** Starts devices and, if requested, their announcements and their gateway; resolves when everything listens. */
export async function startSimulation(options: SimulationOptions = {}) {
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
    for (const { vehicle } of options.fitted ? devices : []) {
      vehicle.accessories.fitAll()
      vehicle.bus.connect(truckParameters)
    }
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
    /** Undefined without the option `gateway`. */
    gateway,
    devices,
    /** Addresses of the cards that announce devices, and the problems of others. */
    announced: { addresses: announcer?.addresses ?? [], problems: announcer?.problems ?? [] },
    violations: (): SimulationViolation[] => [
      ...devices.flatMap(({ imei, violations }) =>
        violations.map((violation) => ({ from: 'device' as const, imei, ...violation }))
      ),
      ...(gateway?.violations ?? []).map((violation) => ({
        from: 'gateway' as const,
        kind: 'undocumented' as const,
        ...violation
      }))
    ],
    stop
  }
}

function deviceOptions(options: SimulationOptions, host: string, index: number): DeviceOptions {
  const { seed = 1, story = 'parked', firstPort } = options
  const isFast = story === 'installation-fast'
  return {
    model: 'ft4',
    helperStory: isFast ? story : 'installation',
    reportEveryMs: isFast ? 1000 : 10_000,
    ...options,
    identity: makeIdentity(seed, index, speakerOf(options.form ?? 'document', seed)('sim.padded') ? 19 : 20),
    ...makeCredentials(seed),
    host,
    port: firstPort === undefined ? 0 : firstPort + index,
    seed: seed * 1000 + index
  }
}

/** The gateway of these devices; a remote output command switches the output of its device while that is connected. */
async function startGatewayFor(
  devices: SimulatedDevice[],
  options: SimulationOptions,
  host: string
): Promise<SimulatedGateway> {
  const { gatewayDelayMs, now } = options
  const gateway = await startGateway({
    host,
    seed: options.seed ?? 1,
    devices: devices.map(({ imei, model, iccid, vehicle }) => {
      const { latitude: lat, longitude: lon } = vehicle.state().fix
      return { imei, model, iccid, lat, lon }
    }),
    ...(options.form && { form: options.form }),
    ...(gatewayDelayMs !== undefined && { delayMs: gatewayDelayMs }),
    history: options.history ?? false,
    ...(now && { now })
  })
  gateway.onRemoteOutput(({ imei, out, state }) => {
    devices.find((device) => device.imei === imei)?.vehicle.setOutput(`OUT${out}`, state)
  })
  gateway.connectCameras((imei) => devices.find((device) => device.imei === imei)?.vehicle.accessories.cameras() ?? [])
  return gateway
}

/** Parameters of a configured bus, besides those of every bus. */
const truckParameters = ['ECU_COOLANT_TEMP', 'ECU_FUEL_LEVEL', 'ECU_TOTAL_FUEL', 'ECU_ENGINE_USAGE']

/** Announces a device; stopping the device withdraws the announcement. */
async function announceDevice(announcer: Announcer, device: SimulatedDevice): Promise<void> {
  const announce = () => announcer.announce({ hostname: device.announcedName(), port: device.port })
  let announcement = announce()
  await announcement
  // One after the other: the old name is withdrawn before the new one is announced.
  device.onRenaming(() => (announcement = announcement.then(async (old) => (await old.stop(), announce()))))
  const stopDevice = device.stop
  device.stop = async (options) => {
    await (await announcement).stop(options)
    await stopDevice()
  }
}
