import type { FaultName } from './faults.ts'
import type { StoryName } from './stories.ts'

/** What is wrong at the gateway. */
export type GatewayTrouble = 'away' | 'portal' | 'vehicleTaken' | 'vehicleWrong' | 'vehicleMissing'

/** What is wrong in the vehicle beside its wires, or what somebody does with it. */
export type VehicleTrouble =
  | 'charging24'
  | 'drives'
  | 'engineRuns'
  | 'busSilent'
  | 'tyresSwapped'
  | 'cameraCovered'
  | 'cameraSilent'
  | 'probeUnplugged'
  | 'tagLost'

/** What the person beside the vehicle does otherwise than asked; nobody plays it where a real person works. */
export type PersonTrouble = 'doesNotArm' | 'holdsUnknownKey'

export type Verdict = 'pass' | 'warn' | 'fail' | 'unreadable' | 'deferred' | 'notApplicable' | 'waiting'

export type StoryArea = 'supply' | 'radio' | 'records' | 'lines' | 'wire' | 'accessories'

/** What diagnosis has to name: the first broken link with its sentence, or what it finds beside the chain. */
export type Named = { link: string; says: string } | { finding: string }

/** Who is asked: the device, the gateway, or both. */
export type Asked = 'both' | 'device' | 'gateway'

/** A fault as it is met at a vehicle: what device and gateway show of it together, and what it truly is. */
export interface FaultStory {
  /** Where one would look for it. */
  area: StoryArea
  /** The message `stories.<name>` says what is truly wrong. */
  name: string
  device?: readonly FaultName[]
  gateway?: readonly GatewayTrouble[]
  vehicle?: readonly VehicleTrouble[]
  person?: readonly PersonTrouble[]
  /** Kind of the step with whose beginning it begins; there from the first moment without it. */
  at?: string
  /** Verdicts by kind of step that are no pass: every other step passes, and the sign-off where nothing stands against it. */
  verdicts: Readonly<Record<string, Verdict>>
  /** Where the cause is named: the step, and a message that its result says. None: nothing is wrong, it is only so. */
  cause: { step: string; says: string }
  /**
   * What diagnosis names by itself, by whom it asks; where nothing stands, only somebody's act shows it, and nothing is
   * accused. `while`: what the vehicle does meanwhile; parked without it.
   */
  diagnosis?: Partial<Record<Asked, Named>> & { while?: StoryName }
}

/** Power and ignition. */
const supply: readonly FaultStory[] = [
  { area: 'supply', name: 'ignitionWireMissing', device: ['ignitionWireMissing'], verdicts: { ignition: 'fail' }, cause: { step: 'ignition', says: 'ignition.wireMissingOrWrong' } },
  { area: 'supply', name: 'ignitionOnPermanentFeed', device: ['ignitionOnPermanentFeed'], verdicts: { ignition: 'fail' }, cause: { step: 'ignition', says: 'wiring.ignitionOnPermanentFeed' } },
  { area: 'supply', name: 'electric', device: ['electric'], verdicts: { ignition: 'warn' }, cause: { step: 'ignition', says: 'ignition.normalForElectric' } },
  { area: 'supply', name: 'noPower', device: ['noPower'], verdicts: { externalPower: 'fail', ignition: 'unreadable', analog: 'fail' }, cause: { step: 'externalPower', says: 'power.none' } },
  { area: 'supply', name: 'powerFlickers', device: ['powerFlickers'], verdicts: { externalPower: 'fail' }, cause: { step: 'externalPower', says: 'power.looseContact' } },
  { area: 'supply', name: 'powerSwitched', device: ['powerSwitched'], verdicts: { externalPower: 'fail', ignition: 'fail' }, cause: { step: 'externalPower', says: 'power.switchedFeed' } },
  { area: 'supply', name: 'badGround', device: ['pwrDropsWhileCranking'], verdicts: { externalPower: 'warn', ignition: 'fail' }, cause: { step: 'ignition', says: 'wiring.dropsWhileCranking' } },
  { area: 'supply', name: 'charging24', vehicle: ['charging24'], verdicts: { analog: 'unreadable' }, cause: { step: 'analog', says: 'analog.clipped' } }
]

