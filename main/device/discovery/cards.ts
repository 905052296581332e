import { existsSync } from 'node:fs'
import type { NetworkInterfaceInfo } from 'node:os'
import type { NetworkCard } from '../../../preload/contract/device/discovery.ts'

/**
 * One IPv4 address of a network card. A card with two addresses counts twice, because each belongs to its own subnet.
 */
export interface Card {
  id: string
  name: string
  address: string
  netmask: string
  isLoopback: boolean
  /** Looked up on first use: it is a system call, and an urgent look-up does not need it. */
  readonly kind: NetworkCard['kind']
  /** The part after the `%` of a link-local IPv6 address that was received on this card. */
  zone: string
}

export type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>

function kindOf(name: string, isInternal: boolean): NetworkCard['kind'] {
  if (isInternal) return 'loopback'
  if (/^(wl|wi-?fi|wlan|ath)/i.test(name) || existsSync(`/sys/class/net/${name}/wireless`)) return 'wifi'
  if (/^(en|eth|em\d|ethernet|lan)/i.test(name)) return 'ethernet'
  return 'other'
}

/** Every card with an IPv4 address, loopback last: the training simulator announces itself there. */
export function listCards(interfaces: Interfaces): Card[] {
  const cards: Card[] = []
  for (const [name, infos] of Object.entries(interfaces)) {
    const scope = infos?.find((info) => info.family === 'IPv6' && info.scopeid > 0)
    const zone = process.platform === 'win32' && scope?.family === 'IPv6' ? String(scope.scopeid) : name
    for (const info of infos ?? []) {
      if (info.family !== 'IPv4') continue
      let kind: NetworkCard['kind'] | undefined
      cards.push({
        id: `${name} ${info.address}`,
        name,
        address: info.address,
        netmask: info.netmask,
        isLoopback: info.internal,
        get kind() {
          return (kind ??= kindOf(name, info.internal))
        },
        zone
      })
    }
  }
  return cards.sort((a, b) => Number(a.isLoopback) - Number(b.isLoopback))
}

/** An IPv4 address as an unsigned number; undefined for any other text. */
export function ipv4Number(address: string): number | undefined {
  const parts = address.split('.')
  if (parts.length !== 4) return undefined
  let number = 0
  for (const part of parts) {
    if (!/^\d{1,3}$/.test(part) || Number(part) > 255) return undefined
    number = number * 256 + Number(part)
  }
  return number
}

export function ipv4Text(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
}

/** True when the IPv4 address is in the card's own subnet. */
export function isOnCard(address: string, card: Pick<Card, 'address' | 'netmask'>): boolean {
  const [theirs, own, mask] = [ipv4Number(address), ipv4Number(card.address), ipv4Number(card.netmask)]
  if (theirs === undefined || own === undefined || mask === undefined) return false
  return (theirs & mask) >>> 0 === (own & mask) >>> 0
}
