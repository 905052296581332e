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
