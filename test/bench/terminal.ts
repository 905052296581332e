import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sourceResourcesFolder } from '../../main/app/core.ts'
import { fillWithMadeUpJobs } from '../../main/job/training/madeUpJobs.ts'
import { alternate, sayRatio } from '../world/time/measure.ts'

/**
 * npm run bench -- terminal [--quick]: commands against a Node that does nothing, in turn, with 100,000 jobs (5,000).
 */
const jobs = process.argv.includes('--quick') ? 5_000 : 100_000
const rounds = 15
const folder = mkdtempSync(join(tmpdir(), 'fitter-bench-terminal-'))
const fitter = join(import.meta.dirname, '..', '..', 'bin', 'fitter')
const run = (...parameters: string[]) => spawnSync(process.execPath, parameters, { stdio: 'ignore' })

try {
  process.stdout.write(`Making ${jobs} jobs …\n`)
  await fillWithMadeUpJobs(join(folder, 'data'), { jobs, resourcesFolder: sourceResourcesFolder })
  const commands: [string, string[], number][] = [
    ['fitter help', ['help'], 3],
    ['fitter job list', ['job', 'list', '--data', join(folder, 'data')], 6],
    ['fitter job list --search', ['job', 'list', '--search', 'unit 0184', '--data', join(folder, 'data')], 6]
  ]
  for (const [name, parameters, goal] of commands) {
    // The first one fills the cache of compiled sources.
    run(fitter, ...parameters)
    sayRatio(
      name,
      await alternate(
        rounds,
        () => run(fitter, ...parameters),
        () => run('-e', '0')
      ),
      goal
    )
  }
} finally {
  rmSync(folder, { recursive: true })
}
