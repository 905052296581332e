import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { projectFolder } from '../../../bin/build.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitter-faults-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A process with the front ends' last resort, in which something goes wrong; what it says, and how it ended. */
async function run(code: string): Promise<{ out: string[]; code: number }> {
  const file = join(folder, 'child.ts')
  writeFileSync(
    file,
    `import { AppError } from '${projectFolder}/preload/contract/errors.ts'
     import { plainMessage } from '${projectFolder}/preload/contract/messages.ts'
     import { catchFaults } from '${projectFolder}/main/app/lastResort.ts'
     const expected = new AppError('DATA_UNUSABLE', plainMessage('The disk is full.'))
     const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
     catchFaults({
       async faulted(error) { await wait(20); console.log('outputs off, logged: ' + String(error instanceof Error ? error.name : error)) },
       end() { console.log('ended'); process.exit(70) }
     })
     ${code}
     await wait(200)
     console.log('still here')
     process.exit(0)`
  )
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 180_000 })
    return { out: stdout.trim().split('\n'), code: 0 }
  } catch (error) {
    const { stdout, code } = error as { stdout: string; code: number }
    return { out: stdout.trim().split('\n'), code }
  }
}

describe('A fault that nobody waited for', () => {
  it('does not end a front end when it is a promise that nobody heard', async () => {
    expect(await run(`void Promise.reject(new TypeError('x'))`)).toEqual({
      out: ['outputs off, logged: TypeError', 'still here'],
      code: 0
    })
  })

  it('does not end a front end when it is a failure that is expected, such as a full disk', async () => {
    expect(await run(`setTimeout(() => { throw expected }, 1)`)).toEqual({
      out: ['outputs off, logged: AppError', 'still here'],
      code: 0
    })
  })

  it('ends a front end in good order, after outputs are off, when an exception left memory half done', async () => {
    expect(await run(`setTimeout(() => { throw new TypeError('x') }, 1)`)).toEqual({
      out: ['outputs off, logged: TypeError', 'ended'],
      code: 70
    })
  })
})
