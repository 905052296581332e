import type { FaultName } from './faults.ts'
import type { StoryName } from './stories.ts'

export type GatewayTrouble =
  'away' | 'portal' | 'blocked' | 'maintenance' | 'vehicleTaken' | 'vehicleWrong' | 'vehicleMissing'

/** The fault in the vehicle besides its wires, or what a person does with it. */
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

/** Actions of the person at the vehicle that differ from the request; never simulated where a real person works. */
export type PersonTrouble = 'doesNotArm' | 'holdsUnknownKey'

export type Verdict = 'pass' | 'received' | 'warn' | 'fail' | 'unreadable' | 'deferred' | 'notApplicable' | 'waiting'

export type StoryArea = 'supply' | 'radio' | 'records' | 'lines' | 'wire' | 'accessories'

/** What diagnosis must name: the first broken link with its sentence, or a finding outside of the chain. */
export type Named = { link: string; says: string } | { finding: string }

export type Asked = 'both' | 'device' | 'gateway'

/** A fault as it appears at a vehicle: what device and gateway show together, and the true cause. */
export interface FaultStory {
  area: StoryArea
  /** The message `stories.<name>` describes the true cause. */
  name: string
  /** Nothing is wrong: it only looks like a fault. */
  isNoFault?: true
  device?: readonly FaultName[]
  gateway?: readonly GatewayTrouble[]
  vehicle?: readonly VehicleTrouble[]
  person?: readonly PersonTrouble[]
  /** The kind of the step with which the fault begins; without it, from the first moment. */
  at?: string
  /** Results other than a pass, by kind of step: every other step passes, and so does the sign-off unless prevented. */
  verdicts: Readonly<Record<string, Verdict>>
  /** Where the cause is named: the step, and a message in its result. None: nothing is wrong. */
  cause: { step: string; says: string }
  /**
   * What diagnosis names, by witness; empty when only a person's action reveals it. `while`: default parked. `also`:
   * further findings.
   */
  diagnosis?: Partial<Record<Asked, Named>> & {
    while?: StoryName
    also?: readonly string[]
    deviceIs?: 'another' | 'away'
  }
}

const silent: Named = { link: 'gatewayEvent', says: 'chain.gatewayEvent.silent' }

const supply: readonly FaultStory[] = [
  {
    area: 'supply',
    name: 'ignitionWireMissing',
    device: ['ignitionWireMissing'],
    verdicts: { ignition: 'fail' },
    cause: { step: 'ignition', says: 'ignition.wireMissingOrWrong' },
    diagnosis: { both: { finding: 'ignitionWireMissing' }, device: { finding: 'ignitionWireMissing' }, while: 'drive' }
  },
  {
    area: 'supply',
    name: 'ignitionOnPermanentFeed',
    device: ['ignitionOnPermanentFeed'],
    verdicts: { ignition: 'fail' },
    cause: { step: 'ignition', says: 'wiring.ignitionOnPermanentFeed' }
  },
  {
    area: 'supply',
    name: 'ignitionLoose',
    device: ['ignitionLoose'],
    vehicle: ['engineRuns'],
    verdicts: { ignition: 'fail', inputs: 'fail', output: 'fail' },
    cause: { step: 'ignition', says: 'wiring.ignitionLoose' },
    diagnosis: {
      both: { finding: 'ignitionLoose' },
      device: { finding: 'ignitionLoose' },
      while: 'drive',
      also: ['ignitionWireMissing']
    }
  },
  {
    area: 'supply',
    name: 'ignitionFloats',
    device: ['ignitionFloats'],
    verdicts: { ignition: 'fail' },
    cause: { step: 'ignition', says: 'wiring.ignitionFloats' },
    diagnosis: { both: { finding: 'chatterIGN' }, device: { finding: 'chatterIGN' } }
  },
  {
    area: 'supply',
    name: 'electric',
    isNoFault: true,
    device: ['electric'],
    verdicts: { ignition: 'warn' },
    cause: { step: 'ignition', says: 'ignition.normalForElectric' }
  },
  {
    area: 'supply',
    name: 'noPower',
    device: ['noPower'],
    verdicts: { externalPower: 'fail', ignition: 'unreadable', analog: 'fail' },
    cause: { step: 'externalPower', says: 'power.none' },
    diagnosis: {
      both: { link: 'power', says: 'chain.power.none' },
      device: { link: 'power', says: 'chain.power.none' },
      gateway: { link: 'power', says: 'chain.power.goneAtGateway' }
    }
  },
  {
    area: 'supply',
    name: 'powerFlickers',
    device: ['powerFlickers'],
    verdicts: { externalPower: 'fail' },
    cause: { step: 'externalPower', says: 'power.looseContact' },
    diagnosis: {
      both: { link: 'power', says: 'chain.power.drops' },
      device: { link: 'power', says: 'chain.power.drops' },
      gateway: { link: 'power', says: 'chain.power.goneAtGateway' },
      also: ['powerDropped']
    }
  },
  {
    area: 'supply',
    name: 'powerSwitched',
    device: ['powerSwitched'],
    verdicts: { externalPower: 'fail', ignition: 'fail' },
    cause: { step: 'externalPower', says: 'power.switchedFeed' },
    diagnosis: {
      both: { link: 'power', says: 'chain.power.none' },
      device: { link: 'power', says: 'chain.power.none' },
      gateway: { link: 'power', says: 'chain.power.goneAtGateway' }
    }
  },
  {
    area: 'supply',
    name: 'badGround',
    device: ['pwrDropsWhileCranking'],
    verdicts: { externalPower: 'warn', ignition: 'fail' },
    cause: { step: 'ignition', says: 'wiring.dropsWhileCranking' },
    diagnosis: {
      both: { finding: 'dropsWhileCranking' },
      device: { finding: 'dropsWhileCranking' },
      while: 'installation-fast',
      also: ['power: chain.power.drops', 'powerDropped']
    }
  },
  {
    area: 'supply',
    name: 'charging24',
    isNoFault: true,
    vehicle: ['charging24'],
    verdicts: { analog: 'unreadable' },
    cause: { step: 'analog', says: 'analog.clipped' }
  }
]

