import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { fileFolder } from '../../world/window/installation.ts'

const fitter = join(import.meta.dirname, '..', '..', '..', 'bin', 'fitter')
const folder = fileFolder()
const data = join(folder, 'data')

beforeAll(() => {
  mkdirSync(data)
  run(['job', 'list'], '')
})

/** By a shell, because it alone can close an output before the program starts. */
function run(words: string[], to: string) {
  const { stderr, stdout } = spawnSync(
    'bash',
    ['-c', `"$@" ${to}; echo "code \${PIPESTATUS[0]}" >&2`, 'bash', process.execPath, fitter, ...words, '--data', data],
    { encoding: 'utf8', env: { PATH: process.env.PATH ?? '', HOME: folder }, timeout: 180_000 }
  )
  const [, said = '', code = ''] = /^([\s\S]*)code (\d+)\n$/.exec(stderr) ?? []
  return { stdout, said, code: Number(code) }
}

/** Commands that print something and end without a device, a gateway and a person. */
const printing = [
  ['--version'],
  ['--help'],
  ['policy', 'schema'],
  ['job', 'list'],
  ['gateway', 'status', '--json'],
  ['help', 'job', 'run'],
  ['completion', 'bash'],
  ['policy', 'show'],
  ['job', 'list', '--json'],
  ['explain', 'imei'],
  ['templates', 'list'],
  ['templates', 'schema'],
  ['operations', 'list'],
  ['data', 'check'],
  ['profile', 'list', '--json'],
  ['team', 'status', '--json'],
  ['nonsense', '--json']
]

/** Each as it ends when somebody gets its output. */
const usual: Record<string, ReturnType<typeof run>> = {}

describe.runIf(process.platform === 'linux')('output that nobody gets', { timeout: 720_000 }, () => {
  const losses: [name: string, to: string][] = [
    ['a full disk', '>/dev/full'],
    ['a reader that ended', '| (exec 0<&-; sleep 0.05)'],
    ['a reader that wants nothing', '| head -0'],
    ['a closed standard output', '>&-']
  ]
  it.each(losses)('for %s is said on standard error, with an exit code of its own', (_name, to) =>
    lose(printing.slice(0, 5), to)
  )
  it.each(losses)('for %s is said so by every command', { tags: ['long'] }, (_name, to) => lose(printing.slice(5), to))

  function lose(commands: string[][], to: string): void {
    for (const words of commands) {
      const kept = (usual[words.join(' ')] ??= run(words, ''))
      expect([words, kept.stdout !== '', kept.said.includes('could not be written')]).toEqual([words, true, false])
      const { said, code } = run(words, to)
      expect([words, said]).toEqual([words, expect.stringContaining('The output could not be written')])
      expect([words, said]).toEqual([words, expect.not.stringMatching(/^ {4}at |node:/m)])
      // The command's own failure stays what it was.
      expect([words, code]).toEqual([words, kept.code === 0 ? 6 : kept.code])
    }
  }

  it('discarded on purpose is no failure, in any way', () => {
    for (const to of ['>/dev/null', '>/dev/null 2>&1', '| cat >/dev/null']) {
      for (const words of [['--version'], ['job', 'list']])
        expect([words, to, run(words, to.replace(' 2>&1', '')).code]).toEqual([words, to, 0])
    }
    // As other programs discard both outputs of a program that they start.
    expect(spawnSync(process.execPath, [fitter, 'job', 'list', '--data', data], { stdio: 'ignore' }).status).toBe(0)
  })
})
