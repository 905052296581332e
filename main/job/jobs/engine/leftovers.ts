import type { Outputs } from '../../outputs/outputs.ts'
import { notProvedOff } from '../checks/output.ts'
import { stepOfOutput } from './followOutput.ts'
import type { SessionOptions } from './session.ts'

const withinMs = 5_000

export interface LeftoverOptions extends Pick<SessionOptions, 'job' | 'write' | 'device'> {
  outputs: Outputs
  address: string
}

/**
 * Switches off what an interruption may have left on; what cannot be confirmed off is shown at the step that switched
 * it.
 */
export async function switchOffLeftovers({ job, write, device, outputs, address }: LeftoverOptions): Promise<void> {
  const { imei } = job().device
  adoptLeftovers(outputs, job, address)
  outputs.seen(imei, device)
  const left = await outputs.settle(imei, withinMs)
  for (const out of job().outputsLeftOn) {
    if (!left.some(({ output, state }) => output === out && state !== 'watched')) continue
    const step = stepOfOutput(job(), out)
    if (step) write('stepEnded', step.id, { attempt: step.attempts, ...notProvedOff(out), durationMs: 0 })
  }
}

/** A log from before the ledger may contain an output that was left on. */
export function adoptLeftovers(outputs: Outputs, job: SessionOptions['job'], address: string): void {
  const { id, device, technician, outputsLeftOn } = job()
  for (const out of outputsLeftOn) outputs.adopt({ imei: device.imei, output: out, address, by: technician, jobId: id })
}
