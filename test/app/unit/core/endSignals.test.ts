import { spawn } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const file = pathToFileURL(join(import.meta.dirname, '..', '..', '..', '..', 'main', 'app', 'endSignals.ts')).href

/** A process that says when it was asked to end, and stays. */
function start() {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { onEndSignal } from '${file}'; onEndSignal(() => console.log('end')); setInterval(() => undefined, 1_000); console.log('ready')`
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] }
  )
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (text: Buffer) => (output += text.toString()))
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.on('exit', (_code, signal) => resolve(signal)))
  return { child, output: () => output, ended }
}

test('the same Ctrl+C that comes twice, because a launcher passes it on, ends in order; a later one ends at once', async () => {
  const { child, output, ended } = start()
  await expect.poll(output).toBe('ready\n')
  const startMs = performance.now()
  const timer = setInterval(() => child.kill('SIGINT'), 50)
  onTestFinished(() => clearInterval(timer))
  expect(await ended).toBe('SIGINT')
  expect(performance.now() - startMs).toBeGreaterThan(900)
  expect(output()).toBe('ready\nend\n')
})
