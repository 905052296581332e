import type { Evidence, Step } from '../contract/job/jobs.ts'

/**
 * The message of the evidence that an accepted warning leaves.
 */
export const acceptedId = 'jobs.accepted'

/** The message of a note that a person added to a step. */
export const notedId = 'jobs.noted'

type Warned = Pick<Step, 'state' | 'attempts'> & {
  evidence: readonly Pick<Evidence, 'attempt' | 'witness' | 'what' | 'at'>[]
}

/** Who accepted the warning of a step's last attempt, and when; null for any other step. */
export function acceptanceOf({ state, attempts, evidence }: Warned): { by: string; at: string } | null {
  if (state !== 'warn') return null
  const found = evidence.findLast(
    ({ attempt, witness, what }) => attempt === attempts && witness === 'person' && what.id === acceptedId
  )
  return found ? { by: String(found.what.values['by'] ?? ''), at: found.at } : null
}

/** True for a step that passed with a warning that nobody has accepted. */
export function needsAcceptance(step: Warned): boolean {
  return step.state === 'warn' && acceptanceOf(step) === null
}

/** The notes of a step, oldest first. */
export function notesOf({ evidence }: Pick<Warned, 'evidence'>): { by: string; at: string; note: string }[] {
  return evidence.flatMap(({ witness, what, at }) =>
    witness === 'person' && what.id === notedId
      ? [{ by: String(what.values['by'] ?? ''), at, note: String(what.values['note'] ?? '') }]
      : []
  )
}
