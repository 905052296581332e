import { startDevice, type SimulatedDevice } from './device/device.ts'
import type { Violation } from './device/record.ts'
import type { FaultName } from './faults.ts'
import { makeCredentials, makeIdentity } from './identity.ts'
import type { DeviceReport } from './report.ts'
import type { StoryName } from './stories.ts'

export type { SimulatedDevice }

export interface SimulationOptions {
  devices?: number
  model?: string
  mdns?: boolean
  gateway?: boolean
  story?: StoryName
  seed?: number
  faults?: FaultName[]
  /** Address that the servers listen on. */
  host?: string
  reportEveryMs?: number
  openSystemInfo?: boolean
  gatewayDelayMs?: number
}

export interface Simulation {
  devices: SimulatedDevice[]
  violations: () => Violation[]
  stop: () => Promise<void>
}

/** Starts devices, and where asked their announcements and their gateway; resolves when everything listens. */
export async function startSimulation(options: SimulationOptions = {}): Promise<Simulation> {
  const seed = options.seed ?? 1
  const host = options.host ?? '127.0.0.1'
  const credentials = makeCredentials(seed)
  const story = options.story ?? 'parked'
  const report = (_: DeviceReport): void => undefined
  const devices = await Promise.all(
    Array.from({ length: options.devices ?? 1 }, (_, index) =>
      startDevice({
        identity: makeIdentity(seed, index),
        model: options.model ?? 'ft4',
        ...credentials,
        host,
        seed: seed * 1000 + index,
        story,
        faults: options.faults ?? [],
        openSystemInfo: options.openSystemInfo ?? false,
        reportEveryMs: options.reportEveryMs ?? (story === 'installation-fast' ? 1000 : 10_000),
        report
      })
    )
  )
  return {
    devices,
    violations: () => devices.flatMap((device) => device.violations),
    stop: async () => {
      await Promise.all(devices.map((device) => device.stop()))
    }
  }
}
