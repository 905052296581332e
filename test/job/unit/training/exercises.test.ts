import { afterEach, describe, expect, it } from 'vitest'
import { exerciseList } from '../../../../main/job/training/exerciseList.ts'
import { createExercises, type Exercises, type ExercisesOptions } from '../../../../main/job/training/exercises.ts'
import { countNeedless, scoreOf, sumOf } from '../../../../main/job/training/points.ts'
import { tourOf, traceJob } from '../../../../main/job/training/trace.ts'
import { openStore, type Store } from '../../../../main/data/store/index.ts'
import { faultStories } from '../../../../simulator/faultStories.ts'
import { startSimulation, type Simulation } from '../../../../simulator/simulation.ts'
import { fileFolder } from '../../../world/window/installation.ts'

const folder = fileFolder()
let sim: Simulation
let store: Store
let exercises: Exercises

async function open(cause: string, area: string, more: Partial<ExercisesOptions> = {}) {
  sim = await startSimulation({ gateway: true, fitted: true })
  store = openStore(folder)
  const [device] = sim.devices
  const { gateway } = sim
  if (!device || !gateway) throw new Error('no device or no gateway')
  const ofArea = faultStories.filter((story) => story.area === area && story.person === undefined)
  const at = ofArea.findIndex(({ name }) => name === cause)
  let nowMs = Date.UTC(2026, 10, 20, 9)
  exercises = createExercises({
    scene: (imei) => (imei === device.imei ? { device, gateway } : undefined),
    devices: [device.imei],
    kept: store.exercises,
    trace: () => ({ tests: 4, needlessSteps: 2, deeds: [], dangers: [] }),
    outputsOn: () => 0,
    technician: () => 'Technician One',
    tour: () => [],
    now: () => new Date(nowMs),
    random: () => (at + 0.5) / ofArea.length,
    ...more
  })
  return { device, gateway, pass: (ms: number) => (nowMs += ms) }
}

describe('An exercise', () => {
  afterEach(async () => {
    exercises.stop()
    store.close()
    await sim.stop()
  })

  it('starts from a clean vehicle: own faults are removed, and it says how many', async () => {
    const { device } = await open('powerSwitched', 'supply')
    device.setFault('noSim', true)
    device.setFault('noFix', true)
    expect(exercises.start(device.imei, 'supply')).toMatchObject({ removedFaults: 2 })
    expect(device.faults()).not.toContain('noSim')
    expect(device.faults()).not.toContain('noFix')
    exercises.nameCause(null)
    expect(exercises.start(device.imei, 'supply')).toMatchObject({ removedFaults: 0 })
  })

  it('knows that nothing is wrong with an electric vehicle', async () => {
    const { device } = await open('electric', 'supply')
    exercises.start(device.imei, 'supply')
    expect(exercises.nameCause('electric')).toMatchObject({ isFound: true, isNoFault: true, tests: 4 })
  })

  it('hides a fault in the vehicle, says nothing of it, and takes it out when it was named', async () => {
    const { device, gateway, pass } = await open('powerSwitched', 'supply')
    const vehicle = gateway.state.vehicles.find((one) => String(one.device) === device.imei)?.name
    const started = exercises.start(device.imei, 'supply')
    expect(started).toMatchObject({
      id: null,
      imei: device.imei,
      area: 'supply',
      vehicle,
      startedAt: '2026-11-20T09:00:00.000Z',
      limitS: 900,
      wrongGuesses: 0,
      hints: [],
      hintsLeft: 3
    })
    expect(JSON.stringify(exercises.running())).not.toContain('powerSwitched')
    expect(device.vehicle.state().power).toBe(false)
    pass(400_000)
    expect(exercises.nameCause('noPower')).toBeNull()
    expect(exercises.running()).toMatchObject({ wrongGuesses: 1 })
    const result = exercises.nameCause('powerSwitched')
    expect(result).toMatchObject({
      at: '2026-11-20T09:06:40.000Z',
      by: 'Technician One',
      area: 'supply',
      cause: 'powerSwitched',
      isFound: true,
      tookS: 400,
      wrongGuesses: 1,
      needlessSteps: 2,
      answers: ['noPower', 'powerSwitched'],
      parts: { cause: 50, time: 20, safety: 20, hints: 0 },
      points: 90
    })
    expect(result?.deeds.map(({ kind }) => kind)).toEqual(['started', 'wrong', 'found'])
    expect(device.vehicle.state().power).toBe(true)
    expect(exercises.running()).toBeNull()
    expect(exercises.results()[0]).toEqual(result)
  })

  it('of the list tells nothing of its fault, costs points for each hint, and knows the best of this technician', async () => {
    const { device } = await open('', '')
    const started = exercises.startListed('w2')
    expect(JSON.stringify([started, exercises.list()])).not.toContain('ignitionWireMissing')
    expect(started).toMatchObject({ id: 'w2', area: 'supply', limitS: 480 })
    const supply = faultStories.filter(({ area, person }) => area === 'supply' && person === undefined).length
    expect(exercises.hint()).toMatchObject({ hints: [{ id: 'training.hint.supply' }], ruledOut: [], hintsLeft: 2 })
    expect(exercises.hint().ruledOut).toHaveLength(Math.ceil((supply - 1) / 2))
    const last = exercises.hint()
    expect(last.ruledOut).toHaveLength(supply - 2)
    expect(last.ruledOut).not.toContain('ignitionWireMissing')
    expect(exercises.hint()).toEqual(last)
    expect(exercises.nameCause('ignitionWireMissing')).toMatchObject({
      id: 'w2',
      hintsUsed: 3,
      parts: { hints: -30 },
      points: 66
    })
    expect(exercises.list().find(({ id }) => id === 'w2')).toMatchObject({
      imei: device.imei,
      tries: 1,
      best: { points: 66, isFound: true }
    })
    expect(exercises.list().find(({ id }) => id === 'w3')).toMatchObject({ tries: 0, best: null })
  })

  it('notes that the engine was started while an output was on, and that one was left on', async () => {
    let on = 0
    const { device } = await open('', '', {
      outputsOn: () => on,
      trace: () => ({ tests: 3, needlessSteps: 0, deeds: [], dangers: [] })
    })
    exercises.startListed('o1')
    exercises.watchAct(device.imei, { act: 'key', to: 'crank' })
    on = 1
    exercises.watchAct(device.imei, { act: 'key', to: 'on' })
    exercises.watchAct(device.imei, { act: 'key', to: 'crank' })
    const result = exercises.nameCause('relayIneffective')
    expect(result?.dangers.map(({ kind }) => kind)).toEqual(['engineWhileOn', 'leftOn'])
    expect(result?.parts).toMatchObject({ cause: 60, safety: 0 })
    expect(result?.deeds.filter(({ kind }) => kind === 'danger').map(({ danger }) => danger)).toEqual([
      'engineWhileOn',
      'leftOn'
    ])
  })

  it('is over without points when the person wants to be shown', async () => {
    const { device } = await open('relayIneffective', 'lines')
    exercises.start(device.imei, 'lines')
    expect(exercises.nameCause(null)).toMatchObject({ cause: 'relayIneffective', isFound: false, points: 0 })
    expect(() => exercises.nameCause('relayIneffective')).toThrow()
  })

  it('offers every story that can be hidden, and puts right what is at the gateway', async () => {
    const { device, gateway } = await open('vehicleTaken', 'records')
    const causes = exercises.causes().map(({ cause }) => cause)
    expect(causes).toEqual(faultStories.filter(({ person }) => !person).map(({ name }) => name))
    expect(exerciseList.filter(({ cause }) => !causes.includes(cause))).toEqual([])
    const before = structuredClone(gateway.state.vehicles)
    exercises.start(device.imei, 'records')
    expect(gateway.state.vehicles).not.toEqual(before)
    exercises.stop()
    expect(gateway.state.vehicles).toEqual(before)
  })

  it('opens a yard without a score, and takes its faults out again', async () => {
    const { device } = await open('powerSwitched', 'supply', {
      random: () => 5.5 / faultStories.filter(({ person, at }) => person === undefined && at === undefined).length
    })
    exercises.openYard(device.imei, 1)
    expect(exercises.running()).toBeNull()
    expect(device.vehicle.state().power).toBe(false)
    exercises.openYard(device.imei, 0)
    expect(device.vehicle.state().power).toBe(true)
    expect(exercises.results()).toEqual(store.exercises.list())
  })
})

