import type { Evidence, Step } from '../contract/jobs/jobs.ts'

/** The message of the evidence that an accepted warning leaves. Being evidence, earlier versions read and seal it too. */
export const acceptedId = 'jobs.accepted'

type Warned = Pick<Step, 'state' | 'attempts'> & { evidence: readonly Pick<Evidence, 'attempt' | 'witness' | 'what' | 'at'>[] }

/** Who accepted the warning of a step's last attempt, and when; null for any other step. */
export function acceptanceOf({ state, attempts, evidence }: Warned): { by: string; at: string } | null {
  if (state !== 'warn') return null
  const found = evidence.findLast(({ attempt, witness, what }) => attempt === attempts && witness === 'person' && what.id === acceptedId)
  return found ? { by: String(found.what.values['by'] ?? ''), at: found.at } : null
}

/** True for a step that passed with a warning that nobody has accepted. */
export function needsAcceptance(step: Warned): boolean {
  return step.state === 'warn' && acceptanceOf(step) === null
}
