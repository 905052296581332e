import type { StepKind } from '../../../preload/contract/jobs.ts'
import type { Check } from '../check.ts'
import { checkAlignment } from './alignment.ts'
import { checkDelivered } from './delivered.ts'
import { checkExternalPower } from './externalPower.ts'
import { checkIdentity } from './identity.ts'
import { checkIgnition } from './ignition.ts'
import { checkInputs } from './inputs.ts'
import { checkLink } from './link.ts'
import { checkNetwork } from './network.ts'
import { checkOutput } from './output.ts'
import { checkMeasurement, checkQuestion, checkSignOff } from './person.ts'
import { checkPosition } from './position.ts'
import { checkSamePlace } from './samePlace.ts'
import { checkVehicle } from './vehicle.ts'

/** The check behind each kind of step. */
export const checks: Record<StepKind, Check> = {
  identity: checkIdentity,
  externalPower: checkExternalPower,
  ignition: checkIgnition,
  position: checkPosition,
  network: checkNetwork,
  delivered: checkDelivered,
  samePlace: checkSamePlace,
  inputs: checkInputs,
  output: checkOutput,
  alignment: checkAlignment,
  vehicle: checkVehicle,
  link: checkLink,
  question: checkQuestion,
  measurement: checkMeasurement,
  signOff: checkSignOff
}

/** Checks that only watch: they run side by side from the moment the device is known to be the right one. */
export const watchingKinds: ReadonlySet<StepKind> = new Set([
  'externalPower',
  'ignition',
  'position',
  'network',
  'delivered',
  'samePlace',
  'inputs'
])
