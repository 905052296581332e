import { readFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'
import { ipv4Text } from './cards.ts'
import { readSystemProgram } from './systemProgram.ts'

const listingLimitMs = 2000

/** Default gateways of a `/proc/net/route` text (addresses there are little-endian hex). */
export function readProcRoutes(text: string): string[] {
  return unique(
    text
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(
        (fields) => fields[1] === '00000000' && /^[0-9A-F]{8}$/i.test(fields[2] ?? '') && fields[2] !== '00000000'
      )
      .map((fields) => ipv4Text(Buffer.from(fields[2] ?? '', 'hex').readUInt32LE(0)))
  )
}

/** Default gateways of `netstat -rn -f inet` (macOS) or `route print -4 0.0.0.0` (Windows). */
export function readRouteListing(text: string): string[] {
  const found: string[] = []
  for (const line of text.split(/\r?\n/)) {
    const fields = line.trim().split(/\s+/)
    const gateway =
      fields[0] === 'default' ? fields[1] : fields[0] === '0.0.0.0' && fields[1] === '0.0.0.0' ? fields[2] : undefined
    if (gateway && isIPv4(gateway)) found.push(gateway)
  }
  return unique(found)
}

function unique(addresses: string[]): string[] {
  return [...new Set(addresses)]
}

/** The default gateway of each card, as far as the system tells. */
export async function findGateways(): Promise<string[]> {
  if (process.platform === 'linux') {
    const text = await readFile('/proc/net/route', 'utf8').catch(() => '')
    return readProcRoutes(text)
  }
  if (process.platform === 'win32')
    return readRouteListing(await readSystemProgram('route', ['print', '-4', '0.0.0.0'], listingLimitMs))
  return readRouteListing(await readSystemProgram('netstat', ['-rn', '-f', 'inet'], listingLimitMs))
}
