import type { NetworkCard, SeenDevice } from '../../../preload/contract/device/discovery.ts'
import type { ListedJob } from '../../../preload/contract/job/jobs.ts'
import type { IconName } from '../../base/ui/Icon.vue'
import type { Shape } from '../../base/ui/status.ts'

export const standingShapes: Record<SeenDevice['standing'], Shape> = {
  found: 'wait',
  answering: 'live',
  needsSignIn: 'warn',
  verified: 'pass',
  impostor: 'fail',
  wrongService: 'unknown',
  conflict: 'fail',
  lost: 'wait'
}

export const cardIcons: Record<NetworkCard['kind'], IconName> = {
  wifi: 'wifi',
  ethernet: 'ethernet',
  loopback: 'laptop',
  other: 'ethernet'
}

/**
 * A job may start on a device whose own answer matches its name, or, if a person typed the address and no name was
 * heard, that reported its identity after the sign-in: the first step compares it with the label.
 */
export function isReadyForJob({ standing, imei, signedIn }: SeenDevice): boolean {
  return standing === 'verified' || (standing === 'answering' && imei !== null && signedIn)
}

/** It is not what its name says, or it is unclear which of two it is: no work is offered. */
export function isRefused({ standing }: SeenDevice): boolean {
  return standing === 'impostor' || standing === 'wrongService' || standing === 'conflict'
}

export function maySignIn({ standing, signedIn }: SeenDevice): boolean {
  return !signedIn && (standing === 'found' || standing === 'answering' || standing === 'needsSignIn')
}

/** The job that wants more work on this device; one that only waits for the gateway does not. */
export function openJobOf(jobs: readonly ListedJob[], imei: string | null): ListedJob | undefined {
  return imei === null
    ? undefined
    : jobs.find((job) => job.device.imei === imei && job.state !== 'installedAwaitingGateway')
}
