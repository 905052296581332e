import type { ChainStep, Diagnosis, Finding } from '../../../../preload/contract/support/diagnosis.ts'

/**
 * remedy: what mends it, on this computer. visit: somebody has to go to the vehicle. request: the text for the
 * administrator of the gateway. signIn: the account again. retry: the gateway again.
 */
export type FilledButton = 'remedy' | 'visit' | 'request' | 'signIn' | 'retry'

interface Cause {
  /** The link or the finding of the headline. */
  step: Pick<ChainStep, 'link' | 'state' | 'sentence' | 'action'> | null
  finding: Pick<Finding, 'id'> | null
  /** Where nothing else is known: why the gateway could not be asked. */
  gateway: Pick<NonNullable<Diagnosis['gateway']>, 'state' | 'trouble'> | null
  /** The remedy can be done here and now. */
  hasRemedy: boolean
  /** The device can be read or signed in to: nobody has to go anywhere yet. */
  isNear: boolean
  /** The verdict is of earlier, and is being read again. */
  isHeld: boolean
}

/** Only what these links say can be mended by hands at the vehicle. */
const handLinks: readonly ChainStep['link'][] = [
  'power',
  'sim',
  'registration',
  'address',
  'apn',
  'gatewayEvent',
  'fix'
]
/** Of them, what the values of the events contradict: hands find nothing there. */
const notByHand = /^contradictions\.|^chain\.gatewayEvent\.(nowhere|unnamed|unreadable|notShown)$/

/** The one filled button of a diagnosis; it follows the cause. Null: there is nothing to press. */
export function filledButton({ step, finding, gateway, hasRemedy, isNear, isHeld }: Cause): FilledButton | null {
  if (isHeld) return null
  if (step?.state === 'broken') {
    if (step.action?.kind === 'askAdministrator') return 'request'
    if (hasRemedy) return 'remedy'
    const isByHand = handLinks.includes(step.link) && !notByHand.test(step.sentence.id)
    return isByHand && !isNear ? 'visit' : null
  }
  if (step) return hasRemedy ? 'remedy' : null
  if (finding) return hasRemedy ? 'remedy' : null
  if (gateway?.trouble === 'account') return 'signIn'
  return gateway?.state === 'away' ? 'retry' : null
}
