import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { removeHiddenMarks } from '../../../preload/base/messages/hiddenMarks.ts'

/** The address of a device: a host name or an IP address (IPv6 link-local with its zone), and a port. */
export interface Address {
  /** A name in lower case without the final dot, or an IP address unchanged. */
  host: string
  port: number
  isName: boolean
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
 * A private, link-local or loopback IP address, with or without zone; not an operator's shared ones (100.64.0.0/10),
 * and no name.
 */
export function isLocalIp(ip: string): boolean {
  const bare = ip.split('%')[0] ?? ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1]
  if (mapped) return local.check(mapped, 'ipv4')
  return isIP(bare) !== 0 && local.check(bare, isIPv4(bare) ? 'ipv4' : 'ipv6')
}

/** True for this computer itself: `localhost`, 127.0.0.0/8 and ::1. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** The host of a URL; an IPv6 address without its brackets. */
export function hostOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/**
 * Splits `host`, `host:port`, `[v6]`, `[v6]:port` or a bare IPv6 address, also as a browser shows it: `http://` and a
 * path are left out. The port of a browser is not that of a device, so only a written one counts. Undefined for any
 * other text.
 */
export function parseAddress(text: string, port = devicePort): Address | undefined {
  const parts = splitPort(withoutWebParts(removeHiddenMarks(text).trim()))
  const chosenPort = parts?.port ?? port
  if (!parts || !isHost(parts.host) || !Number.isInteger(chosenPort) || chosenPort < 1 || chosenPort > 65535)
    return undefined
  const isName = isIP(parts.host) === 0
  const host = isName ? parts.host.toLowerCase().replace(/\.$/, '') : parts.host
  return { host, port: chosenPort, isName, label: hostWithPort(host, chosenPort) }
}

/** Why a text is no address of a device. */
export function whyNoAddress(text: string): Message {
  const typed = removeHiddenMarks(text).trim()
  const ofHttps = /^https:\/\//i.test(typed) ? parseAddress(typed.replace(/^https/i, 'http')) : undefined
  return ofHttps
    ? message('device.onlyHttp', { host: ofHttps.host })
    : message('device.noAddress', { address: typed.slice(0, 80) })
}

function withoutWebParts(text: string): string {
  const isUrl = /^http:\/\//i.test(text)
  const bare = text
    .replace(/^http:\/\//i, '')
    // Digits behind the slash name a network (192.168.2.0/24), and no device.
    .replace(isUrl ? /[/?#].*$/ : /\/(?!\d+$).*$/, '')
  // In a URL the zone is behind %25 (RFC 6874). Elsewhere it may be the card with the number 25 of Windows.
  return bare.replace(isUrl ? /%25(?=[^\]])/ : /(?<=^\[[^\]]*)%25(?=[a-z])/i, '%')
}

/** An address in the form for a URL or before a port. */
export function hostWithPort(host: string, port: number): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`
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
  // Some resolvers would read 1.2.3 or 0x7f.1 as an IPv4 address.
  if (/^[\d.]+$/.test(host) || /^0x/i.test(host)) return false
  const bare = host.replace(/\.$/, '')
  return bare.length <= 253 && bare.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(label))
}
