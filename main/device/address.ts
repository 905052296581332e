import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { AppError } from '../../preload/contract/errors.ts'

/** Where a device listens: a host name or an IP address (IPv6 link-local with its zone), and a port. */
export interface DeviceAddress {
  host: string
  port: number
  /** `host:port`, IPv6 in brackets: as it is shown to people. */
  label: string
}

export const devicePort = 8080

const local = new BlockList()
local.addSubnet('10.0.0.0', 8, 'ipv4')
local.addSubnet('172.16.0.0', 12, 'ipv4')
local.addSubnet('192.168.0.0', 16, 'ipv4')
local.addSubnet('169.254.0.0', 16, 'ipv4')
local.addSubnet('127.0.0.0', 8, 'ipv4')
local.addAddress('::1', 'ipv6')
local.addSubnet('fe80::', 10, 'ipv6')
local.addSubnet('fc00::', 7, 'ipv6')

/**
 * True for a private, link-local or loopback IP address (with or without brackets, zone and port), for `localhost` and
 * for a `.local` name. Any other name is not taken for local: what it resolves to decides, when it is used.
 */
export function isLocalAddress(address: string): boolean {
  const host = splitPort(address.trim())?.host
  if (host === undefined) return false
  const name = host.toLowerCase().replace(/\.$/, '')
  return isIP(host) ? isLocalIp(host) : name === 'localhost' || name.endsWith('.local')
}

export function isLocalIp(ip: string): boolean {
  const bare = ip.split('%')[0] ?? ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped) return local.check(mapped, 'ipv4')
  return local.check(bare, isIPv4(bare) ? 'ipv4' : 'ipv6')
}

/**
 * Splits `host`, `host:port`, `[v6]`, `[v6]:port` or a bare IPv6 address; the port falls back to `port`, then to 8080.
 * Throws INVALID_REQUEST when the text is no such thing.
 */
export function parseAddress(address: string, port?: number): DeviceAddress {
  const parts = splitPort(address.trim())
  const chosenPort = parts?.port ?? port ?? devicePort
  if (!parts || !isHost(parts.host) || !Number.isInteger(chosenPort) || chosenPort < 1 || chosenPort > 65535) {
    throw new AppError(
      'INVALID_REQUEST',
      `"${address.slice(0, 80)}" is not an address. Give a host name, an IPv4 address, or an IPv6 address in brackets, with an optional port.`
    )
  }
  const shown = isIPv6(parts.host) ? `[${parts.host}]` : parts.host
  return { host: parts.host, port: chosenPort, label: `${shown}:${chosenPort}` }
}

function splitPort(address: string): { host: string; port?: number } | undefined {
  if (isIPv6(address)) return { host: address }
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(address)
  if (bracketed?.[1]) return isIPv6(bracketed[1]) ? withPort(bracketed[1], bracketed[2]) : undefined
  const plain = /^([^:[\]]+)(?::(\d{1,5}))?$/.exec(address)
  return plain?.[1] ? withPort(plain[1], plain[2]) : undefined
}

function withPort(host: string, port: string | undefined): { host: string; port?: number } {
  return port === undefined ? { host } : { host, port: Number(port) }
}

function isHost(host: string): boolean {
  if (isIP(host)) return true
  // 1.2.3 or 0x7f.1 would be taken for an IPv4 address by some resolvers.
  if (/^[\d.]+$/.test(host) || /^0x/i.test(host)) return false
  return host.length <= 253 && /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i.test(host)
}
