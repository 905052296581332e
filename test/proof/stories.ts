import { spawnSync } from 'node:child_process'
import { projectFolder } from '../../bin/build.ts'
import { findScript, toolEnv } from '../../bin/checks.ts'

/** Every fault story through a whole job: the verdict of each check, and the cause that is named. */
export function proveStories(): number {
  const program = [findScript(['vitest', 'vitest']), 'run', 'test/integration/fault-stories.test.ts', '--reporter', 'verbose']
  return spawnSync(process.execPath, program, { cwd: projectFolder, stdio: 'inherit', env: { ...toolEnv, FITTER_STORIES: 'all' } }).status ?? 1
}
