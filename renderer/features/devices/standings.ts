import type { SeenDevice } from '../../../preload/contract/discovery.ts'
import type { Shape } from '../../ui/status.ts'

export const standingShapes: Record<SeenDevice['standing'], Shape> = {
  found: 'wait',
  answering: 'live',
  needsSignIn: 'warn',
  verified: 'pass',
  impostor: 'fail',
  wrongService: 'unknown',
  conflict: 'fail',
  lost: 'waived'
}

/**
 * A job may start on a device whose own answer was held against its name, or, where a person typed the address and no
 * name was heard, that said who it is to the person who signed in: the label is held against it as the first step.
 */
export function isReadyForJob({ standing, imei, signedIn }: SeenDevice): boolean {
  return standing === 'verified' || (standing === 'answering' && imei !== null && signedIn)
}
