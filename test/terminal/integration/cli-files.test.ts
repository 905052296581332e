import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fileFolder } from '../../world/window/installation.ts'
import { fitter } from '../../world/window/fitterProcess.ts'

const folder = fileFolder()
const deep = join(folder, 'deep.json')
writeFileSync(deep, '['.repeat(100_000) + ']'.repeat(100_000))
const deepObject = join(folder, 'deep-object.json')
writeFileSync(deepObject, '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))
const pipe = join(folder, 'pipe')
execFileSync('mkfifo', [pipe])

let folders = 0
/** The sentence of a command that is refused: one, with exit code 2, and no stack trace. */
async function refusal(...parameters: string[]): Promise<string> {
  const { code, stderr } = await fitter(
    [...parameters, '--language', 'en', '--data', join(folder, `data-${++folders}`)],
    { env: { HOME: folder } }
  )
  expect([
    parameters.join(' '),
    code,
    stderr
      .trim()
      .split('\n')
      .filter((line) => /^\s+at /.test(line))
  ]).toEqual([parameters.join(' '), 2, []])
  return stderr.trim().split('\n').at(-1) ?? ''
}

describe.concurrent(
  'whatever a file is, the command ends with a sentence',
  { tags: ['long'], timeout: 360_000 },
  () => {
    test('a file without end is too large', async () => {
      expect(await refusal('job', 'verify', '/dev/zero')).toContain('/dev/zero is larger than')
      expect(await refusal('job', 'run', 'any', '--answers', '/dev/zero')).toContain('/dev/zero is larger than')
      expect(await refusal('templates', 'import', '/dev/zero')).toContain('/dev/zero is larger than')
    })

    test('a pipe into which nobody writes is given up', async () => {
      const commands = [
        ['templates', 'import', pipe],
        ['templates', 'check', pipe],
        ['job', 'run', 'any', '--answers', pipe],
        ['job', 'verify', pipe]
      ]
      const sentences = await Promise.all(commands.map((words) => refusal(...words)))
      for (const sentence of sentences) expect(sentence).toContain('did not end within 10 s, so nothing was read.')
    })

    test('JSON of 100,000 levels is refused', async () => {
      for (const file of [deep, deepObject]) {
        expect(await refusal('job', 'run', 'any', '--answers', file)).toMatch(/\.$/)
        expect(await refusal('templates', 'import', file)).toMatch(/\.$/)
        const verified = await fitter(['job', 'verify', file, '--data', join(folder, 'none')], {
          env: { HOME: folder }
        })
        expect([1, 2]).toContain(verified.code)
        expect(verified.stderr + verified.stdout).not.toMatch(/\n\s+at |RangeError/)
      }
    })

    test('a name that no file can have is refused', async () => {
      for (const name of ['/dev/null/x', join(folder, 'x'.repeat(300))]) {
        expect(await refusal('templates', 'schema', '--out', name)).toContain('cannot be written.')
        expect(await refusal('data', 'backup', '--out', name)).toMatch(/[.]$/)
        expect(await refusal('snapshot', '127.0.0.1:9', '--out', name)).toContain('cannot be written.')
      }
    })
  }
)
