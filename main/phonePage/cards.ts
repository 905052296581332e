import type { PhoneCard } from '../../preload/contract/jobs/phone.ts'
import { isLocalIp } from '../addresses/address.ts'
import { listCards, type Interfaces } from '../discovery/cards.ts'

const likely: readonly PhoneCard['kind'][] = ['wifi', 'ethernet', 'other']

/** The cards on which a phone nearby can reach this computer: no loopback, and no address that strangers can use. */
export function phoneCards(interfaces: Interfaces): PhoneCard[] {
  return listCards(interfaces)
    .flatMap(({ id, name, address, kind }) => (kind === 'loopback' || !isLocalIp(address) ? [] : [{ id, name, address, kind }]))
    .sort((a, b) => likely.indexOf(a.kind) - likely.indexOf(b.kind))
}
