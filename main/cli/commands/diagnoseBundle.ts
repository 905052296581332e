import { AppError } from '../../../preload/contract/errors.ts'
import type { Evidence } from '../../../preload/contract/diagnosis/evidence.ts'
import { message } from '../../../preload/contract/messages.ts'
import { seenIn } from '../../diagnosis/bundles/evidenceIn.ts'
import { openBundle } from '../../diagnosis/bundles/openBundle.ts'
import { diagnose } from '../../diagnosis/diagnosis.ts'
import type { CommandContext } from '../context.ts'
import { standardMeasures } from '../diagnosisMeasures.ts'
import { tellDiagnosis } from '../output/diagnosisOutput.ts'

/** `diagnose --bundle FILE`: the same diagnosis of the evidence in the bundle, with its writer's limits. */
export async function diagnoseBundle({ terminal, signal }: CommandContext, file: string): Promise<number> {
  const bundle = await openBundle(file, { signal })
  try {
    const seen = await seenIn(bundle, standardMeasures())
    if (!seen) throw new AppError('INVALID_REQUEST', message('bundles.nothingSeen'))
    const evidence: Evidence = seen.evidence
    return tellDiagnosis(terminal, evidence, diagnose(evidence, seen.measures))
  } finally {
    await bundle.close()
  }
}
