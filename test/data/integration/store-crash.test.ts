// @module-tag long
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../../main/data/store/index.ts'
import { canRun } from '../../world/data/requirement.ts'
import { openTestStore, appendEntry } from '../../world/data/storedJobs.ts'
import { tempFolder } from '../../world/tempFolder.ts'

const writer = join(import.meta.dirname, '..', '..', 'world', 'data', 'appendForever.ts')

/** Runs the writer in a process of its own; resolves with its output when it ended. */
function startWriter(
  folder: string,
  parameters: string[] = []
): { child: ChildProcess; output: () => string; ended: Promise<string> } {
  const child = spawn(process.execPath, [writer, folder, ...parameters], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  const ended = new Promise<string>((resolve) => child.on('close', () => resolve(output)))
  return { child, output: () => output, ended }
}

function lastAck(output: string): number {
  return Math.max(0, ...[...output.matchAll(/^ACK (\d+)$/gm)].map((match) => Number(match[1])))
}

test(
  '25 processes killed in the middle of writing lose nothing that was acknowledged, and the chain holds',
  { timeout: 900_000 },
  async () => {
    const folder = tempFolder()
    let acknowledged = 0
    const lost: string[] = []
    for (let round = 1; round <= 25; round++) {
      const { child, output, ended } = startWriter(folder)
      const enough = acknowledged + 1 + Math.floor(Math.random() * 60)
      while (lastAck(output()) < enough && child.exitCode === null)
        await new Promise((resolve) => setImmediate(resolve))
      child.kill('SIGKILL')
      acknowledged = Math.max(acknowledged, lastAck(await ended))
      const store = openStore(folder)
      const kept = store.jobs.journal('one').length
      if (kept < acknowledged) lost.push(`round ${round}: ${acknowledged} acknowledged, ${kept} kept`)
      // Written and not yet acknowledged: one at most.
      expect(kept - acknowledged).toBeLessThanOrEqual(1)
      expect(await store.check()).toMatchObject({ ok: true, findings: [] })
      acknowledged = kept
      store.close()
    }
    expect(lost).toEqual([])
    expect(acknowledged).toBeGreaterThan(25)
  }
)

test('a second process on the same folder is told so in one sentence, and the first one goes on', async () => {
  const folder = tempFolder()
  const store = openTestStore(folder)
  appendEntry(store, 'one', 'first')
  expect(await startWriter(folder, ['1']).ended).toBe(
    'DATA_LOCKED Another Fitter uses this data folder. Close it, or choose another folder with --data.\n'
  )
  appendEntry(store, 'one', 'second')
  expect((await store.check()).ok).toBe(true)
})

const canMount =
  process.platform === 'linux' && process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

/** Runs the writer in a mount namespace of its own, after `script` (with the folder as $1) prepared it. */
function inNamespace(folder: string, script: string, parameters: string[] = []): string {
  const { stdout, stderr } = spawnSync(
    'unshare',
    ['-m', 'sh', '-ec', script, 'sh', folder, process.execPath, writer, ...parameters],
    { encoding: 'utf8' }
  )
  return stdout + stderr
}

test.runIf(canRun(canMount, 'a read-only and a full disk need root on Linux'))(
  'a folder that may only be read is refused with what to do',
  async () => {
    const folder = join(tempFolder(), 'data')
    mkdirSync(folder)
    const readOnly = 'mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"; exec "$2" "$3" "$1" 3'
    const sentence =
      'DATA_UNUSABLE Fitter cannot write to the data folder. Allow writing, or choose another folder with --data.\n'
    expect(inNamespace(folder, readOnly)).toBe(sentence)
    const store = openStore(folder)
    appendEntry(store, 'one', 'first')
    store.close()
    expect(inNamespace(folder, readOnly)).toBe(sentence)
    expect(await openTestStore(folder).check()).toMatchObject({ ok: true, findings: [] })
  }
)

test.runIf(canRun(canMount, 'a read-only and a full disk need root on Linux'))(
  'a disk that becomes full is told, and nothing that was acknowledged is lost',
  async () => {
    const folder = join(tempFolder(), 'data')
    mkdirSync(join(folder, 'disk'), { recursive: true })
    const fill = 'mount -t tmpfs -o size=2m tmpfs "$1/disk"; "$2" "$3" "$1/disk"; cp "$1"/disk/* "$1"'
    const output = inNamespace(folder, fill)
    expect(output).toContain(
      'DATA_UNUSABLE The disk with the data folder is full. Free up space; nothing that was confirmed is lost.'
    )
    const acknowledged = lastAck(output)
    expect(acknowledged).toBeGreaterThan(20)
    const store = openTestStore(folder)
    expect(store.jobs.journal('one').length).toBeGreaterThanOrEqual(acknowledged)
    expect(await store.check()).toMatchObject({ ok: true, findings: [] })
  }
)
