import { describe, expect, test } from 'vitest'
import { findStory, type StoryName } from '../../../../simulator/stories.ts'
import { Vehicle, type VehicleChange } from '../../../../simulator/vehicle.ts'

function play(story: StoryName, forMs: number) {
  let nowMs = Date.UTC(2026, 5, 1)
  const vehicle = new Vehicle({ seed: 3, story, now: () => nowMs })
  const changes: VehicleChange[] = []
  vehicle.onChange((change) => changes.push(change))
  nowMs += forMs
  vehicle.advance()
  return { vehicle, changes, pass: (ms: number) => (nowMs += ms) }
}

function countOn(changes: VehicleChange[], line: string): number {
  return changes.filter((change) => change.line === line && change.value === true).length
}

describe.each(['installation', 'installation-fast'] as const)('the story %s', (name) => {
  const { cycleMs } = findStory(name)

  test('turns the key twice, runs the engine, and presses both buttons twice in one cycle', () => {
    const { changes } = play(name, cycleMs - 50)
    expect(countOn(changes, 'IGN')).toBe(3)
    expect(countOn(changes, 'engine')).toBe(1)
    expect(countOn(changes, 'TIG')).toBe(1)
    expect(countOn(changes, 'IN1')).toBe(2)
    expect(countOn(changes, 'IN2')).toBe(2)
  })

  test('ends with a quiet time in which the engine is off and nothing changes', () => {
    const { changes, vehicle } = play(name, cycleMs - 50)
    const lastMs = changes.at(-1)!.atMs
    expect(vehicle.state().atMs - lastMs).toBeGreaterThan(name === 'installation' ? 20_000 : 10_000)
    expect(vehicle.state()).toMatchObject({ engineOn: false, isMoving: false, ignition: false })
  })

  test('repeats', () => {
    const { changes } = play(name, 3 * cycleMs - 50)
    expect(countOn(changes, 'engine')).toBe(3)
  })

  test('leaves the key alone while somebody tests an output, and goes on afterwards', () => {
    const { vehicle, changes, pass } = play(name, 100)
    vehicle.setOutput('OUT2', true)
    const before = changes.length
    pass(cycleMs)
    vehicle.advance()
    expect(changes).toHaveLength(before)
    vehicle.setOutput('OUT2', false)
    pass(cycleMs)
    vehicle.advance()
    expect(countOn(changes, 'engine')).toBe(1)
  })
})

describe('the other stories', () => {
  test('a parked vehicle changes nothing in an hour', () => {
    expect(play('parked', 3_600_000).changes).toEqual([])
  })

  test('the drive moves within ten seconds and keeps moving', () => {
    const { vehicle, pass } = play('drive', 10_000)
    expect(vehicle.state().isMoving).toBe(true)
    pass(600_000)
    expect(vehicle.state().isMoving).toBe(true)
    expect(vehicle.state().distanceM).toBeGreaterThan(5_000)
  })

  test('the helper starts the installation story and stops where it is told to', () => {
    const { vehicle, pass } = play('parked', 0)
    vehicle.setHelper(true)
    expect(vehicle.state()).toMatchObject({ helper: true, story: 'installation' })
    pass(4_000)
    expect(vehicle.state().key).toBe('on')
    vehicle.setHelper(false)
    pass(60_000)
    expect(vehicle.state()).toMatchObject({ helper: false, key: 'on' })
  })
})
