import { loadShipped } from '../../../main/job/jobs/checklists/shipped.ts'
import { outputLimits } from '../../../main/job/outputs/limits.ts'
import { createOutputs, type Outputs } from '../../../main/job/outputs/outputs.ts'
import type { GatewayParts } from '../../../main/job/outputs/gatewayController.ts'
import type { SwitchEntry } from '../../../main/job/outputs/outputTypes.ts'
import type { OutputLedgerStore } from '../../../main/data/store/work/outputLedger.ts'
import type { AccessoryTest } from '../../../preload/contract/gateway/accessories.ts'
import { quickProfile, resourcesFolder } from './quickProfile.ts'

/** The limits that ship. */
export const shippedLimits = outputLimits.parse(loadShipped(resourcesFolder).profiles.get('standard')?.output)

/** The one door to relays, for a job engine on its own; devices are reached only through what jobs connect to. */
export function openOutputs(
  ledger: OutputLedgerStore,
  record: (jobId: string | null, entry: SwitchEntry) => unknown,
  reportFault: (fault: unknown) => void
): Outputs {
  return createOutputs({
    ledger,
    shipped: shippedLimits,
    chosen: () => quickProfile.output,
    reach: () => undefined,
    technician: () => 'Technician One',
    record: (_imei, jobId, entry) => void record(jobId, entry),
    changed: () => undefined,
    reportFault
  })
}

/**
 * Leaves expander output 1 of this device in the ledger: “off” was sent through a gateway that never shows its effect.
 */
export async function leaveOnAtGateway(outputs: Outputs, imei: string): Promise<void> {
  const ended = Promise.withResolvers<void>()
  const waits: GatewayParts['waits'] = {
    list: () => [],
    start(follow) {
      const test = { kind: 'output', state: 'notFound', note: follow.note } as AccessoryTest
      queueMicrotask(() => {
        follow.ended(test)
        ended.resolve()
      })
      return test
    }
  }
  const commands = {
    setOutput: () => Promise.resolve({ message: '', deviceIsOnline: true, raw: null }),
    outputLog: () => Promise.resolve([]),
    userName: () => Promise.resolve(null)
  }
  const gateway = {
    nowMs: () => Promise.resolve(Date.now()),
    deviceOf: () => Promise.resolve(imei),
    readLines: () => Promise.resolve({ lines: [], at: null }),
    commands
  }
  outputs.gateway.serve({
    gateway: gateway as unknown as GatewayParts['gateway'],
    waits,
    log: { begin: () => 1, end: () => undefined }
  })
  await outputs.gateway.set({ vehicleId: 1, otype: 'e', out: 1, on: false }, new AbortController().signal)
  await ended.promise
}
