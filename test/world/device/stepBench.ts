import type { TemplateStep } from '../../../preload/contract/job/steps/index.ts'
import { standardStep } from './quickProfile.ts'
import { openVirtualJob, type VirtualJob } from './virtualJob.ts'

/**
 * A job with one step besides identity and sign-off: connected to its device, with nothing running yet, because it
 * waits for the identity.
 */
export async function openStep(stepId: string, more: Partial<TemplateStep> = {}): Promise<VirtualJob> {
  const job = openVirtualJob([standardStep('identity'), standardStep(stepId, more), standardStep('sign-off')])
  await job.connect()
  await job.jobs.waive(job.id, 'identity', 'only for this test', 'T')
  await job.pass(600)
  return job
}

export async function ended(job: VirtualJob, stepId: string, maxMs = 120_000) {
  for (let waitedMs = 0; waitedMs < maxMs && job.step(stepId).state === 'running'; waitedMs += 500) await job.pass(500)
  return job.step(stepId)
}

/** Runs a step while things happen to the vehicle, a second apart. */
export async function runWhile(job: VirtualJob, stepId: string, ...acts: (() => unknown)[]) {
  job.begin(stepId)
  for (const act of acts) {
    await job.pass(1_000)
    act()
  }
  return ended(job, stepId)
}
