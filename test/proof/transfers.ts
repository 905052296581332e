import { spawnSync } from 'node:child_process'
import { projectFolder } from '../../bin/build.ts'
import { findScript, toolEnv } from '../../bin/checks.ts'

/** Handing over and taking over, with a process that dies at every instant of both; 0: work was always in one place. */
export function proveTransfers(): number {
  const program = [findScript(['vitest', 'vitest']), 'run', 'test/unit/jobs/transfer', '--reporter', 'verbose']
  return spawnSync(process.execPath, program, { cwd: projectFolder, stdio: 'inherit', env: { ...toolEnv, FITTER_TRANSFER_EVERY: '1' } }).status ?? 1
}
