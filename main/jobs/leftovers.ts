import { notProvedOff } from './checks/output.ts'
import { switchOff } from '../outputs/switching.ts'
import type { SessionOptions } from './session.ts'

const withinMs = 5_000

/**
 * Switches off what an earlier session left on: it ended (a crash, a pulled plug) between "on" and the proof of "off".
 * What cannot be proved off is shown at the step that had switched it.
 */
export async function switchOffLeftovers(options: Pick<SessionOptions, 'job' | 'write' | 'device' | 'monotonicMs'>): Promise<void> {
  for (const out of [...options.job().outputsLeftOn]) {
    const off = await switchOff(
      {
        device: options.device,
        record: (entry) => options.write('deviceWrite', null, entry),
        monotonicMs: () => options.monotonicMs(),
        pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms))
      },
      out,
      { withinMs, isKnownOn: false, mayComeOnLate: false }
    )
    if (off.on === false) continue
    const { steps, templateSteps } = options.job()
    const step = steps.find(({ id, kind }) => kind === 'output' && (templateSteps.get(id)?.output ?? 'OUT1') === out)
    if (step) options.write('stepEnded', step.id, { attempt: step.attempts, ...notProvedOff(out), durationMs: 0 })
  }
}