/** Antenna, SIM, network and delivery. */
const radio: readonly FaultStory[] = [
  { area: 'radio', name: 'noFix', device: ['noFix'], verdicts: { position: 'fail', samePlace: 'unreadable', output: 'fail', alignment: 'fail', testTrip: 'fail' }, cause: { step: 'position', says: 'position.stepMetal' } },
  { area: 'radio', name: 'poorFix', device: ['poorFix'], verdicts: { position: 'warn' }, cause: { step: 'position', says: 'position.moveAntenna' } },
  { area: 'radio', name: 'zeroPosition', device: ['zeroPosition'], verdicts: { position: 'fail', samePlace: 'unreadable', output: 'fail', alignment: 'fail', testTrip: 'fail' }, cause: { step: 'position', says: 'position.none' } },
  { area: 'radio', name: 'noSim', device: ['noSim'], verdicts: { identity: 'warn', ignition: 'warn', network: 'fail', apn: 'fail', engineBus: 'unreadable', delivered: 'fail', samePlace: 'unreadable', inputs: 'warn', testTrip: 'fail' }, cause: { step: 'network', says: 'network.simReports' } },
  { area: 'radio', name: 'wrongSim', device: ['wrongSim'], verdicts: { identity: 'warn' }, cause: { step: 'identity', says: 'identity.simDiffersKnown' } },
  { area: 'radio', name: 'unknownSim', device: ['unknownSim'], verdicts: { identity: 'warn', ignition: 'warn', network: 'fail', apn: 'fail', engineBus: 'unreadable', delivered: 'fail', samePlace: 'unreadable', inputs: 'warn', testTrip: 'fail' }, cause: { step: 'network', says: 'network.simRefused' } },
  { area: 'radio', name: 'notRegistered', device: ['notRegistered'], verdicts: { ignition: 'warn', network: 'fail', apn: 'fail', engineBus: 'unreadable', delivered: 'fail', samePlace: 'unreadable', inputs: 'warn', testTrip: 'fail' }, cause: { step: 'network', says: 'network.noneFound' } },
  { area: 'radio', name: 'weakSignal', device: ['weakSignal'], verdicts: { network: 'warn' }, cause: { step: 'network', says: 'network.moveAntenna' } },
  { area: 'radio', name: 'wrongApn', device: ['wrongApn'], verdicts: { ignition: 'warn', network: 'fail', apn: 'fail', engineBus: 'unreadable', delivered: 'fail', samePlace: 'unreadable', inputs: 'warn', testTrip: 'fail' }, cause: { step: 'network', says: 'network.checkApn' } },
  { area: 'radio', name: 'neverDelivered', device: ['neverDelivered'], verdicts: { ignition: 'warn', engineBus: 'unreadable', delivered: 'fail', samePlace: 'unreadable', inputs: 'warn', testTrip: 'fail' }, cause: { step: 'delivered', says: 'delivered.checkApn' } },
  { area: 'radio', name: 'lateDelivered', device: ['lateDelivered'], verdicts: { ignition: 'warn', engineBus: 'unreadable', delivered: 'warn', inputs: 'warn', testTrip: 'fail' }, cause: { step: 'delivered', says: 'delivered.slow' } },
  { area: 'radio', name: 'reportsElsewhere', device: ['reportsElsewhere'], verdicts: { samePlace: 'fail', testTrip: 'fail' }, cause: { step: 'samePlace', says: 'samePlace.otherPlace' } },
  { area: 'radio', name: 'gpsEpochClock', device: ['gpsEpochClock'], verdicts: {}, cause: { step: 'clock', says: 'clock.agreeFromGps' } },
  { area: 'radio', name: 'gpsEpochEvents', device: ['gpsEpochEvents'], verdicts: { ignition: 'warn', clock: 'fail', engineBus: 'unreadable', delivered: 'fail', samePlace: 'unreadable', inputs: 'warn', testTrip: 'fail' }, cause: { step: 'clock', says: 'clock.eventsByGpsEpoch' } },
  { area: 'radio', name: 'clockWrong', device: ['clockWrong'], verdicts: { ignition: 'warn', clock: 'fail', engineBus: 'unreadable', delivered: 'fail', samePlace: 'unreadable', inputs: 'warn', testTrip: 'warn' }, cause: { step: 'clock', says: 'clock.deviceWrong' } }
]

/** Records at the gateway, and the gateway itself. */
const records: readonly FaultStory[] = [
  { area: 'records', name: 'vehicleWrong', gateway: ['vehicleWrong'], verdicts: { vehicle: 'fail' }, cause: { step: 'vehicle', says: 'vehicle.deviceElsewhere' } },
  { area: 'records', name: 'vehicleTaken', gateway: ['vehicleTaken'], verdicts: { engineBus: 'unreadable', delivered: 'fail', samePlace: 'unreadable', vehicle: 'fail' }, cause: { step: 'vehicle', says: 'vehicle.carriesOther' } },
  { area: 'records', name: 'vehicleMissing', gateway: ['vehicleMissing'], verdicts: { vehicle: 'waiting' }, cause: { step: 'vehicle', says: 'vehicle.notShown' } },
  { area: 'records', name: 'gatewayAway', gateway: ['away'], verdicts: { identity: 'deferred', clock: 'deferred', engineBus: 'deferred', delivered: 'deferred', samePlace: 'deferred', vehicle: 'deferred' }, cause: { step: 'delivered', says: 'jobs.waitsForGateway' } },
  { area: 'records', name: 'gatewayPortal', gateway: ['portal'], at: 'inputs', verdicts: { vehicle: 'deferred' }, cause: { step: 'vehicle', says: 'gateway.foreign' } }
]

