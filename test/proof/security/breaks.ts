import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { countCode } from '../../world/changeCode.ts'
import { browserBreaks } from './browserBreaks.ts'
import { coreBreaks } from './coreBreaks.ts'
import { deliveryBreaks } from './deliveryBreaks.ts'
import { shellBreaks } from './shellBreaks.ts'

/** One rule of docs/security.md, broken on purpose in one place of the source. */
export interface SecurityBreak {
  rule: string
  file: string
  /** The text that keeps the rule; exactly one place in the file has it. */
  from: string
  to: string
  /**
   * The test file, the name of its test, or a part of it, that has to fail, and the value of its first `%s` if only one
   * case is meant.
   */
  caughtBy: readonly [file: string, name: string, value?: string]
}

export const securityBreaks: readonly SecurityBreak[] = [
  ...shellBreaks,
  ...browserBreaks,
  ...coreBreaks,
  ...deliveryBreaks
]

/** The short form: the first break of each unit test. These build nothing and start no program. */
export const fewBreaks = securityBreaks.filter(
  ({ caughtBy: [file] }, at, all) => file.includes('/unit/') && all.findIndex((one) => one.caughtBy[0] === file) === at
)

/** Why a break of the table no longer fits the source; undefined when it does. */
export function findRot({ from, to, caughtBy }: SecurityBreak, source: string, testSource: string): string | undefined {
  const places = countCode(source, from)
  if (places !== 1) return `the text occurs ${places} times`
  if (from === to) return 'it changes nothing'
  if (!testSource.includes(caughtBy[1])) return `no test is named "${caughtBy[1]}"`
  return undefined
}

/** The named test file, with the file that names its cases. */
export function readTestSource(folder: string, { caughtBy: [file] }: SecurityBreak): string {
  const files = [file, ...(file.endsWith('boot-electron.test.ts') ? ['test/world/window/bootRules.ts'] : [])].map(
    (name) => join(folder, name)
  )
  return files
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
}
