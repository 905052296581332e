import type { SeenDevice } from '../../preload/contract/discovery.ts'
import { isOnCard, listCards, type Interfaces } from './cards.ts'

/**
 * The own address from which a device's IPv4 address is asked: of the card that the device was heard on, else of the only
 * network that the address lies in. A VPN or the way to the internet, which may claim the same addresses, never gets to
 * see such a request. Undefined where nothing tells, and for this computer itself: then the system chooses.
 */
export function startingPointFor(ip: string, devices: readonly Pick<SeenDevice, 'addresses' | 'card'>[], interfaces: Interfaces): string | undefined {
  const near = listCards(interfaces).filter((card) => !card.isLoopback && isOnCard(ip, card))
  const heardOn = devices.find(({ addresses }) => addresses.includes(ip))?.card
  const chosen = near.find(({ name }) => name === heardOn) ?? (near.length === 1 ? near[0] : undefined)
  // Of itself a computer knows the way.
  return chosen?.address === ip ? undefined : chosen?.address
}
