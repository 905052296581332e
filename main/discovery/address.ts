import { isIP, isIPv6 } from 'node:net'
import { ipv4Number } from './cards.ts'

export interface Address {
  host: string
  port: number
  isName: boolean
}

export const devicePort = 8080

/**
 * Reads what a person typed: a host name or an IPv4 address with an optional port, an IPv6 address in brackets with an
 * optional port (`[fe80::1%eth0]:8080`), or a bare IPv6 address. A leading `http://` and a trailing path are ignored.
 * Undefined when it is none of these.
 */
export function parseAddress(text: string): Address | undefined {
  const bare = text
    .trim()
    .replace(/^http:\/\//i, '')
    .replace(/\/.*$/, '')
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(bare)
  if (bracketed?.[1]) return isIPv6(bracketed[1]) ? withPort(bracketed[1], bracketed[2], false) : undefined
  if (isIPv6(bare)) return { host: bare, port: devicePort, isName: false }
  const match = /^([^:[\]\s]+)(?::(\d{1,5}))?$/.exec(bare)
  if (!match?.[1]) return undefined
  const host = match[1].replace(/\.$/, '')
  if (isIP(host)) return withPort(host, match[2], false)
  // Digits and dots alone are a mistyped IPv4 address, never a name.
  if (/^[\d.]+$/.test(host)) return undefined
  if (host.length > 253 || !host.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label))) return undefined
  return withPort(host.toLowerCase(), match[2], true)
}

function withPort(host: string, port: string | undefined, isName: boolean): Address | undefined {
  const number = port === undefined ? devicePort : Number(port)
  return number >= 1 && number <= 65535 ? { host, port: number, isName } : undefined
}

/** True for loopback, private, shared (100.64/10) and link-local addresses: the ones that devices live on. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/%.*$/, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare)
  const number = ipv4Number(mapped?.[1] ?? bare)
  if (number !== undefined) {
    const [a, b] = [number >>> 24, (number >>> 16) & 255]
    return (
      a === 10 || a === 127 || (a === 172 && b >= 16 && b <= 31) || (a === 192 && b === 168) || (a === 169 && b === 254) || (a === 100 && b >= 64 && b <= 127)
    )
  }
  return bare === '::1' || /^fe[89ab]/.test(bare) || /^f[cd]/.test(bare)
}

/** An address as it stands in a URL or beside a port. */
export function hostWithPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
