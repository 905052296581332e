import type { StepKind } from '../../../preload/contract/job/steps/index.ts'
import { checkAlignment } from './checks/alignment.ts'
import { checkAnalog } from './checks/analog.ts'
import { checkMeasurement, checkPhoto, checkQuestion } from './checks/answers.ts'
import { checkApn } from './checks/apn.ts'
import { checkBtTag, finishBtTag } from './checks/btTag.ts'
import { checkCamera } from './checks/camera.ts'
import { checkClock, finishClock } from './checks/clock.ts'
import { checkCounters, finishCounters } from './checks/counters.ts'
import { checkDelivered, finishDelivered } from './checks/delivered.ts'
import { checkEngineBus, finishEngineBus } from './checks/engineBus.ts'
import { checkExpander, finishExpander } from './checks/expander.ts'
import { checkExternalPower } from './checks/externalPower.ts'
import { checkIButton, finishIButton } from './checks/iButton.ts'
import { checkIdentity, finishIdentity } from './checks/identity.ts'
import { checkIgnition } from './checks/ignition.ts'
import { checkInputs } from './checks/inputs.ts'
import { checkLink, finishLink } from './checks/link.ts'
import { checkNetwork } from './checks/network.ts'
import { checkOutput } from './checks/output.ts'
import { checkPosition } from './checks/position.ts'
import { checkHotspot, checkWifi } from './checks/radio.ts'
import { checkRemoved, finishRemoved } from './checks/removed.ts'
import { checkSamePlace, finishSamePlace } from './checks/samePlace.ts'
import { checkSignOff } from './checks/signOff.ts'
import { checkSoftware } from './checks/software.ts'
import { checkSwapped, finishSwapped } from './checks/swapped.ts'
import { checkTemperature, finishTemperature } from './checks/temperature.ts'
import { checkTestTrip, finishTestTrip } from './checks/testTrip.ts'
import { checkTrigger, finishTrigger } from './checks/trigger.ts'
import { checkTyres, finishTyres } from './checks/tyres.ts'
import { checkVehicle, finishVehicle } from './checks/vehicle.ts'
import type { Check } from './engine/check.ts'
import type { LimitsOf } from './engine/profile.ts'
import type { Finisher } from './finish/finish.ts'

/** Everything about a kind of step except its settings (`preload/contract/job/steps/`) and its texts. */
interface StepKindEntry<Kind extends StepKind> {
  check: Check<Kind>
  /** The name of its limits in a profile; null if it has none. */
  limits: [LimitsOf<Kind>] extends [never] ? null : LimitsOf<Kind>
  /** What the person does: an act at the vehicle or an answer; null if the step needs nobody. */
  act: 'atVehicle' | 'answer' | null
  /**
   * The step only watches: it starts automatically, in parallel with others, once the device has confirmed its
   * identity.
   */
  watches?: true
  /** The device leaves, moves or restarts in it: it starts when everything before it has ended. */
  alone?: true
  /** Earlier steps that would fail if it ran beside them. */
  disturbs?: readonly StepKind[]
  /** Nothing but the signature waits for it. */
  anyTime?: true
  /** Finishes the step later if the gateway could not be reached. */
  finish?: Finisher<Kind>
  /** `gateway`: only the gateway can confirm the step, so Fitter finishes a signed job without its device. */
  needs: 'device' | 'gateway' | 'person'
}

