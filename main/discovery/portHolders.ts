import { execFile } from 'node:child_process'

function run(command: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    // Where the tool is missing or refuses, the system does not tell; that is what an empty answer means.
    execFile(command, args, { timeout: 3000, windowsHide: true }, (_error, stdout) => resolve(stdout))
  })
}

/** Program names of `ss -ulpn` output, this process left out. */
export function readSocketListing(text: string, port: number, ownId: number): string[] {
  const names = new Set<string>()
  for (const line of text.split('\n')) {
    if (!new RegExp(`[:*]${port}\\s`).test(line)) continue
    for (const match of line.matchAll(/\("([^"]+)",pid=(\d+)/g)) if (Number(match[2]) !== ownId && match[1]) names.add(`${match[1]} (process ${match[2]})`)
  }
  return [...names]
}

/** Program names of `lsof -nP -iUDP:port` output, this process left out. */
export function readOpenFiles(text: string, ownId: number): string[] {
  const names = new Set<string>()
  for (const line of text.split('\n').slice(1)) {
    const [name, id] = line.trim().split(/\s+/)
    if (name && id && Number(id) !== ownId) names.add(`${name} (process ${id})`)
  }
  return [...names]
}

/** Process ids of `netstat -ano -p udp` output, this process left out. */
export function readNetstat(text: string, port: number, ownId: number): string[] {
  const ids = new Set<string>()
  for (const line of text.split(/\r?\n/)) {
    const fields = line.trim().split(/\s+/)
    const id = fields.at(-1)
    if (fields[0] === 'UDP' && fields[1]?.endsWith(`:${port}`) && id && Number(id) !== ownId) ids.add(`process ${id}`)
  }
  return [...ids]
}

/** Who else is on the UDP port, as far as the system tells. */
export async function findPortHolders(port: number): Promise<string[]> {
  if (process.platform === 'linux') return readSocketListing(await run('ss', ['-ulpn']), port, process.pid)
  if (process.platform === 'win32') return readNetstat(await run('netstat', ['-ano', '-p', 'udp']), port, process.pid)
  return readOpenFiles(await run('lsof', ['-nP', `-iUDP:${port}`]), process.pid)
}
