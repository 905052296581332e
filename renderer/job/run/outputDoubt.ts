import type { LedgerEntry } from '../../../preload/contract/device/outputs.ts'
import type { Job, Step } from '../../../preload/contract/job/jobs.ts'
import { linesOf } from '../../base/shell/jobStage.ts'
import type { HeardStep } from '../../base/shell/jobs.store.ts'

/** The output of a step that may be on while its device does not say so. */
export interface OutputDoubt {
  out: string
  /** Its line in the ledger; null before there is one. */
  entry: LedgerEntry | null
}

interface Scene {
  job: Pick<Job, 'id' | 'device'>
  step: Step
  live: HeardStep | null
  /** Since when the device of a running job has not answered; null while it answers. */
  lostForMs: number | null
  ledger: readonly LedgerEntry[]
}

/**
 * Whether the output of this step is in doubt: while it is tested and its device is lost, and after that for as long as
 * the ledger says that it may be on.
 */
export function doubtOf({ job, step, live, lostForMs, ledger }: Scene): OutputDoubt | null {
  if (step.kind !== 'output') return null
  const out = outputOf(step, live)
  if (out === undefined) return null
  const entry =
    ledger.find(({ imei, output, path }) => imei === job.device.imei && output === out && path === 'local') ?? null
  if (step.state !== 'running')
    return entry?.jobId === job.id && (entry.state === 'mayBeOn' || entry.state === 'goingOff') ? { out, entry } : null
  const phase = live?.output?.phase
  const isSwitched = phase === 'on' || phase === 'effect' || phase === 'off'
  return isSwitched && (lostForMs !== null || entry?.state === 'mayBeOn') ? { out, entry } : null
}

/** The output of a step: that of its test, else the one that its result or its title names. */
export function outputOf(step: Step, live: Pick<HeardStep, 'output'> | null): string | undefined {
  return live?.output?.out ?? namedIn(step.summary) ?? linesOf(step, null).find((line) => line.startsWith('OUT'))
}

function namedIn(summary: Step['summary']): string | undefined {
  const out = typeof summary === 'object' ? summary?.values['out'] : undefined
  return typeof out === 'string' ? out : undefined
}
