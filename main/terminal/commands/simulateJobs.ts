import { message } from '../../../preload/contract/messages.ts'
import { sourceResourcesFolder } from '../../app/core.ts'
import { fillFolder } from '../../data/store/file/fillFolder.ts'
import { loadShipped } from '../../job/jobs/checklists/shipped.ts'
import { madeUpJobs } from '../../job/training/madeUpJobs.ts'
import type { Command } from '../command.ts'
import { readWhole, requireInput } from '../input/inputs.ts'
import { exitCodes } from '../output/exitCodes.ts'
import { sayOften } from '../output/progress.ts'

/** Fills an empty folder with a log of made-up jobs, so that anyone can try Fitter with years of them. */
export const runSimulateJobs: Command = async ({ terminal, signal }, _rest, values) => {
  const jobs = readWhole(values.jobs, { what: '--jobs', least: 1, most: 1_000_000, usual: 1 })
  // Never the folder in use.
  const folder = requireInput(values.data, '--data DIR')
  const startedMs = performance.now()
  const say = sayOften(terminal, (done, all) => message('terminal.makingUpJobs', { done, all }))
  await fillFolder(folder, madeUpJobs({ jobs, until: new Date(), shipped: loadShipped(sourceResourcesFolder) }), {
    signal,
    progress: (done) => say(done, jobs)
  })
  const tookS = Math.round((performance.now() - startedMs) / 100) / 10
  terminal.result({ jobs, folder, tookS }, message('terminal.jobsMadeUp', { n: jobs, folder, tookS }))
  return exitCodes.done
}
