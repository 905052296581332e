import { chainLinks, type ChainLink, type ChainStep } from '../../preload/contract/diagnosis.ts'
import type { Evidence } from '../../preload/contract/evidence.ts'
import { message } from '../../preload/contract/messages.ts'
import type { Judged } from './judged.ts'
import type { DiagnosisLimits } from './limits.ts'
import { judgeAddress } from './links/address.ts'
import { judgeApn } from './links/apn.ts'
import { judgeFix } from './links/fix.ts'
import { judgeGatewayEvent } from './links/gatewayEvent.ts'
import { judgePower } from './links/power.ts'
import { judgeRegistration } from './links/registration.ts'
import { judgeSim } from './links/sim.ts'
import { judgeVehicle } from './links/vehicle.ts'
import { judgeVisible } from './links/visible.ts'
import { sightOf, type Sight } from './sight.ts'

const judges: Readonly<Record<ChainLink, (sight: Sight) => Judged>> = {
  power: judgePower,
  sim: judgeSim,
  registration: judgeRegistration,
  address: judgeAddress,
  apn: judgeApn,
  gatewayEvent: judgeGatewayEvent,
  fix: judgeFix,
  vehicle: judgeVehicle,
  visible: judgeVisible
}

/**
 * Where it broke: the links from the feed to the eyes of the user, up to the first broken one; what stands behind it was
 * not reached. A link of which nobody can say anything stops nothing. The same evidence gives the same chain, whether it
 * is live, from a snapshot or from a bundle.
 */
export function walkChain(evidence: Evidence, limits: DiagnosisLimits): ChainStep[] {
  const sight = sightOf(evidence, limits)
  let isBroken = false
  return chainLinks.map((link): ChainStep => {
    if (isBroken) return notReached(link)
    const judged = judges[link](sight)
    isBroken = judged.state === 'broken'
    return { link, ...judged }
  })
}

function notReached(link: ChainLink): ChainStep {
  return { link, state: 'notReached', sentence: message('chain.notReached'), short: message('chain.short.notReached'), detail: null, source: null, remedy: null, action: null, witness: null, readAt: null, sinceAt: null }
}

/** The first broken link; null where none is. */
export function brokenAt(chain: readonly ChainStep[]): ChainLink | null {
  return chain.find(({ state }) => state === 'broken')?.link ?? null
}
