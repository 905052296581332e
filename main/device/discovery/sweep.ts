import { ipv4Number, ipv4Text, type Card } from './cards.ts'

/** The other addresses of the card's subnet, limited to the /24 around it: nothing else is ever swept. */
export function subnetHosts(card: Pick<Card, 'address' | 'netmask'>): string[] {
  const own = ipv4Number(card.address)
  const mask = ipv4Number(card.netmask)
  if (own === undefined || mask === undefined) return []
  const narrow = (mask | 0xffffff00) >>> 0
  const first = (own & narrow) >>> 0
  const last = (first | ~narrow) >>> 0
  const hosts: string[] = []
  for (let number = first + 1; number < last; number += 1) if (number !== own) hosts.push(ipv4Text(number))
  return hosts
}
