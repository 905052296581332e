import type { Fact } from '../../../preload/contract/facts.ts'
import type { Tolerances } from '../../../preload/contract/tolerances.ts'
import { deviceSays } from './deviceSays.ts'
import type { Evidence } from '../../../preload/contract/evidence.ts'
import { gatewaySays } from './gatewaySays.ts'
import { isHeard } from './heard.ts'
import { identityFacts } from './identityFacts.ts'
import { lineFacts } from './lineFacts.ts'
import { networkFacts } from './networkFacts.ts'
import { placeFacts } from './placeFacts.ts'

/**
 * What the device says against what the gateway says, fact by fact, always in the same order. Pure: the same of a device
 * that is read now, a snapshot, a bundle and a replay. A fact of which neither says anything is left out.
 */
export function compareFacts(evidence: Evidence, tolerances: Tolerances): Fact[] {
  const device = deviceSays(evidence)
  const gateway = gatewaySays(evidence, isHeard(device.simId) ? device.simId.value : undefined)
  const both = { device, gateway, evidence, tolerances }
  return [...placeFacts(both), ...lineFacts(both), ...networkFacts(both), ...identityFacts(both)].filter((one) => one !== null)
}
