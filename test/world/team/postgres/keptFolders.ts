import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The messages to the keeper, one per line. */
export type KeeperLine = { folder: string } | { gone: string } | { server: number } | { ended: number }

let keeper: ChildProcess | undefined

/**
 * Cleans up whatever happens to this process: a second process waits for its end, then ends the servers that still run
 * and removes the remaining folders.
 */
function tellKeeper(line: KeeperLine): void {
  if (!keeper) {
    // In a process group of its own: Ctrl-C in the terminal reaches only ours.
    keeper = spawn(process.execPath, [join(import.meta.dirname, 'keeper.ts')], {
      cwd: tmpdir(),
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      windowsHide: true
    })
    keeper.on('error', () => undefined)
    keeper.stdin?.on('error', () => undefined)
    keeper.unref()
    ;(keeper.stdin as unknown as { unref(): void }).unref()
  }
  keeper.stdin?.write(`${JSON.stringify(line)}\n`)
}

/** A new folder that everybody may enter, gone with this process at the latest. */
export function makeKeptFolder(prefix: string): string {
  const folder = join(tmpdir(), `${prefix}${randomUUID()}`)
  tellKeeper({ folder })
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  return folder
}

export function removeKeptFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  tellKeeper({ gone: folder })
}

/** Ends with this process at the latest. */
export function keepServer(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined) return
  tellKeeper({ server: pid })
  child.once('exit', () => tellKeeper({ ended: pid }))
}