/** Inputs, outputs, and the moment of their test. */
const lines: readonly FaultStory[] = [
  { area: 'lines', name: 'looseContact', device: ['chatter'], verdicts: { inputs: 'fail' }, cause: { step: 'inputs', says: 'inputs.looseContact' } },
  { area: 'lines', name: 'inputNotConnected', device: ['input1NotConnected'], verdicts: { inputs: 'fail' }, cause: { step: 'inputs', says: 'inputs.neverMoved' } },
  { area: 'lines', name: 'relayShorted', device: ['shortOnOut1'], verdicts: { output: 'fail' }, cause: { step: 'output', says: 'output.shorted' } },
  { area: 'lines', name: 'relayStuckOn', device: ['out1StuckOn'], verdicts: { output: 'fail' }, cause: { step: 'output', says: 'output.notProvedOff' } },
  { area: 'lines', name: 'relayStuckOff', device: ['out1StuckOff'], verdicts: { output: 'fail' }, cause: { step: 'output', says: 'output.didNotGoOn' } },
  { area: 'lines', name: 'relayIneffective', device: ['relayIneffective'], verdicts: { output: 'fail' }, cause: { step: 'output', says: 'output.effectMissing' } },
  { area: 'lines', name: 'driving', vehicle: ['drives'], at: 'output', verdicts: { output: 'fail', alignment: 'fail' }, cause: { step: 'output', says: 'output.stayedOff' } },
  { area: 'lines', name: 'engineRunning', vehicle: ['engineRuns'], at: 'output', verdicts: { output: 'fail' }, cause: { step: 'output', says: 'output.stayedOff' } },
  { area: 'lines', name: 'notArmed', person: ['doesNotArm'], verdicts: { output: 'fail' }, cause: { step: 'output', says: 'output.notArmedInTime' } }
]

/** The device itself and the way to it. */
const wire: readonly FaultStory[] = [
  { area: 'wire', name: 'deviceSwapped', device: ['swapped'], at: 'output', verdicts: { output: 'fail', alignment: 'fail' }, cause: { step: 'output', says: 'device.another' } },
  { area: 'wire', name: 'devicePortal', device: ['html'], at: 'output', verdicts: { output: 'fail', alignment: 'unreadable' }, cause: { step: 'alignment', says: 'device.somethingElse' } },
  { area: 'wire', name: 'booleansAsText', device: ['booleansAsText'], verdicts: { externalPower: 'unreadable', ignition: 'unreadable', inputs: 'unreadable', output: 'unreadable', alignment: 'fail' }, cause: { step: 'ignition', says: 'ignition.unreadable' } }
]

/** What hangs on the device. */
const accessories: readonly FaultStory[] = [
  { area: 'accessories', name: 'busSilent', vehicle: ['busSilent'], verdicts: { engineBus: 'fail' }, cause: { step: 'engineBus', says: 'engineBus.checkWires' } },
  { area: 'accessories', name: 'tyresSwapped', vehicle: ['tyresSwapped'], verdicts: { tyres: 'fail' }, cause: { step: 'tyres', says: 'accessoryChecks.moduleElsewhere' } },
  { area: 'accessories', name: 'cameraCovered', vehicle: ['cameraCovered'], verdicts: { camera: 'fail' }, cause: { step: 'camera', says: 'accessoryChecks.pictureRefused' } },
  { area: 'accessories', name: 'cameraSilent', vehicle: ['cameraSilent'], verdicts: { camera: 'fail' }, cause: { step: 'camera', says: 'accessoryChecks.cameraFailed' } },
  { area: 'accessories', name: 'keyUnknown', person: ['holdsUnknownKey'], verdicts: { iButton: 'fail' }, cause: { step: 'iButton', says: 'accessoryChecks.keyUnknown' } },
  { area: 'accessories', name: 'probeUnplugged', vehicle: ['probeUnplugged'], verdicts: { temperature: 'fail' }, cause: { step: 'temperature', says: 'accessoryChecks.probesMissing' } },
  { area: 'accessories', name: 'tagLost', vehicle: ['tagLost'], verdicts: { btTag: 'fail' }, cause: { step: 'btTag', says: 'accessoryChecks.tagsNotHeard' } }
]

/** Every fault story; the tests, `fitter simulate` and the exercises of training go by this table. */
export const faultStories: readonly FaultStory[] = [...supply, ...radio, ...records, ...lines, ...wire, ...accessories]
