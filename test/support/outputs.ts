import { loadShipped } from '../../main/jobs/checklists/shipped.ts'
import { outputLimits } from '../../main/outputs/limits.ts'
import { createOutputs, type Outputs } from '../../main/outputs/outputs.ts'
import type { SwitchEntry } from '../../main/outputs/outputTypes.ts'
import type { OutputLedgerStore } from '../../main/store/work/outputLedger.ts'
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
