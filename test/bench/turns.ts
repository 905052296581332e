import { spawnSync } from 'node:child_process'
import { projectFolder } from '../../bin/build.ts'
import { findScript, toolEnv } from '../../bin/checks.ts'

/**
 * npm run bench -- turns: twenty jobs and one that asks the gateway without end, on a virtual clock, beside what the
 * limits allow; on the other side the same jobs without turns. Nothing here depends on the machine.
 */
const program = [
  findScript(['vitest', 'vitest']),
  'run',
  'test/job/integration/jobs-take-turns.test.ts',
  '--disable-console-intercept'
]
const { stdout, stderr, status } = spawnSync(process.execPath, program, {
  cwd: projectFolder,
  encoding: 'utf8',
  env: { ...toolEnv, FITTER_TURNS: '1' }
})
const line = stdout.split('\n').find((one) => one.startsWith('{"what":"turns"'))
process.stdout.write(line === undefined ? stdout + stderr : `${line}\n`)
process.exitCode = status ?? 1
