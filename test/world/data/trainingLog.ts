import { sourceResourcesFolder } from '../../../main/app/core.ts'
import { fillFolder } from '../../../main/data/store/file/fillFolder.ts'
import { loadShipped } from '../../../main/job/jobs/checklists/shipped.ts'
import { madeUpJobs } from '../../../main/job/training/madeUpJobs.ts'

/** Fills a folder as `fitter simulate --jobs` does. */
export function makeTrainingLog(folder: string, jobs: number): Promise<void> {
  return fillFolder(folder, madeUpJobs({ jobs, until: new Date(), shipped: loadShipped(sourceResourcesFolder) }))
}
