import type { Verdicts } from '../../preload/contract/diagnosis.ts'
import type { Evidence } from '../../preload/contract/evidence.ts'
import type { Tolerances } from '../../preload/contract/tolerances.ts'
import { brokenAt, walkChain } from './chain.ts'
import { compareFacts } from './facts/facts.ts'
import { findBeside } from './findings.ts'
import type { DiagnosisLimits } from './limits.ts'

/** What evidence is held against. */
export interface Measures {
  limits: DiagnosisLimits
  tolerances: Tolerances
}

/**
 * What evidence of one moment comes to. Nothing else goes in: live, of a snapshot, of a bundle and in a replay the same
 * evidence gives the same answer.
 */
export function diagnose(evidence: Evidence, { limits, tolerances }: Measures): Verdicts {
  const chain = walkChain(evidence, limits)
  return { brokenAt: brokenAt(chain), chain, findings: findBeside(evidence, limits), facts: compareFacts(evidence, tolerances) }
}
