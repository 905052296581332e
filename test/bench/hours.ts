import { startVitest } from 'vitest/node'
import { projectFolder } from '../../bin/build.ts'

/**
 * `npm run bench -- hours [hours]`: a working day of jobs on a virtual clock: the real engine, log and outputs, and the
 * simulator's vehicle. Says whether heap, timers, handles and listeners are flat. Vitest brings the clock.
 */
process.env['FITTER_BENCH_HOURS'] = process.argv[2] ?? '8'
process.argv.length = 2
const vitest = await startVitest('test', [], {
  root: projectFolder,
  config: false,
  watch: false,
  include: ['test/bench/hours/day.ts'],
  pool: 'forks',
  execArgv: ['--expose-gc'],
  testTimeout: 0,
  reporters: ['dot']
})
await vitest.close()