const entry = (type: string, stepId: string, minute: number, data: object = {}) => ({
  type,
  stepId,
  at: `2026-11-20T09:${String(minute).padStart(2, '0')}:00.000Z`,
  data
})

it('a step that is run again although it had passed is needless, before the exercise it does not count', () => {
  const journal = [
    entry('stepStarted', 'network', 1),
    entry('stepEnded', 'network', 2, { state: 'pass' }),
    entry('stepStarted', 'network', 3),
    entry('stepEnded', 'network', 4, { state: 'pass' }),
    entry('stepStarted', 'ignition', 11),
    entry('stepEnded', 'ignition', 12, { state: 'fail' }),
    entry('stepStarted', 'ignition', 13),
    entry('stepStarted', 'network', 14)
  ]
  expect(countNeedless(journal, '2026-11-20T09:10:00.000Z')).toBe(1)
})

it('a job shows the steps that failed, an output that was armed too early, and how far the tour has come', () => {
  const entries = [
    entry('stepEnded', 'power', 1, { state: 'fail' }),
    entry('stepEnded', 'ignition', 12, { state: 'fail' }),
    entry('evidence', 'output-1', 13, { what: { id: 'output.countdownStoppedSeen', values: {} } }),
    entry('stepEnded', 'output-1', 14, { state: 'pass' })
  ]
  const trace = traceJob(
    { entries, titleOf: (stepId) => ({ id: 'common.textWord', values: { readMv: stepId.length } }) },
    '2026-11-20T09:10:00.000Z'
  )
  expect(trace).toMatchObject({
    tests: 2,
    deeds: [{ kind: 'stepFailed', at: '2026-11-20T09:12:00.000Z' }],
    dangers: [{ kind: 'armedUnsafe', at: '2026-11-20T09:13:00.000Z' }]
  })
  expect(tourOf([])).toEqual([false, false, false, false, false])
  expect(tourOf([{ entries }])).toEqual([true, false, true, true, false])
})

const clean = {
  isFound: true,
  tookS: 200,
  limitS: 480,
  tests: 1,
  wrongGuesses: 0,
  needlessSteps: 0,
  dangers: 0,
  hints: 0
}
it.each([
  [clean, 100],
  [{ ...clean, tests: 0 }, 80],
  [{ ...clean, tookS: 402, wrongGuesses: 1, dangers: 1, hints: 1 }, 72],
  [{ ...clean, tookS: 480 }, 97],
  [{ ...clean, tookS: 960 }, 80],
  [{ ...clean, tookS: 9_000, wrongGuesses: 4, needlessSteps: 20, dangers: 9, hints: 3 }, 0],
  [{ ...clean, isFound: false }, 0]
])('%j is worth %i points', (facts, points) => {
  expect(sumOf(scoreOf(facts))).toBe(points)
})
