import type { ExerciseResult } from '../../../preload/contract/app/exercises.ts'
import { message } from '../../../preload/contract/messages.ts'
import { openStore } from '../../../main/data/store/index.ts'

const startMs = Date.UTC(2026, 10, 12, 10, 45, 0)
const iso = (minutes: number): string => new Date(startMs + minutes * 60_000).toISOString()

/** An exercise that was found at the second answer, with a hint and a dangerous action. */
export function makeResult(change: Partial<ExerciseResult> = {}): ExerciseResult {
  return {
    at: iso(6.7),
    id: 'w2',
    by: 'Technician One',
    vehicle: 'Unit 0002',
    area: 'supply',
    cause: 'ignitionWireMissing',
    isFound: true,
    tookS: 402,
    limitS: 480,
    wrongGuesses: 1,
    needlessSteps: 0,
    answers: ['noPower', 'ignitionWireMissing'],
    hintsUsed: 1,
    dangers: [{ kind: 'engineWhileOn', at: iso(4.7) }],
    deeds: [
      { kind: 'started', at: iso(0), about: null },
      { kind: 'stepFailed', at: iso(1.35), about: message('common.ignition') },
      { kind: 'wrong', at: iso(2.4), about: message('stories.noPower') },
      { kind: 'hint', at: iso(3.6), about: null },
      { kind: 'danger', at: iso(4.7), about: null, danger: 'engineWhileOn' },
      { kind: 'found', at: iso(6.7), about: null }
    ],
    parts: { cause: 54, time: 18, safety: 10, hints: -10 },
    points: 72,
    ...change
  }
}

/** Fills a training data folder with what three technicians did. */
export function keepResults(trainingFolder: string): void {
  const store = openStore(trainingFolder)
  const clean = {
    wrongGuesses: 0,
    answers: ['noFix'],
    hintsUsed: 0,
    dangers: [],
    parts: { cause: 60, time: 20, safety: 20, hints: 0 },
    points: 100
  }
  const all = [
    makeResult({
      at: iso(-9_000),
      isFound: false,
      points: 0,
      parts: { cause: 0, time: 0, safety: 0, hints: 0 },
      answers: ['noPower'],
      dangers: []
    }),
    makeResult({
      at: iso(-8_000),
      by: 'Technician Two',
      id: 'o1',
      cause: 'relayIneffective',
      dangers: [{ kind: 'leftOn', at: iso(-8_000) }],
      points: 76
    }),
    makeResult({ at: iso(-7_000), id: 'f1', cause: 'electric', ...clean }),
    makeResult({ at: iso(-6_000), id: 'f3', cause: 'inputNotConnected', ...clean, points: 88 }),
    makeResult({ at: iso(-5_000), id: 'p2', cause: 'noFix', ...clean, points: 96 }),
    makeResult({
      at: iso(-4_000),
      by: 'Technician Three',
      id: 'g1',
      cause: 'vehicleWrong',
      isFound: false,
      points: 0,
      dangers: []
    }),
    makeResult({ at: iso(-3_000), by: 'Technician Two', id: 'n1', cause: 'neverDelivered', ...clean, points: 91 }),
    makeResult()
  ]
  for (const result of all) store.exercises.keep(result)
  store.settings.change({ technician: 'Technician One' })
  store.close()
}
