import { readFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'
import { ipv4Text } from './cards.ts'
import { readSystemProgram } from './systemProgram.ts'

const listingLimitMs = 2000

interface Route {
  destination: string
  mask: string
  gateway: string
  card: string
}

/** Default gateways of a `/proc/net/route` text (addresses there are little-endian hex). */
export function readProcRoutes(text: string): string[] {
  return defaultGateways(
    text
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => /^[0-9A-F]{8}$/i.test(fields[2] ?? '') && fields[2] !== '00000000')
      .map(([card = '', destination = '', gateway = '', , , , , mask = '00000000']) => ({
        destination: ofHex(destination),
        mask: ofHex(mask),
        gateway: ofHex(gateway),
        card
      }))
  )
}

function ofHex(littleEndian: string): string {
  return /^[0-9A-F]{8}$/i.test(littleEndian) ? ipv4Text(Buffer.from(littleEndian, 'hex').readUInt32LE(0)) : ''
}

/** Default gateways of `netstat -rn -f inet` (macOS) or `route print -4` (Windows). */
export function readRouteListing(text: string): string[] {
  const routes: Route[] = []
  for (const line of text.split(/\r?\n/)) {
    const fields = line.trim().split(/\s+/)
    const [first = '', second = '', third = '', fourth = ''] = fields
    const short = shortRoutes[first]
    if (short) routes.push({ ...short, gateway: second, card: fourth })
    else if (isIPv4(first)) routes.push({ destination: first, mask: second, gateway: third, card: fourth })
  }
  return defaultGateways(routes.filter(({ gateway }) => isIPv4(gateway)))
}

/** How macOS writes these routes. */
const shortRoutes: Readonly<Record<string, Pick<Route, 'destination' | 'mask'>>> = {
  default: { destination: '0.0.0.0', mask: '0.0.0.0' },
  '0/1': { destination: '0.0.0.0', mask: '128.0.0.0' },
  '128.0/1': { destination: '128.0.0.0', mask: '128.0.0.0' }
}

/** A VPN often takes all traffic in two halves, which come before the route of the card without replacing it. */
function defaultGateways(routes: Route[]): string[] {
  const isOtherHalf = (low: Route) => (one: Route) =>
    one.destination === '128.0.0.0' && one.mask === '128.0.0.0' && one.gateway === low.gateway && one.card === low.card
  return unique(
    routes
      .filter(
        (route) =>
          route.destination === '0.0.0.0' &&
          (route.mask === '0.0.0.0' || (route.mask === '128.0.0.0' && routes.some(isOtherHalf(route))))
      )
      .map(({ gateway }) => gateway)
  )
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
    return readRouteListing(await readSystemProgram('route', ['print', '-4'], listingLimitMs))
  return readRouteListing(await readSystemProgram('netstat', ['-rn', '-f', 'inet'], listingLimitMs))
}
