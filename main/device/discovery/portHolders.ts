import { message, type Message } from '../../../preload/contract/messages.ts'
import { readSystemProgram } from './systemProgram.ts'

const listingLimitMs = 3000

/** Programs of `ss -ulpn` output, this process left out. */
export function readSocketListing(text: string, port: number, ownId: number): Message[] {
  const names = new Map<string, string>()
  for (const line of text.split('\n')) {
    if (!new RegExp(`[:*]${port}\\s`).test(line)) continue
    for (const [, name, processId] of line.matchAll(/\("([^"]+)",pid=(\d+)/g))
      if (Number(processId) !== ownId && name && processId) names.set(processId, name)
  }
  return programs(names)
}

function programs(names: Map<string, string>): Message[] {
  return [...names].map(([processId, name]) => message('selfTest.program', { name, processId }))
}

/** Programs of `lsof -nP -iUDP:port` output, this process left out. */
export function readOpenFiles(text: string, ownId: number): Message[] {
  const names = new Map<string, string>()
  for (const line of text.split('\n').slice(1)) {
    const [name, processId] = line.trim().split(/\s+/)
    if (name && processId && Number(processId) !== ownId) names.set(processId, name)
  }
  return programs(names)
}

/** Processes of `netstat -ano -p udp` output, this process left out. */
export function readNetstat(text: string, port: number, ownId: number): Message[] {
  const ids = new Set<string>()
  for (const line of text.split(/\r?\n/)) {
    const fields = line.trim().split(/\s+/)
    const id = fields.at(-1)
    if (fields[0] === 'UDP' && fields[1]?.endsWith(`:${port}`) && id && Number(id) !== ownId) ids.add(id)
  }
  return [...ids].map((processId) => message('selfTest.process', { processId }))
}

/** The other programs on the UDP port, as far as the system reports them. */
export async function findPortHolders(port: number): Promise<Message[]> {
  if (process.platform === 'linux')
    return readSocketListing(await readSystemProgram('ss', ['-ulpn'], listingLimitMs), port, process.pid)
  if (process.platform === 'win32')
    return readNetstat(await readSystemProgram('netstat', ['-ano', '-p', 'udp'], listingLimitMs), port, process.pid)
  return readOpenFiles(await readSystemProgram('lsof', ['-nP', `-iUDP:${port}`], listingLimitMs), process.pid)
}
