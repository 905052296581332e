import { networkInterfaces } from 'node:os'
import type { CardUse } from '../../../preload/contract/app/internet.ts'
import type { SeenDevice } from '../../../preload/contract/device/discovery.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import { isOnCard, listCards, type Interfaces } from '../../device/discovery/cards.ts'
import { findGateways } from '../../device/discovery/gatewayRoutes.ts'
import { sayDialFailure } from '../client/transport/unreachable.ts'
import type { WayOutcome } from '../../base/internet/route.ts'
import type { GatewayRoutes } from '../../base/internet/routes.ts'

export interface NetworkUseParts {
  ways: GatewayRoutes
  devices: () => SeenDevice[]
  interfaces?: (() => Interfaces) | undefined
}

/** The use of each network: what each card is connected to, and which of them reach the gateway. */
export async function readNetworkUse({
  ways,
  devices,
  interfaces = networkInterfaces
}: NetworkUseParts): Promise<{ summary: Message; cards: CardUse[] }> {
  const gateways = await findGateways()
  const seen = devices().filter(({ standing }) => standing !== 'lost')
  const found = interfaces()
  const last = ways.last()
  const outside = listCards(found).filter(({ isLoopback }) => !isLoopback)
  const cards = [...Map.groupBy(outside, ({ name }) => name)].map(([card, own]): CardUse => {
    const defaultGateway = gateways.find((gateway) => own.some((one) => isOnCard(gateway, one))) ?? null
    const hotspotOf =
      defaultGateway === null ? null : (seen.find(({ addresses }) => addresses.includes(defaultGateway)) ?? null)
    const outcome = outcomeOf(ways, card, new Set(outside.map(({ name }) => name)).size === 1)
    const isUsed = last?.card === card && outcome?.kind === 'connected'
    return {
      card,
      addresses: (found[card] ?? []).map(({ address }) => address),
      defaultGateway,
      hotspotOf,
      devices: seen.filter((device) => device.card === card).length,
      gateway:
        outcome === undefined ? 'notTried' : outcome.kind === 'connected' ? (isUsed ? 'used' : 'worked') : outcome.kind,
      triedAt: outcome === undefined ? null : new Date(outcome.atMs).toISOString(),
      detail: sayOutcome(outcome, isUsed ? (last?.way.proxy?.label ?? null) : null, isUsed)
    }
  })
  return { summary: summarise(cards, last?.card ?? null), cards }
}

/** What is known about this card: from connections bound to it, and from those that the system sent over it. */
function outcomeOf(ways: GatewayRoutes, card: string, isAlone: boolean): WayOutcome | undefined {
  const own = ways
    .outcomes()
    .filter(
      ({ way, outcome }) =>
        way.from?.card === card ||
        (way.from === null && (outcome.kind === 'connected' ? outcome.card === card : isAlone))
    )
  return own
    .map(({ outcome }) => outcome)
    .sort((a, b) => b.atMs - a.atMs || Number(b.kind === 'connected') - Number(a.kind === 'connected'))[0]
}

function sayOutcome(outcome: WayOutcome | undefined, proxy: string | null, isUsed: boolean): Message {
  if (outcome === undefined) return message('internet.cardNotTried')
  if (outcome.kind === 'loginPage') return message('internet.cardLoginPage')
  if (outcome.kind === 'failed') return message('internet.cardFailed', { why: sayDialFailure(outcome.failure) })
  if (!isUsed) return message('internet.cardWorked')
  return proxy === null ? message('internet.cardUsed') : message('internet.cardUsedProxy', { proxy })
}

function summarise(cards: CardUse[], usedCard: string | null): Message {
  if (cards.length === 0) return usedCard === null ? message('internet.noNetwork') : message('internet.overOther')
  const hotspot = cards.find(({ hotspotOf }) => hotspotOf !== null)
  const used = cards.find(({ gateway }) => gateway === 'used')?.card ?? null
  const device = hotspot?.hotspotOf?.hostname ?? hotspot?.hotspotOf?.imei ?? hotspot?.defaultGateway ?? ''
  if (hotspot && used === hotspot.card) return message('internet.hotspotCarriesAll', { device, card: used })
  if (hotspot && used !== null) return message('internet.hotspotBesides', { device, card: used })
  if (hotspot) return message('internet.hotspotAlone', { device })
  if (used !== null) return message('internet.overCard', { card: used })
  return usedCard !== null ? message('internet.overOther') : message('internet.overNone')
}
