import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { KeeperLine } from './keptFolders.ts'

/** A process that outlives the one that started it by a moment, and clears up after it. */
const folders = new Set<string>()
const servers = new Set<number>()

for await (const text of createInterface({ input: process.stdin })) {
  const line = JSON.parse(text) as KeeperLine
  if ('folder' in line) folders.add(line.folder)
  if ('gone' in line) folders.delete(line.gone)
  if ('server' in line) servers.add(line.server)
  if ('ended' in line) servers.delete(line.ended)
}
for (const pid of servers) signal(pid, 'SIGQUIT')
for (let tries = 0; tries < 100 && [...servers].some((pid) => signal(pid, 0)); tries++)
  await new Promise((resolve) => setTimeout(resolve, 50))
for (const pid of servers) signal(pid, 'SIGKILL')
for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

function signal(pid: number, what: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, what)
  } catch {
    return false
  }
}
