import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Writes to `FITTER_HOOK_ERRORS`, by file, what a hook threw outside of its tests: vitest's own result has it nowhere. */
export default class HookErrors implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env['FITTER_HOOK_ERRORS']
    if (!path) return
    const errors = modules.flatMap((module) =>
      [module, ...module.children.allSuites()]
        .flatMap((one) => one.errors())
        .slice(0, 1)
        .map(({ message }) => [module.moduleId, message])
    )
    writeFileSync(path, JSON.stringify(Object.fromEntries(errors)))
  }
}
