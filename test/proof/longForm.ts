import { spawnSync } from 'node:child_process'
import { projectFolder } from '../../bin/build.ts'
import { findScript, toolEnv } from '../../bin/checks.ts'

/** Runs tests in the long form that their environment asks for; 0 when all of them held. */
export function runLongForm(
  files: readonly string[],
  env: Record<string, string>,
  parameters: readonly string[] = []
): number {
  const program = [findScript(['vitest', 'vitest']), 'run', ...files, '--reporter', 'verbose', ...parameters]
  return (
    spawnSync(process.execPath, program, { cwd: projectFolder, stdio: 'inherit', env: { ...toolEnv, ...env } })
      .status ?? 1
  )
}
