import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

/** Another program has the file for itself when this resolves; `called` is the name by which the system knows it. */
export async function holdFile(
  file: string,
  { forMs = 0, called = 'some-program' }: { forMs?: number; called?: string } = {}
) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'holdFileChild.ts'), file, String(forMs)], {
    argv0: called,
    stdio: ['pipe', 'pipe', 'inherit']
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  await once(createInterface(child.stdout), 'line')
  return {
    ended,
    async release(): Promise<void> {
      child.stdin.end()
      await ended
    }
  }
}
