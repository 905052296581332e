import { AppError } from '../../preload/contract/errors.ts'
import type { Evidence } from '../../preload/contract/support/evidence.ts'
import { chainLinks } from '../../preload/contract/support/diagnosis.ts'
import { message } from '../../preload/contract/messages.ts'
import type { Connections } from '../gateway/accounts/connections.ts'
import type { DeviceClient } from '../device/client/client.ts'
import { startLineRecorder } from '../device/client/lineRecorder.ts'
import { readLive } from '../device/client/readLive.ts'
import { brokenAt, walkChain } from '../support/diagnosis/chain.ts'
import type { DeviceDoor } from '../support/diagnosis/deviceWitness.ts'
import { createGathering, type Gathered } from '../support/diagnosis/gathering.ts'
import { createGatewayWitness } from '../support/diagnosis/gatewayWitness.ts'
import type { DiagnosisLimits } from '../support/diagnosis/limits.ts'
import { createDiagnosisGateway } from '../gateway/client/diagnosisGateway.ts'
import { rest } from '../base/time/pause.ts'
import type { CommandContext } from './context.ts'

/** How long the lines of a device are watched: a loose contact shows itself sooner. */
const watchMs = 2_500
/** The number of equal readings of the lines which show that power is not the broken link. */
const sureReadings = 3
/** How long a broken link of the device waits for a slow gateway. */
const gatewayMs = 1_500
const againMs = 50
const deviceTimeoutMs = 5_000

export interface ReachedDevice {
  imei: string | null
  door: DeviceDoor
  /** The number of readings of its lines since it was reached. */
  readings(): number
  close(): void
}

/** Why a device could not be reached, and its name: the gateway may know it anyway. */
export interface MissedDevice {
  imei: string | null
  failure: AppError
}

export function reachedThrough(
  context: CommandContext,
  { client, address, imei }: { client: DeviceClient; address: string; imei: string | null }
): ReachedDevice {
  let readings = 0
  const recorder = startLineRecorder({
    device: client,
    monotonicMs: () => performance.now(),
    mostChanges: 1,
    changed: () => {
      if (recorder.silence() === undefined) readings += 1
    },
    reportFault: (error) => void context.faulted(error)
  })
  const timeoutMs = context.common.timeoutMs ?? deviceTimeoutMs
  const door: DeviceDoor = {
    imei,
    host: address,
    model: null,
    read: (operation, signal) => readLive(client, operation, { signal, timeoutMs }),
    lines: (since) => recorder.news(since)
  }
  return { imei, door, readings: () => readings, close: () => recorder.stop() }
}

export interface GatherWish {
  connections: Connections
  hasGateway: boolean
  /** Null: no device is asked. */
  reached: ReachedDevice | MissedDevice | null
  vehicleId: number | null
  limits: DiagnosisLimits
  /** Ends when the broken link is certain; otherwise with everything that both report. */
  isBrief?: boolean
}

/**
 * Everything that device and gateway report now; the lines of a device that answers are watched for a moment. If the
 * broken link is certain and no line changes, they need not be watched.
 */
export async function gatherEvidence(
  context: CommandContext,
  { connections, hasGateway, reached, vehicleId, limits, isBrief = false }: GatherWish
): Promise<Evidence> {
  const reportFault = (error: unknown) => void context.faulted(error)
  const gathering = createGathering({
    door: () => {
      if (reached === null || 'failure' in reached)
        throw (
          reached?.failure ??
          new AppError('UNREACHABLE', message('device.noAnswer', { label: '', operation: 'system.info' }))
        )
      return reached.door
    },
    imeiOf: () => reached?.imei ?? null,
    nearby: () => null,
    gateway: createGatewayWitness(
      createDiagnosisGateway(() => connections.gateway.client()),
      reportFault
    ),
    gatewayName: () => Promise.resolve(hasGateway ? 'here' : null),
    expected: () => ({ apn: null, simId: null, from: null }),
    limits: () => limits,
    reportFault
  })
  try {
    const sought = { key: reached === null ? null : 'host', vehicleId, imei: null }
    const startedMs = performance.now()
    const found =
      isBrief && reached !== null && 'readings' in reached
        ? await findBroken(reached, () => gathering.look(sought))
        : null
    if (found) return found
    let { evidence } = await gathering.whole(sought)
    if (evidence.device?.state === 'answers') {
      await rest(Math.max(0, watchMs - (performance.now() - startedMs)), context.signal)
      evidence = (await gathering.whole(sought)).evidence
    }
    context.signal.throwIfAborted()
    return evidence
  } finally {
    if (reached !== null && 'close' in reached) reached.close()
    gathering.stop()
  }

  /** The evidence of a broken link when watching the lines longer would not change it; null without one. */
  async function findBroken({ readings }: ReachedDevice, look: () => Promise<Gathered>): Promise<Evidence | null> {
    const startedMs = performance.now()
    for (;;) {
      const seen = await look()
      const tookMs = performance.now() - startedMs
      const what = standing(seen)
      if (what === 'sure' && readings() >= sureReadings && (seen.isWhole || tookMs >= gatewayMs)) return seen.evidence
      if (what === 'watch' || tookMs >= watchMs) return null
      await rest(againMs, context.signal)
      context.signal.throwIfAborted()
    }
  }

  /** open: power must be off for a while. watch: only time shows the lines, or nothing is broken. */
  function standing({ evidence, isWhole }: Gathered): 'sure' | 'open' | 'watch' {
    const chain = walkChain(evidence, limits)
    const link = brokenAt(chain)
    const [power] = chain
    const isSteady = evidence.device?.lately?.lines.every(({ changes }) => changes.length <= 1) ?? false
    if (!isSteady) return 'watch'
    if (power?.sentence.id === 'chain.power.momentary') return 'open'
    if (link === null || power?.witness !== 'device') return 'watch'
    return isWhole || chainLinks.indexOf(link) < chainLinks.indexOf('gatewayEvent') ? 'sure' : 'watch'
  }
}
