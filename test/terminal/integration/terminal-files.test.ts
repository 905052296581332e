import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasProgram } from '../../world/systemPackages.ts'
import { commandGroups } from '../../../main/terminal/commands/index.ts'
import { completionScript, shells } from '../../../main/terminal/commands/completion.ts'
import { manualPage } from '../../../main/terminal/output/help.ts'
import { canRun } from '../../world/data/requirement.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitter-terminal-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const runProgram = promisify(execFile)

/** What a shell offers for a command line that ends where the person presses Tab. */
const cases: [typed: string[], offered: string[], notOffered: string[]][] = [
  [['j'], ['job'], ['team']],
  [['job', 'l'], ['list'], ['new']],
  [['job', 'list', '--s'], ['--state', '--search'], ['--order']],
  [['device', '192.0.2.1', 'r'], ['read'], ['list']],
  [['snapshot', 'd'], ['diff'], []],
  [['team', 'hold', '--o'], ['--on', '--off'], ['--out']]
]

describe('completion', () => {
  function write(shell: (typeof shells)[number]): string {
    const path = join(folder, `_fitter.${shell}`)
    writeFileSync(path, completionScript(shell, commandGroups))
    return path
  }

  it.each(cases)('in bash, of %j', async (typed, offered, notOffered) => {
    const script = `source ${write('bash')}; COMP_WORDS=(fitter ${typed.join(' ')}); COMP_CWORD=${typed.length}; _fitter; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = await runProgram('bash', ['--norc', '-c', script], { cwd: folder })
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(offered))
    for (const word of notOffered) expect(stdout.split('\n')).not.toContain(word)
  })

  it.runIf(canRun(hasProgram('fish'), 'fish')).each(cases)('in fish, of %j', async (typed, offered, notOffered) => {
    const { stdout } = await runProgram(
      'fish',
      ['--no-config', '-c', `source ${write('fish')}; complete -C "fitter ${typed.join(' ')}"`],
      { cwd: folder }
    )
    const words = stdout.split('\n').map((line) => line.split('\t')[0])
    expect(words).toEqual(expect.arrayContaining(offered))
    for (const word of notOffered) expect(words).not.toContain(word)
  })

  it.runIf(canRun(hasProgram('zsh'), 'zsh'))('is a script that zsh reads', async () => {
    await runProgram('zsh', ['-n', write('zsh')])
    // `compadd` is only there while zsh completes, so what it is given is printed instead.
    const offered = async (...typed: string[]): Promise<string> => {
      const script = `compadd() { shift; print -l -- "$@" }; _files() { : }; words=(fitter ${typed.join(' ')} ''); CURRENT=\${#words}; run() { source ${write('zsh')} }; run`
      return (await runProgram('zsh', ['-f', '-c', script])).stdout
    }
    expect((await offered()).split('\n')).toContain('job')
    expect((await offered('job')).split('\n')).toContain('list')
    expect((await offered('device', '192.0.2.1')).split('\n')).toEqual(expect.arrayContaining(['read', 'call']))
    expect((await offered('job', 'list', 'x')).split('\n')).toContain('--state')
  })

  it('in PowerShell knows every command', () => {
    const script = completionScript('powershell', commandGroups)
    for (const { name } of commandGroups.flatMap(({ commands }) => commands))
      expect(script).toContain(`'^${name.replace('HOST', '\\S+')}( |$)'`)
  })
})

it.runIf(canRun(hasProgram('mandoc'), 'mandoc'))('the manual page is well formed and names every command', async () => {
  const path = join(folder, 'fitter.1')
  writeFileSync(path, await manualPage('0.1.0'))
  await runProgram('mandoc', ['-T', 'lint', '-W', 'error', path])
  const { stdout } = await runProgram('mandoc', ['-T', 'ascii', '-O', 'width=200', path])
  // Bold letters are printed twice.
  const plain = stdout.replaceAll(/.\x08/g, '')
  for (const { name } of commandGroups.flatMap(({ commands }) => commands)) expect(plain).toContain(name)
  expect(plain).toContain('Exit codes: 0 done')
})
