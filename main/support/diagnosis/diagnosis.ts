import type { ChainLink, ChainStep, Finding, Verdicts } from '../../../preload/contract/support/diagnosis.ts'
import type { Evidence } from '../../../preload/contract/support/evidence.ts'
import type { Tolerances } from '../../../preload/contract/support/tolerances.ts'
import { brokenAt, walkChain } from './chain.ts'
import { compareFacts } from './facts/facts.ts'
import { agreeWith, proofOf } from './facts/proof.ts'
import { viewEvidence } from './evidenceView.ts'
import { findBeside } from './findings.ts'
import type { DiagnosisLimits } from './limits.ts'

export interface Measures {
  limits: DiagnosisLimits
  tolerances: Tolerances
}

/**
 * The diagnosis of evidence from one moment. It has no other input, so live data, a snapshot, a bundle and a replay
 * give the same answer.
 */
export function diagnose(evidence: Evidence, { limits, tolerances }: Measures): Verdicts {
  const chain = walkChain(evidence, limits)
  const link = brokenAt(chain)
  const findings = findBeside(evidence, limits).filter(({ id }) => link === null || !saidByChain[id]?.includes(link))
  return conclude({
    chain,
    findings,
    facts: agreeWith(viewEvidence(evidence, limits), chain, compareFacts(evidence, tolerances))
  })
}

/** The headline of what was judged, and what proves it. */
export function conclude(judged: Pick<Verdicts, 'chain' | 'findings' | 'facts'>): Verdicts {
  const said = headlineOf(judged.chain, judged.findings)
  return {
    ...said,
    brokenAt: brokenAt(judged.chain),
    ...judged,
    proof: proofOf(said.headline, judged.findings, judged.facts)
  }
}

/** Findings that a broken link already says, or makes untrue: without an address no APN delivers anything. */
const saidByChain: Readonly<Partial<Record<string, readonly ChainLink[]>>> = {
  vehicleOther: ['vehicle'],
  poorFix: ['fix'],
  frozen: ['fix'],
  coordinates: ['fix'],
  powerDropped: ['power'],
  apnDiffers: ['power', 'sim', 'registration', 'address', 'apn', 'gatewayEvent']
}

/** Doubt about the identity comes before a broken link, and that before any other finding. */
function headlineOf(
  chain: readonly ChainStep[],
  findings: readonly Finding[]
): Pick<Verdicts, 'tone' | 'since' | 'headline'> {
  const doubt = findings.find(({ tone }) => tone === 'fail')
  const broken = chain.find(({ state }) => state === 'broken')
  if (!doubt && broken) return { tone: 'fail', since: broken.sinceAt, headline: { link: broken.link } }
  const finding = doubt ?? findings[0]
  if (finding) return { tone: finding.tone, since: finding.sinceAt, headline: { finding: finding.id } }
  return { tone: chain.some(({ state }) => state === 'unknown') ? 'unknown' : 'pass', since: null, headline: null }
}