const radio: readonly FaultStory[] = [
  {
    area: 'radio',
    name: 'noFix',
    device: ['noFix'],
    verdicts: { position: 'fail', samePlace: 'unreadable', output: 'fail', alignment: 'fail', testTrip: 'fail' },
    cause: { step: 'position', says: 'position.stepMetal' },
    diagnosis: {
      both: { link: 'fix', says: 'chain.fix.none' },
      device: { link: 'fix', says: 'chain.fix.none' },
      gateway: { link: 'fix', says: 'chain.fix.empty' }
    }
  },
  {
    area: 'radio',
    name: 'poorFix',
    device: ['poorFix'],
    verdicts: { position: 'warn' },
    cause: { step: 'position', says: 'position.moveAntenna' },
    diagnosis: { both: { finding: 'poorFix' }, device: { finding: 'poorFix' }, gateway: { finding: 'poorFix' } }
  },
  {
    area: 'radio',
    name: 'zeroPosition',
    device: ['zeroPosition'],
    verdicts: { position: 'fail', samePlace: 'unreadable', output: 'fail', alignment: 'fail', testTrip: 'fail' },
    cause: { step: 'position', says: 'position.none' },
    diagnosis: {
      both: { link: 'fix', says: 'chain.fix.zero' },
      device: { link: 'fix', says: 'chain.fix.zero' },
      gateway: { link: 'fix', says: 'chain.fix.invalid' }
    }
  },
  {
    area: 'radio',
    name: 'noSim',
    device: ['noSim'],
    verdicts: {
      identity: 'warn',
      ignition: 'warn',
      network: 'fail',
      apn: 'fail',
      engineBus: 'unreadable',
      delivered: 'fail',
      samePlace: 'unreadable',
      inputs: 'warn',
      testTrip: 'fail'
    },
    cause: { step: 'network', says: 'chain.sim.absent' },
    diagnosis: {
      both: { link: 'sim', says: 'chain.sim.absent' },
      device: { link: 'sim', says: 'chain.sim.absent' },
      gateway: silent
    }
  },
  {
    area: 'radio',
    name: 'wrongSim',
    device: ['wrongSim'],
    verdicts: { identity: 'warn' },
    cause: { step: 'identity', says: 'identity.simDiffersKnown' },
    diagnosis: { both: { finding: 'simDiffers' } }
  },
  {
    area: 'radio',
    name: 'unknownSim',
    device: ['unknownSim'],
    verdicts: {
      identity: 'warn',
      ignition: 'warn',
      network: 'fail',
      apn: 'fail',
      engineBus: 'unreadable',
      delivered: 'fail',
      samePlace: 'unreadable',
      inputs: 'warn',
      testTrip: 'fail'
    },
    cause: { step: 'network', says: 'network.simRefused' },
    diagnosis: {
      both: { link: 'registration', says: 'chain.registration.denied' },
      device: { link: 'registration', says: 'chain.registration.denied' },
      gateway: silent,
      also: ['simDiffers']
    }
  },
  {
    area: 'radio',
    name: 'dataSim',
    device: ['dataSim'],
    verdicts: { network: 'warn', apn: 'warn' },
    cause: { step: 'network', says: 'chain.registration.deniedHasAddress' }
  },
  {
    area: 'radio',
    name: 'builtInSimLocked',
    device: ['builtInSimLocked'],
    verdicts: {
      ignition: 'warn',
      network: 'fail',
      apn: 'fail',
      engineBus: 'unreadable',
      delivered: 'fail',
      samePlace: 'unreadable',
      inputs: 'warn',
      testTrip: 'fail'
    },
    cause: { step: 'network', says: 'chain.sim.activateOrUnlock' },
    diagnosis: {
      both: { link: 'sim', says: 'chain.sim.puk' },
      device: { link: 'sim', says: 'chain.sim.puk' },
      gateway: silent
    }
  },
  {
    area: 'radio',
    name: 'notRegistered',
    device: ['notRegistered'],
    verdicts: {
      ignition: 'warn',
      network: 'fail',
      apn: 'fail',
      engineBus: 'unreadable',
      delivered: 'fail',
      samePlace: 'unreadable',
      inputs: 'warn',
      testTrip: 'fail'
    },
    cause: { step: 'network', says: 'chain.registration.notRegistered' },
    diagnosis: {
      both: { link: 'registration', says: 'chain.registration.notRegistered' },
      device: { link: 'registration', says: 'chain.registration.notRegistered' },
      gateway: silent
    }
  },
  {
    area: 'radio',
    name: 'weakSignal',
    device: ['weakSignal'],
    verdicts: { network: 'warn' },
    cause: { step: 'network', says: 'network.moveAntenna' },
    diagnosis: {
      both: { finding: 'weakSignal' },
      device: { finding: 'weakSignal' },
      gateway: { finding: 'weakSignal' }
    }
  },
  {
    area: 'radio',
    name: 'wrongApn',
    device: ['wrongApn'],
    verdicts: {
      ignition: 'warn',
      network: 'fail',
      apn: 'fail',
      engineBus: 'unreadable',
      delivered: 'fail',
      samePlace: 'unreadable',
      inputs: 'warn',
      testTrip: 'fail'
    },
    cause: { step: 'network', says: 'network.checkApn' },
    diagnosis: {
      both: { link: 'address', says: 'chain.address.none' },
      device: { link: 'address', says: 'chain.address.none' },
      gateway: silent
    }
  },
  {
    area: 'radio',
    name: 'neverDelivered',
    device: ['neverDelivered'],
    verdicts: {
      ignition: 'warn',
      engineBus: 'unreadable',
      delivered: 'fail',
      samePlace: 'unreadable',
      inputs: 'warn',
      testTrip: 'fail'
    },
    cause: { step: 'delivered', says: 'delivered.checkApn' },
    diagnosis: { both: silent, gateway: silent }
  },
  {
    area: 'radio',
    name: 'lateDelivered',
    device: ['lateDelivered'],
    verdicts: { ignition: 'warn', engineBus: 'unreadable', delivered: 'warn', inputs: 'warn', testTrip: 'fail' },
    cause: { step: 'delivered', says: 'delivered.slow' },
    diagnosis: { both: { finding: 'late' }, gateway: { finding: 'late' } }
  },
  {
    area: 'radio',
    name: 'reportsElsewhere',
    device: ['reportsElsewhere'],
    verdicts: { samePlace: 'fail', testTrip: 'fail' },
    cause: { step: 'samePlace', says: 'samePlace.otherPlace' },
    diagnosis: { both: { finding: 'otherPlace' } }
  },
  {
    area: 'radio',
    name: 'gpsEpochClock',
    isNoFault: true,
    device: ['gpsEpochClock'],
    verdicts: {},
    cause: { step: 'clock', says: 'clock.agreeFromGps' }
  },
  {
    area: 'radio',
    name: 'gpsEpochEvents',
    device: ['gpsEpochEvents'],
    verdicts: {
      ignition: 'warn',
      clock: 'fail',
      engineBus: 'unreadable',
      delivered: 'fail',
      samePlace: 'unreadable',
      inputs: 'warn',
      testTrip: 'fail'
    },
    cause: { step: 'clock', says: 'clock.eventsByGpsEpoch' },
    diagnosis: { both: { finding: 'eventsByGpsEpoch' }, gateway: { finding: 'eventsByGpsEpoch' } }
  },
  {
    area: 'radio',
    name: 'clockWrong',
    device: ['clockWrong'],
    verdicts: {
      ignition: 'warn',
      clock: 'fail',
      engineBus: 'unreadable',
      delivered: 'fail',
      samePlace: 'unreadable',
      inputs: 'warn',
      testTrip: 'warn'
    },
    cause: { step: 'clock', says: 'clock.deviceWrong' },
    diagnosis: { both: { finding: 'clockOff' }, device: { finding: 'clockOff' }, gateway: { finding: 'late' } }
  }
]

