import { afterEach, describe, expect, it } from 'vitest'
import { createExercises, type Exercises } from '../../../main/training/exercises.ts'
import { countNeedless, pointsOf } from '../../../main/training/points.ts'
import { openStore, type Store } from '../../../main/store/index.ts'
import { faultStories } from '../../../simulator/faultStories.ts'
import { startSimulation, type Simulation } from '../../../simulator/simulation.ts'
import { fileFolder } from '../../support/installation.ts'

const folder = fileFolder()
let sim: Simulation
let store: Store
let exercises: Exercises

async function open(cause: string, area: string) {
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
    kept: store.exercises,
    needlessSteps: () => 2,
    now: () => new Date(nowMs),
    random: () => (at + 0.5) / ofArea.length
  })
  return { device, gateway, pass: (ms: number) => (nowMs += ms) }
}

describe('An exercise', () => {
  afterEach(async () => {
    exercises.stop()
    store.close()
    await sim.stop()
  })

  it('hides a fault in the vehicle, says nothing of it, and takes it out when it was named', async () => {
    const { device, gateway, pass } = await open('powerSwitched', 'supply')
    const vehicle = gateway.state.vehicles.find((one) => String(one.device) === device.imei)?.name
    const started = exercises.start(device.imei, 'supply')
    expect(started).toEqual({ imei: device.imei, area: 'supply', vehicle, startedAt: '2026-11-20T09:00:00.000Z', wrongGuesses: 0 })
    expect(JSON.stringify(exercises.running())).not.toContain('powerSwitched')
    expect(device.vehicle.state().power).toBe(false)
    pass(400_000)
    expect(exercises.nameCause('noPower')).toBeNull()
    expect(exercises.running()).toMatchObject({ wrongGuesses: 1 })
    const result = exercises.nameCause('powerSwitched')
    expect(result).toEqual({ at: '2026-11-20T09:06:40.000Z', area: 'supply', cause: 'powerSwitched', isFound: true, tookS: 400, wrongGuesses: 1, needlessSteps: 2, points: 70 })
    expect(device.vehicle.state().power).toBe(true)
    expect(exercises.running()).toBeNull()
    expect(exercises.results()[0]).toEqual(result)
  })

  it('is over without points when the person wants to be shown', async () => {
    const { device } = await open('relayIneffective', 'lines')
    exercises.start(device.imei, 'lines')
    expect(exercises.nameCause(null)).toMatchObject({ cause: 'relayIneffective', isFound: false, points: 0 })
    expect(() => exercises.nameCause('relayIneffective')).toThrow()
  })

  it('offers every story that can be hidden, and puts right what is at the gateway', async () => {
    const { device, gateway } = await open('vehicleTaken', 'records')
    expect(exercises.causes().map(({ cause }) => cause)).toEqual(faultStories.filter(({ person }) => !person).map(({ name }) => name))
    const before = structuredClone(gateway.state.vehicles)
    exercises.start(device.imei, 'records')
    expect(gateway.state.vehicles).not.toEqual(before)
    exercises.stop()
    expect(gateway.state.vehicles).toEqual(before)
  })
})

it('a step that is run again although it had passed is needless, before the exercise it does not count', () => {
  const entry = (type: string, stepId: string, minute: number, data: object = {}) => ({ type, stepId, at: `2026-11-20T09:${String(minute).padStart(2, '0')}:00.000Z`, data })
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

it.each([
  [{ isFound: true, tookS: 300, wrongGuesses: 0, needlessSteps: 0 }, 100],
  [{ isFound: true, tookS: 900, wrongGuesses: 1, needlessSteps: 3 }, 65],
  [{ isFound: true, tookS: 1_201, wrongGuesses: 0, needlessSteps: 0 }, 88],
  [{ isFound: true, tookS: 9_000, wrongGuesses: 4, needlessSteps: 9 }, 10],
  [{ isFound: false, tookS: 60, wrongGuesses: 0, needlessSteps: 0 }, 0]
])('%j is worth %i points', (facts, points) => {
  expect(pointsOf(facts)).toBe(points)
})
