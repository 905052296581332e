import type { Finding } from '../../preload/contract/diagnosis.ts'
import type { Evidence } from '../../preload/contract/evidence.ts'
import type { DiagnosisLimits } from './limits.ts'
import { sightOf } from './sight.ts'

/** What is wrong beside the chain: it does not keep the vehicle from reporting. */
export function findBeside(evidence: Evidence, limits: DiagnosisLimits): Finding[] {
  sightOf(evidence, limits)
  return []
}