const records: readonly FaultStory[] = [
  {
    area: 'records',
    name: 'vehicleWrong',
    gateway: ['vehicleWrong'],
    verdicts: { vehicle: 'fail' },
    cause: { step: 'vehicle', says: 'vehicle.deviceElsewhere' },
    diagnosis: {
      both: { link: 'vehicle', says: 'chain.vehicle.deviceElsewhere' },
      gateway: { link: 'vehicle', says: 'chain.vehicle.noDevice' }
    }
  },
  {
    area: 'records',
    name: 'vehicleTaken',
    gateway: ['vehicleTaken'],
    verdicts: { engineBus: 'unreadable', delivered: 'fail', samePlace: 'unreadable', vehicle: 'fail' },
    cause: { step: 'vehicle', says: 'vehicle.carriesOther' },
    diagnosis: {
      both: { link: 'vehicle', says: 'chain.vehicle.carriesOther' },
      gateway: { link: 'gatewayEvent', says: 'chain.gatewayEvent.never' }
    }
  },
  {
    area: 'records',
    name: 'vehicleMissing',
    gateway: ['vehicleMissing'],
    verdicts: { vehicle: 'waiting' },
    cause: { step: 'vehicle', says: 'vehicle.notShown' }
  },
  {
    area: 'records',
    name: 'gatewayAway',
    gateway: ['away'],
    verdicts: {
      identity: 'deferred',
      clock: 'deferred',
      engineBus: 'deferred',
      delivered: 'deferred',
      samePlace: 'deferred',
      vehicle: 'deferred'
    },
    cause: { step: 'delivered', says: 'jobs.waitsForGateway' }
  },
  {
    area: 'records',
    name: 'gatewayPortal',
    gateway: ['portal'],
    at: 'inputs',
    verdicts: { vehicle: 'deferred' },
    cause: { step: 'vehicle', says: 'gateway.foreign' }
  },
  {
    area: 'records',
    name: 'gatewayBlocked',
    gateway: ['blocked'],
    at: 'inputs',
    verdicts: { vehicle: 'deferred' },
    cause: { step: 'vehicle', says: 'gateway.challenge' }
  },
  {
    area: 'records',
    name: 'gatewayMaintenance',
    gateway: ['maintenance'],
    at: 'inputs',
    verdicts: { vehicle: 'deferred' },
    cause: { step: 'vehicle', says: 'gateway.maintenance' }
  }
]

