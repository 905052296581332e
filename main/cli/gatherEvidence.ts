import { AppError } from '../../preload/contract/errors.ts'
import type { Evidence } from '../../preload/contract/evidence.ts'
import { message } from '../../preload/contract/messages.ts'
import type { Connections } from '../connections/connections.ts'
import type { DeviceClient } from '../device/client.ts'
import { startLineRecorder } from '../device/lineRecorder.ts'
import { readLive } from '../device/readLive.ts'
import type { DeviceDoor } from '../diagnosis/deviceWitness.ts'
import { createGathering } from '../diagnosis/gathering.ts'
import { createGatewayWitness } from '../diagnosis/gatewayWitness.ts'
import type { DiagnosisLimits } from '../diagnosis/limits.ts'
import { createDiagnosisGateway } from '../gateway/diagnosisGateway.ts'
import { rest } from '../time/pause.ts'
import type { CommandContext } from './context.ts'

/** So long the lines of a device are followed: a loose contact shows itself in less. */
const watchMs = 2_500
const deviceTimeoutMs = 5_000

export interface ReachedDevice {
  imei: string | null
  door: DeviceDoor
  close(): void
}

/** Why a device could not be reached, with what it was named by: the gateway may know it all the same. */
export interface MissedDevice {
  imei: string | null
  failure: AppError
}

export function reachedThrough(context: CommandContext, { client, address, imei }: { client: DeviceClient; address: string; imei: string | null }): ReachedDevice {
  const recorder = startLineRecorder({ device: client, monotonicMs: () => performance.now(), mostChanges: 1, changed: () => undefined, reportFault: (error) => void context.faulted(error) })
  const timeoutMs = context.common.timeoutMs ?? deviceTimeoutMs
  const door: DeviceDoor = { imei, host: address, model: null, read: (operation, signal) => readLive(client, operation, { signal, timeoutMs }), lines: (since) => recorder.news(since) }
  return { imei, door, close: () => recorder.stop() }
}

export interface GatherWish {
  connections: Connections
  hasGateway: boolean
  /** Null: no device is asked. */
  reached: ReachedDevice | MissedDevice | null
  vehicleId: number | null
  limits: DiagnosisLimits
}

/** All that device and gateway say now; the lines of a device that answers are followed for a moment. */
export async function gatherEvidence(context: CommandContext, { connections, hasGateway, reached, vehicleId, limits }: GatherWish): Promise<Evidence> {
  const reportFault = (error: unknown) => void context.faulted(error)
  const gathering = createGathering({
    door: () => {
      if (reached === null || 'failure' in reached) throw reached?.failure ?? new AppError('UNREACHABLE', message('device.noAnswer', { label: '', operation: 'system.info' }))
      return reached.door
    },
    imeiOf: () => reached?.imei ?? null,
    nearby: () => null,
    gateway: createGatewayWitness(createDiagnosisGateway(() => connections.gateway.client()), reportFault),
    gatewayName: () => Promise.resolve(hasGateway ? 'here' : null),
    expected: () => ({ apn: null, simId: null, from: null }),
    limits: () => limits,
    reportFault
  })
  try {
    const sought = { key: reached === null ? null : 'host', vehicleId, imei: null }
    const startedMs = performance.now()
    let { evidence } = await gathering.whole(sought)
    if (evidence.device?.state === 'answers') {
      await rest(watchMs - (performance.now() - startedMs), context.signal)
      evidence = (await gathering.whole(sought)).evidence
    }
    context.signal.throwIfAborted()
    return evidence
  } finally {
    if (reached !== null && 'close' in reached) reached.close()
    gathering.stop()
  }
}