/** The kinds of steps. A new kind needs a line here, its own file in `checks/`, its settings and its texts. */
export const stepKinds: { readonly [Kind in StepKind]: StepKindEntry<Kind> } = {
  // Every installation.
  identity: { check: checkIdentity, finish: finishIdentity, limits: null, act: 'answer', needs: 'gateway' },
  externalPower: { check: checkExternalPower, limits: 'externalPower', act: null, watches: true, needs: 'device' },
  ignition: { check: checkIgnition, limits: 'ignition', act: 'atVehicle', watches: true, needs: 'device' },
  position: { check: checkPosition, limits: 'position', act: null, watches: true, needs: 'device' },
  network: { check: checkNetwork, limits: 'network', act: null, watches: true, needs: 'device' },
  delivered: {
    check: checkDelivered,
    finish: finishDelivered,
    limits: 'delivered',
    act: null,
    watches: true,
    needs: 'gateway'
  },
  samePlace: {
    check: checkSamePlace,
    finish: finishSamePlace,
    limits: 'samePlace',
    act: null,
    watches: true,
    needs: 'gateway'
  },
  inputs: { check: checkInputs, limits: 'inputs', act: 'atVehicle', watches: true, needs: 'device' },
  output: {
    check: checkOutput,
    limits: 'output',
    act: 'atVehicle',
    disturbs: ['externalPower', 'analog'],
    needs: 'device'
  },
  alignment: { check: checkAlignment, limits: 'alignment', act: 'answer', needs: 'device' },
  vehicle: { check: checkVehicle, finish: finishVehicle, limits: null, act: 'answer', needs: 'gateway' },
  link: { check: checkLink, finish: finishLink, limits: null, act: 'answer', needs: 'gateway' },

  // The device's own settings and wiring.
  clock: { check: checkClock, finish: finishClock, limits: 'clock', act: null, watches: true, needs: 'device' },
  analog: { check: checkAnalog, limits: 'analog', act: null, watches: true, needs: 'device' },
  wifi: { check: checkWifi, limits: 'radio', act: null, watches: true, needs: 'device' },
  hotspot: { check: checkHotspot, limits: 'radio', act: null, watches: true, needs: 'device' },
  apn: { check: checkApn, limits: 'apn', act: 'answer', watches: true, needs: 'device' },
  engineBus: {
    check: checkEngineBus,
    finish: finishEngineBus,
    limits: 'engineBus',
    act: 'atVehicle',
    watches: true,
    needs: 'device'
  },
  software: { check: checkSoftware, limits: 'software', act: null, alone: true, needs: 'device' },

  // Accessories: the vehicle's events at the gateway show that they work.
  iButton: {
    check: checkIButton,
    finish: finishIButton,
    limits: 'iButton',
    act: 'atVehicle',
    watches: true,
    needs: 'gateway'
  },
  btTag: { check: checkBtTag, finish: finishBtTag, limits: 'btTag', act: 'atVehicle', watches: true, needs: 'gateway' },
  tyres: { check: checkTyres, finish: finishTyres, limits: 'tyres', act: null, watches: true, needs: 'gateway' },
  temperature: {
    check: checkTemperature,
    finish: finishTemperature,
    limits: 'temperature',
    act: null,
    watches: true,
    needs: 'gateway'
  },
  expander: {
    check: checkExpander,
    finish: finishExpander,
    limits: 'expander',
    act: 'atVehicle',
    watches: true,
    needs: 'gateway'
  },
  trigger: {
    check: checkTrigger,
    finish: finishTrigger,
    limits: 'trigger',
    act: 'atVehicle',
    watches: true,
    needs: 'gateway'
  },
  camera: { check: checkCamera, limits: 'camera', act: 'answer', needs: 'device' },
  counters: { check: checkCounters, finish: finishCounters, limits: 'counters', act: 'answer', needs: 'gateway' },

  // A vehicle on the road, and a device out of it.
  testTrip: {
    check: checkTestTrip,
    finish: finishTestTrip,
    limits: 'testTrip',
    act: 'atVehicle',
    alone: true,
    needs: 'gateway'
  },
  removed: {
    check: checkRemoved,
    finish: finishRemoved,
    limits: 'removed',
    act: 'answer',
    alone: true,
    needs: 'gateway'
  },
  swapped: {
    check: checkSwapped,
    finish: finishSwapped,
    limits: 'swapped',
    act: 'answer',
    alone: true,
    needs: 'gateway'
  },

  photo: { check: checkPhoto, limits: null, act: 'answer', anyTime: true, needs: 'person' },
  question: { check: checkQuestion, limits: null, act: 'answer', needs: 'person' },
  measurement: { check: checkMeasurement, limits: null, act: 'answer', needs: 'person' },
  signOff: { check: checkSignOff, limits: null, act: 'answer', needs: 'person' }
}