const lines: readonly FaultStory[] = [
  {
    area: 'lines',
    name: 'looseContact',
    device: ['chatter'],
    verdicts: { inputs: 'fail' },
    cause: { step: 'inputs', says: 'inputs.looseContact' },
    diagnosis: { both: { finding: 'chatterIN1' }, device: { finding: 'chatterIN1' } }
  },
  {
    area: 'lines',
    name: 'inputNotConnected',
    device: ['input1NotConnected'],
    verdicts: { inputs: 'fail' },
    cause: { step: 'inputs', says: 'inputs.neverMoved' }
  },
  {
    area: 'lines',
    name: 'relayShorted',
    device: ['shortOnOut1'],
    verdicts: { output: 'fail' },
    cause: { step: 'output', says: 'output.shorted' }
  },
  {
    area: 'lines',
    name: 'relayStuckOn',
    device: ['out1StuckOn'],
    verdicts: { output: 'fail' },
    cause: { step: 'output', says: 'output.notProvedOff' }
  },
  {
    area: 'lines',
    name: 'relayStuckOff',
    device: ['out1StuckOff'],
    verdicts: { output: 'fail' },
    cause: { step: 'output', says: 'output.didNotGoOn' }
  },
  {
    area: 'lines',
    name: 'relayIneffective',
    device: ['relayIneffective'],
    verdicts: { output: 'fail' },
    cause: { step: 'output', says: 'output.effectMissing' }
  },
  {
    area: 'lines',
    name: 'driving',
    vehicle: ['drives'],
    at: 'output',
    verdicts: { output: 'fail', alignment: 'fail' },
    cause: { step: 'output', says: 'output.stayedOff' }
  },
  {
    area: 'lines',
    name: 'engineRunning',
    vehicle: ['engineRuns'],
    at: 'output',
    verdicts: { output: 'fail' },
    cause: { step: 'output', says: 'output.stayedOff' }
  },
  {
    area: 'lines',
    name: 'notArmed',
    person: ['doesNotArm'],
    verdicts: { output: 'fail' },
    cause: { step: 'output', says: 'output.notArmedInTime' }
  }
]

