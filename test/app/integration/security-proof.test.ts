// @module-tag long
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'

const run = promisify(execFile)
const proof = join(projectFolder, 'test', 'proof', 'run.ts')
/** The proof runs tests of its own: what this run set in the environment is not for them. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')))

it(
  'the short form of the security proof: each broken rule is caught by the test that is named for it',
  { timeout: 1_800_000 },
  async () => {
    const { stdout } = await run(process.execPath, [proof, 'security', 'short'], { env, maxBuffer: 16 * 1024 * 1024 })
    expect(stdout.trim().split('\n').at(-1)).toMatch(/^(\d{2,}) of \1$/)
  }
)
