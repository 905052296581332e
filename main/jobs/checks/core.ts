import { checkAlignment } from './alignment.ts'
import { checkDelivered } from './delivered.ts'
import { checkExternalPower } from './externalPower.ts'
import { checkIdentity } from './identity.ts'
import { checkIgnition } from './ignition.ts'
import { checkInputs } from './inputs.ts'
import { checkLink } from './link.ts'
import { checkNetwork } from './network.ts'
import { checkOutput } from './output.ts'
import { checkPosition } from './position.ts'
import type { CheckGroup } from '../check.ts'
import type { coreSettings } from '../../../preload/contract/steps/core.ts'
import { checkSamePlace } from './samePlace.ts'
import { checkVehicle } from './vehicle.ts'

/** What every installation is made of. */
export const coreChecks: CheckGroup<keyof typeof coreSettings> = {
  identity: { check: checkIdentity },
  externalPower: { check: checkExternalPower, isWatching: true },
  ignition: { check: checkIgnition, isWatching: true },
  position: { check: checkPosition, isWatching: true },
  network: { check: checkNetwork, isWatching: true },
  delivered: { check: checkDelivered, isWatching: true },
  samePlace: { check: checkSamePlace, isWatching: true },
  inputs: { check: checkInputs, isWatching: true },
  output: { check: checkOutput },
  alignment: { check: checkAlignment },
  vehicle: { check: checkVehicle },
  link: { check: checkLink }
}