const wire: readonly FaultStory[] = [
  {
    area: 'wire',
    name: 'deviceSwapped',
    device: ['swapped'],
    at: 'output',
    verdicts: { output: 'fail', alignment: 'fail' },
    cause: { step: 'output', says: 'device.another' },
    diagnosis: { both: silent, gateway: silent, deviceIs: 'another', also: ['anotherDevice'] }
  },
  {
    area: 'wire',
    name: 'devicePortal',
    device: ['html'],
    at: 'output',
    verdicts: { output: 'fail', alignment: 'unreadable' },
    cause: { step: 'alignment', says: 'device.somethingElse' },
    diagnosis: { deviceIs: 'away' }
  },
  {
    area: 'wire',
    name: 'booleansAsText',
    device: ['booleansAsText'],
    verdicts: {
      externalPower: 'unreadable',
      ignition: 'unreadable',
      inputs: 'unreadable',
      output: 'unreadable',
      alignment: 'fail'
    },
    cause: { step: 'ignition', says: 'ignition.unreadable' },
    diagnosis: {
      both: { finding: 'ioUnreadable' },
      device: { finding: 'ioUnreadable' },
      also: ['modemUnreadable', 'configurationUnreadable', 'positionUnreadable', 'systemUnreadable']
    }
  }
]

const accessories: readonly FaultStory[] = [
  {
    area: 'accessories',
    name: 'busSilent',
    vehicle: ['busSilent'],
    verdicts: { engineBus: 'fail' },
    cause: { step: 'engineBus', says: 'engineBus.checkWires' },
    diagnosis: { both: { finding: 'busSilent' }, while: 'drive' }
  },
  {
    area: 'accessories',
    name: 'tyresSwapped',
    vehicle: ['tyresSwapped'],
    verdicts: { tyres: 'fail' },
    cause: { step: 'tyres', says: 'accessoryChecks.moduleElsewhere' }
  },
  {
    area: 'accessories',
    name: 'cameraCovered',
    vehicle: ['cameraCovered'],
    verdicts: { camera: 'fail' },
    cause: { step: 'camera', says: 'accessoryChecks.pictureRefused' }
  },
  {
    area: 'accessories',
    name: 'cameraSilent',
    vehicle: ['cameraSilent'],
    verdicts: { camera: 'fail' },
    cause: { step: 'camera', says: 'accessoryChecks.cameraFailed' }
  },
  {
    area: 'accessories',
    name: 'keyUnknown',
    person: ['holdsUnknownKey'],
    verdicts: { iButton: 'fail' },
    cause: { step: 'iButton', says: 'accessoryChecks.keyUnknown' }
  },
  {
    area: 'accessories',
    name: 'probeUnplugged',
    vehicle: ['probeUnplugged'],
    verdicts: { temperature: 'fail' },
    cause: { step: 'temperature', says: 'accessoryChecks.probesMissing' }
  },
  {
    area: 'accessories',
    name: 'tagLost',
    vehicle: ['tagLost'],
    verdicts: { btTag: 'fail' },
    cause: { step: 'btTag', says: 'accessoryChecks.tagsNotHeard' }
  }
]

/** Every fault story, used by the tests, `fitter simulate` and the training exercises. */
export const faultStories: readonly FaultStory[] = [...supply, ...radio, ...records, ...lines, ...wire, ...accessories]
