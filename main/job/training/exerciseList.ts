import type { ExerciseLevel } from '../../../preload/contract/app/exercises.ts'

/**
 * One of the listed exercises. Its texts (`windowExercises.<id>.…`) say what the customer reports; the id says nothing
 * either.
 */
export interface ListedExercise {
  id: string
  level: ExerciseLevel
  /** The fault story that it hides. */
  cause: string
  minutes: number
}

const exercises = {
  first: [
    ['f1', 'electric', 10],
    ['f2', 'charging24', 10],
    ['f3', 'inputNotConnected', 12]
  ],
  wiring: [
    ['w1', 'badGround', 8],
    ['w2', 'ignitionWireMissing', 8],
    ['w3', 'powerSwitched', 10],
    ['w4', 'looseContact', 8]
  ],
  network: [
    ['n1', 'neverDelivered', 12],
    ['n2', 'unknownSim', 10],
    ['n3', 'weakSignal', 8],
    ['n4', 'lateDelivered', 12]
  ],
  position: [
    ['p1', 'zeroPosition', 8],
    ['p2', 'noFix', 8],
    ['p3', 'reportsElsewhere', 12]
  ],
  gateway: [
    ['g1', 'vehicleWrong', 10],
    ['g2', 'vehicleTaken', 10],
    ['g3', 'gatewayPortal', 12]
  ],
  outputs: [
    ['o1', 'relayIneffective', 10],
    ['o2', 'relayStuckOn', 10]
  ],
  accessories: [
    ['a1', 'probeUnplugged', 10],
    ['a2', 'tagLost', 10]
  ]
} as const satisfies Record<ExerciseLevel, readonly (readonly [id: string, cause: string, minutes: number])[]>

/** In the order in which a person should do them. */
export const exerciseList: readonly ListedExercise[] = Object.entries(exercises).flatMap(([level, rows]) =>
  rows.map(([id, cause, minutes]) => ({ id, level: level as ExerciseLevel, cause, minutes }))
)
