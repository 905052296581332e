import { plainMessage } from '../../preload/contract/messages.ts'
import type { LineChange } from '../../preload/contract/lines.ts'
import { describe, expect, it } from 'vitest'
import { chooseNext, chooseStage, mainAction } from '../../renderer/features/jobs/stage.ts'
import { laneSegments, shownLines } from '../../renderer/features/jobs/lanes.ts'
import { thresholdText } from '../../renderer/features/jobs/thresholdText.ts'
import { lines, step } from '../support/fakeData.ts'
import type { LiveStep } from '../../preload/contract/jobs.ts'

type Asking = Pick<LiveStep, 'prompt'>
const asks: Asking = { prompt: { kind: 'effect', text: plainMessage('Did it?') } }
const quiet: Asking = { prompt: null }

describe('the step on the stage', () => {
  const steps = [
    step('a', 'A', { state: 'pass' }),
    step('b', 'B', { state: 'running' }),
    step('c', 'C', { state: 'running' }),
    step('d', 'D')
  ]

  it('is the one that asks the person something, before one that only runs', () => {
    const live = new Map([['b', quiet], ['c', asks]])
    expect(chooseStage({ steps, live, onStage: 'b', isPinned: false })).toBe('c')
  })

  it('stays what the person chose, even when another one asks', () => {
    const live = new Map([['c', asks]])
    expect(chooseStage({ steps, live, onStage: 'a', isPinned: true })).toBe('a')
  })

  it('keeps a result on the stage while nothing asks', () => {
    expect(chooseStage({ steps, live: new Map([['b', quiet]]), onStage: 'a', isPinned: false })).toBe('a')
  })

  it('begins with the first step that is not settled when nothing runs', () => {
    const idle = [step('a', 'A', { state: 'pass' }), step('b', 'B', { state: 'fail' }), step('c', 'C')]
    expect(chooseStage({ steps: idle, live: new Map(), onStage: null, isPinned: false })).toBe('b')
  })
})

describe('a failure', () => {
  const failing = (state: 'fail' | 'unreadable') => [step('a', 'A', { state, remedy: 'Check the fuse.' }), step('b', 'B', { state: 'running' })]

  it.each(['fail', 'unreadable'] as const)('stays on the stage until the person leaves it, whoever asks meanwhile (%s)', (state) => {
    expect(chooseStage({ steps: failing(state), live: new Map([['b', asks]]), onStage: 'a', isPinned: false })).toBe('a')
  })

  it.each(['fail', 'unreadable'] as const)('is run again by the filled button: "Next" is never filled on it (%s)', (state) => {
    const steps = failing(state)
    expect(mainAction(steps[0]!, steps[1]!)).toBe('runAgain')
  })

  it('leaves the filled button to the question while a step runs, and to "Next" when all is well', () => {
    const [running, passed] = [step('a', 'A', { state: 'running' }), step('b', 'B', { state: 'pass' })]
    expect(mainAction(running, passed)).toBeNull()
    expect(mainAction(passed, running)).toBe('next')
    expect(mainAction(passed, null)).toBeNull()
    expect(mainAction(step('c', 'C'), passed)).toBe('run')
  })
})

describe('"Next"', () => {
  it('leads to a failed step before the sign-off', () => {
    const steps = [
      step('a', 'A', { state: 'fail' }),
      step('b', 'B', { state: 'pass' }),
      step('c', 'C', { kind: 'signOff' })
    ]
    expect(chooseNext({ steps, live: new Map(), onStage: 'b' })?.id).toBe('a')
  })

  it('passes over skipped steps and is gone when everything is settled', () => {
    const steps = [step('a', 'A', { state: 'pass' }), step('b', 'B', { state: 'waived' })]
    expect(chooseNext({ steps, live: new Map(), onStage: 'a' })).toBeNull()
  })
})

describe('the lines of the device', () => {
  it('draws nothing before the first known value', () => {
    expect(laneSegments([], 30_000, 30_000)).toEqual([])
    expect(laneSegments([[15_000, false]], 30_000, 30_000)).toEqual(['M120 15H240'])
  })

  it('rises where the line went on within the last 30 s', () => {
    const changes: LineChange[] = [[0, false], [45_000, true]]
    expect(laneSegments(changes, 60_000, 30_000)).toEqual(['M0 15H120V3H240'])
  })

  it('shows ignition, what the step is about and what moved, and leaves out what never did', () => {
    expect(shownLines({ lines: new Map(lines.lines.map(({ name, changes }) => [name, changes])) }, ['IN3'])).toEqual(['IGN', 'TIG', 'IN2', 'IN3'])
  })
})

describe('a threshold', () => {
  it('gives the unit at the end of its name to its number', () => {
    expect(thresholdText('signalPassDbm', -90)).toEqual({ name: 'signal pass', value: '-90 dBm' })
    expect(thresholdText('giveUpS', 90)).toEqual({ name: 'give up', value: '90 s' })
    expect(thresholdText('holdToArmMs', 3000)).toEqual({ name: 'hold to arm', value: '3000 ms' })
    expect(thresholdText('changes', 4)).toEqual({ name: 'changes', value: '4' })
  })
})
