import { describe, expect, it } from 'vitest'
import {
  nextState,
  startState,
  type OutputEffect,
  type OutputEvent,
  type OutputState
} from '../../../main/outputs/machine.ts'
import { endsOff, walkAll } from '../../support/outputWorld.ts'

describe('An output, whatever happens around it', () => {
  const walk = walkAll({ nextState, startState })

  it('is never on by us without an entry in the ledger, in no world that can be reached', () => {
    expect(walk.wrong).toBeUndefined()
    expect(walk.worlds).toBeGreaterThan(250)
    expect(walk.steps).toBeGreaterThan(2_500)
  })

  it('ends off and out of the ledger from everywhere, as soon as its device answers again', () => {
    const stuck = walk.all.find((world) => !endsOff(world, { nextState, startState }))
    expect(stuck).toBeUndefined()
  })
})

const off: OutputState = { phase: 'off', isInLedger: false, isOnSettled: true, isOnAnswered: false }
const claimed: OutputState = { ...off, phase: 'claimed' }
const goingOn: OutputState = { phase: 'goingOn', isInLedger: true, isOnSettled: false, isOnAnswered: false }
const answered: OutputState = { ...goingOn, isOnAnswered: true }
const on: OutputState = { phase: 'on', isInLedger: true, isOnSettled: true, isOnAnswered: true }
const onOfOthers: OutputState = { phase: 'on', isInLedger: true, isOnSettled: false, isOnAnswered: false }
const goingOff: OutputState = { phase: 'goingOff', isInLedger: true, isOnSettled: false, isOnAnswered: false }
const goingOffAnswered: OutputState = { ...goingOff, isOnAnswered: true }
const settled: OutputState = { ...goingOff, isOnSettled: true }
const states = { off, claimed, goingOn, answered, on, onOfOthers, goingOff, goingOffAnswered, settled }

/** Every event in every state: what it leads to. What is not written here changes nothing and asks for nothing. */
const steps: Record<
  OutputEvent,
  Partial<Record<keyof typeof states, [next: OutputState, ...effects: OutputEffect[]]>>
> = {
  claimed: {
    off: [claimed],
    ...Object.fromEntries(
      Object.entries(states)
        .filter(([name]) => name !== 'off')
        .map(([name, state]) => [name, [state, 'refuse']])
    )
  },
  released: { claimed: [off] },
  armed: {
    claimed: [claimed, 'writeLedger'],
    ...Object.fromEntries(
      Object.entries(states)
        .filter(([name]) => name !== 'claimed')
        .map(([name, state]) => [name, [state, 'refuse']])
    )
  },
  ledgerWritten: { claimed: [goingOn, 'sendOn'] },
  ledgerFailed: Object.fromEntries(Object.entries(states).map(([name, state]) => [name, [state, 'refuse']])),
  onRefused: { goingOn: [settled, 'proveOff'], answered: [{ ...settled, isOnAnswered: true }, 'proveOff'] },
  onLost: {},
  onAnswered: {
    goingOn: [answered],
    onOfOthers: [{ ...onOfOthers, isOnAnswered: true }],
    goingOff: [goingOffAnswered],
    settled: [{ ...settled, isOnAnswered: true }]
  },
  readOn: {
    goingOn: [onOfOthers],
    answered: [on],
    goingOff: [goingOff, 'proveOff'],
    goingOffAnswered: [{ ...goingOffAnswered, isOnSettled: true }, 'proveOff'],
    settled: [settled, 'proveOff']
  },
  readOff: {
    on: [{ ...on, phase: 'goingOff' }, 'proveOff'],
    onOfOthers: [goingOff, 'proveOff'],
    settled: [settled, 'clearLedger']
  },
  mustGoOff: {
    claimed: [off],
    goingOn: [goingOff, 'proveOff'],
    answered: [goingOffAnswered, 'proveOff'],
    on: [{ ...on, phase: 'goingOff' }, 'proveOff'],
    onOfOthers: [goingOff, 'proveOff']
  },
  lateOnOver: {
    goingOff: [settled, 'proveOff'],
    goingOffAnswered: [{ ...goingOffAnswered, isOnSettled: true }, 'proveOff']
  },
  personSawOff: Object.fromEntries(
    Object.entries(states)
      .filter(([, state]) => state.isInLedger)
      .map(([name, state]) => [name, [{ ...state, phase: 'goingOff' }, 'clearLedger']])
  ),
  foundInLedger: Object.fromEntries(Object.keys(states).map((name) => [name, [goingOff, 'proveOff']])),
  ledgerCleared: Object.fromEntries(
    Object.entries(states)
      .filter(([, state]) => state.isInLedger)
      .map(([name, state]) => [name, [{ ...state, phase: 'off', isInLedger: false, isOnSettled: true }]])
  )
}

describe('An output goes one step', () => {
  it('from where it is off, out of the ledger and with nothing under way', () => {
    expect(startState).toEqual(off)
  })

  it.each(
    (Object.keys(steps) as OutputEvent[]).flatMap((event) =>
      (Object.keys(states) as (keyof typeof states)[]).map((name) => ({ event, name }))
    )
  )('with $event while it is $name', ({ event, name }) => {
    const [state, ...effects] = steps[event][name] ?? [states[name]]
    expect(nextState(states[name], event)).toEqual({ state, effects })
  })
})
