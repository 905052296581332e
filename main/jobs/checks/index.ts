import type { StepKind } from '../../../preload/contract/jobs/steps/index.ts'
import { type CheckGroup, pass, withFigure, type CheckContext, type Outcome } from '../engine/check.ts'
import { orderedChecks } from './ordered.ts'
import type { accessorySettings } from '../../../preload/contract/jobs/steps/accessories.ts'
import { checkBtTag } from './btTag.ts'
import { checkCamera } from './camera.ts'
import { checkCounters } from './counters.ts'
import { checkExpander } from './expander.ts'
import { checkIButton } from './iButton.ts'
import { checkTemperature } from './temperature.ts'
import { checkTrigger } from './trigger.ts'
import { checkTyres } from './tyres.ts'
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
import type { coreSettings } from '../../../preload/contract/jobs/steps/core.ts'
import { checkSamePlace } from './samePlace.ts'
import { checkVehicle } from './vehicle.ts'
import type { personSettings } from '../../../preload/contract/jobs/steps/person.ts'
import { checkMeasurement, checkQuestion } from './answers.ts'
import { checkSignOff } from './signOff.ts'
import { message } from '../../../preload/contract/messages.ts'
import { askPhotos } from '../photos/askPhotos.ts'
import type { roadSettings } from '../../../preload/contract/jobs/steps/road.ts'
import { checkRemoved } from './removed.ts'
import { checkSwapped } from './swapped.ts'
import { checkTestTrip } from './testTrip.ts'

/** A vehicle on the road, and a device out of it. */
const roadChecks: CheckGroup<keyof typeof roadSettings> = {
  testTrip: { check: checkTestTrip },
  removed: { check: checkRemoved },
  swapped: { check: checkSwapped }
}

/** Pictures of something that has to be seen. */
async function checkPhoto(context: CheckContext<'photo'>): Promise<Outcome> {
  const { instruction, purpose = 'other', minPhotos = 1 } = context.plan
  const photos = await askPhotos(context, { text: instruction, purpose, minPhotos })
  const n = photos.length
  context.saw({ witness: 'person', what: message('person.photosKept', { n }), raw: { sha256: photos.map(({ sha256 }) => sha256) }, thresholds: { minPhotos } })
  return withFigure(message('person.photos', { n }), pass(message('person.photosKept', { n }), ['person']))
}

/** What only a person can answer. */
const personChecks: CheckGroup<keyof typeof personSettings> = {
  photo: { check: checkPhoto },
  question: { check: checkQuestion },
  measurement: { check: checkMeasurement },
  signOff: { check: checkSignOff }
}

/** What every installation is made of. */
const coreChecks: CheckGroup<keyof typeof coreSettings> = {
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

/** What hangs on a device besides its own lines: each is seen to work in the events at the gateway. */
const accessoryChecks: CheckGroup<keyof typeof accessorySettings> = {
  iButton: { check: checkIButton, isWatching: true },
  btTag: { check: checkBtTag, isWatching: true },
  tyres: { check: checkTyres, isWatching: true },
  temperature: { check: checkTemperature, isWatching: true },
  expander: { check: checkExpander, isWatching: true },
  trigger: { check: checkTrigger, isWatching: true },
  camera: { check: checkCamera },
  counters: { check: checkCounters }
}

/** The check behind each kind of step. */
export const checks: CheckGroup<StepKind> = { ...coreChecks, ...orderedChecks, ...accessoryChecks, ...roadChecks, ...personChecks }

/** Checks that only watch: they run side by side from the moment the device is known to be the right one. */
export const watchingKinds: ReadonlySet<StepKind> = new Set((Object.keys(checks) as StepKind[]).filter((kind) => checks[kind].isWatching))
