import { spawnSync } from 'node:child_process'
import { projectFolder } from '../../bin/build.ts'
import { findScript, toolEnv } from '../../bin/checks.ts'
import type { SyncRun } from '../world/data/syncRun.ts'

/**
 * npm run bench -- sync [COUNT]: mixed gateway work on a virtual clock, beside what the rate limits allow at best for
 * the same number of pieces and for the requests that were made. The clock is virtual: nothing here depends on the
 * machine.
 */
const count = process.argv[2] ?? '500'
const program = [
  findScript(['vitest', 'vitest']),
  'run',
  'test/team/integration/sync.test.ts',
  '--reporter',
  'verbose',
  '--disable-console-intercept'
]
const { stdout, stderr, status } = spawnSync(process.execPath, program, {
  cwd: projectFolder,
  encoding: 'utf8',
  maxBuffer: 64_000_000,
  env: { ...toolEnv, FITTER_SYNC: count }
})
const runs = stdout
  .split('\n')
  .filter((line) => line.startsWith('{"what"'))
  .map((line) => JSON.parse(line) as SyncRun & { what: string })
if (runs.length === 0) process.stderr.write(stdout + stderr)

const say = (text: string) => process.stdout.write(`${text}\n`)
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const verdict = (isMet: boolean) => (isMet ? 'met' : 'NOT MET')
const clean = runs.find(({ what }) => what === 'clean')

for (const run of runs) {
  const most = run.what === 'clean' ? 1.1 : run.what === 'crashes' ? 2.2 : undefined
  say(
    `${count} pieces of work, ${run.what}: ${run.requests} requests, ${run.requestsPerOperation.toFixed(3)} each${most === undefined ? '' : ` (goal ${most}): ${verdict(run.requestsPerOperation <= most)}`}`
  )
  say(
    `  taken after ${seconds(run.tookMs)}, effects seen after ${seconds(run.seenMs)}; the limits allow ${seconds(run.leastMs)} for one request each (ratio ${ratio(run.tookMs, run.leastMs)}), ${seconds(run.boundMs)} for these requests (ratio ${ratio(run.tookMs, run.boundMs)}, goal 1.05)`
  )
  say(
    `  lost ${run.lost.length}, doubled ${run.doubled.length}, into a closed window ${run.violations.length}; ends ${JSON.stringify(run.states)}`
  )
  say(
    `  ${Object.entries(run.byOperation)
      .map(([operation, times]) => `${operation} ${times}`)
      .join(', ')}`
  )
}
const poisoned = runs.find(({ what }) => what === 'poisoned')
if (clean && poisoned)
  say(
    `The pieces that are never answered well delay the rest by ${((poisoned.tookMs / clean.tookMs - 1) * 100).toFixed(1)} % (goal under 5 %)`
  )
process.exitCode = status ?? 1

function ratio(ms: number, otherMs: number): string {
  return otherMs === 0 ? 'none' : (ms / otherMs).toFixed(3)
}
