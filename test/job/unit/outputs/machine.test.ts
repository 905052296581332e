import { describe, expect, it } from 'vitest'
import {
  mayConfirmOff,
  mayOnLeave,
  nextState,
  outputEvents,
  startState,
  type OutputEffect,
  type OutputEvent,
  type OutputState
} from '../../../../main/job/outputs/machine.ts'
import { endsOff, walkAll } from '../../../world/device/outputWorld.ts'

const machine = { nextState, mayOnLeave, startState }

describe('An output, whatever happens around it', () => {
  const walk = walkAll(machine)

  it('is never on by us without an entry in the ledger, and no “on” leaves after something meant off, in no world that can be reached', () => {
    expect(walk.wrong).toBeUndefined()
    expect(walk.worlds).toBeGreaterThan(450)
    expect(walk.steps).toBeGreaterThan(5_500)
  })

  it('ends off and out of the ledger from everywhere, as soon as its device answers again', () => {
    const stuck = walk.all.find((world) => !endsOff(world, machine))
    expect(stuck).toBeUndefined()
  })
})

const off: OutputState = {
  phase: 'off',
  isInLedger: false,
  isOnSettled: true,
  isOnAnswered: false,
  isReadOn: undefined
}
const claimed: OutputState = { ...off, phase: 'claimed' }
const goingOn: OutputState = {
  phase: 'goingOn',
  isInLedger: true,
  isOnSettled: false,
  isOnAnswered: false,
  isReadOn: undefined
}
const answered: OutputState = { ...goingOn, isOnAnswered: true }
const on: OutputState = { ...answered, phase: 'on', isOnSettled: true }
const onOfOthers: OutputState = { ...goingOn, phase: 'on' }
const goingOff: OutputState = { ...goingOn, phase: 'goingOff' }
const goingOffAnswered: OutputState = { ...goingOff, isOnAnswered: true }
const readsOn: OutputState = { ...goingOff, isReadOn: true }
const readsOff: OutputState = { ...goingOff, isReadOn: false }
const settled: OutputState = { ...goingOff, isOnSettled: true }
const settledReadsOn: OutputState = { ...settled, isReadOn: true }
const settledReadsOff: OutputState = { ...settled, isReadOn: false }
const states = {
  off,
  claimed,
  goingOn,
  answered,
  on,
  onOfOthers,
  goingOff,
  goingOffAnswered,
  readsOn,
  readsOff,
  settled,
  settledReadsOn,
  settledReadsOff
}
type Name = keyof typeof states
type Step = [next: OutputState, ...effects: OutputEffect[]]

const names = Object.keys(states) as Name[]
const inAll = (
  step: (state: OutputState) => Step,
  which: (state: OutputState) => boolean = () => true
): Partial<Record<Name, Step>> =>
  Object.fromEntries(names.filter((name) => which(states[name])).map((name) => [name, step(states[name])]))
const refused = (state: OutputState): Step => [state, 'refuse']
const falls = (state: OutputState): Step => [{ ...state, phase: 'goingOff' }, 'takeBackOn', 'proveOff']
const isOn = ({ phase }: OutputState) => phase === 'goingOn' || phase === 'on'

/** Every event in every state: what it leads to. What is not written here changes nothing and asks for nothing. */
const steps: Record<OutputEvent, Partial<Record<Name, Step>>> = {
  claimed: { ...inAll(refused), off: [claimed] },
  released: { claimed: [off] },
  armed: { ...inAll(refused), claimed: [claimed, 'writeLedger'] },
  ledgerWritten: { claimed: [goingOn, 'sendOn'] },
  ledgerFailed: inAll(refused),
  onRefused: {
    goingOn: [settled, 'proveOff'],
    answered: [{ ...settled, isOnAnswered: true }, 'proveOff'],
    // It had to go off before it left.
    goingOff: [settled, 'proveOff'],
    readsOn: [settledReadsOn, 'proveOff'],
    readsOff: [settledReadsOff, 'proveOff']
  },
  onLost: {},
  onAnswered: inAll(
    (state) => [{ ...state, isOnAnswered: true }],
    ({ isInLedger }) => isInLedger
  ),
  onExpired: { goingOn: [goingOff], answered: [goingOffAnswered] },
  readOn: {
    goingOn: [onOfOthers],
    answered: [on],
    goingOff: [readsOn, 'proveOff'],
    goingOffAnswered: [{ ...goingOffAnswered, isReadOn: true, isOnSettled: true }, 'proveOff'],
    readsOn: [readsOn, 'proveOff'],
    readsOff: [readsOn, 'proveOff'],
    settled: [settledReadsOn, 'proveOff'],
    settledReadsOn: [settledReadsOn, 'proveOff'],
    settledReadsOff: [settledReadsOn, 'proveOff']
  },
  readOff: {
    on: falls(on),
    onOfOthers: falls(onOfOthers),
    goingOff: [readsOff],
    goingOffAnswered: [{ ...goingOffAnswered, isReadOn: false }],
    readsOn: [readsOff],
    settled: [settledReadsOff, 'clearLedger'],
    settledReadsOn: [settledReadsOff, 'clearLedger'],
    settledReadsOff: [settledReadsOff, 'clearLedger']
  },
  unread: { readsOn: [goingOff], readsOff: [goingOff], settledReadsOn: [settled], settledReadsOff: [settled] },
  mustGoOff: { claimed: [off, 'takeBackOn'], ...inAll(falls, isOn) },
  lateOnOver: {
    goingOff: [settled, 'proveOff'],
    goingOffAnswered: [{ ...goingOffAnswered, isOnSettled: true }, 'proveOff'],
    readsOn: [settledReadsOn, 'proveOff'],
    readsOff: [settledReadsOff, 'proveOff']
  },
  personSawOff: {
    ...inAll(refused),
    settled: [settled, 'clearLedger'],
    settledReadsOff: [settledReadsOff, 'clearLedger']
  },
  foundInLedger: inAll(() => [goingOff, 'proveOff']),
  ledgerCleared: inAll(
    (state) => [{ ...state, phase: 'off', isInLedger: false, isOnSettled: true, isReadOn: undefined }],
    ({ isInLedger }) => isInLedger
  )
}

describe('An output goes one step', () => {
  it('from where it is off, out of the ledger and with nothing under way', () => {
    expect(startState).toEqual(off)
  })

  it.each(outputEvents.flatMap((event) => names.map((name) => ({ event, name }))))(
    'with $event while it is $name',
    ({ event, name }) => {
      const [state, ...effects] = steps[event][name] ?? [states[name]]
      expect(nextState(states[name], event)).toEqual({ state, effects })
    }
  )

  it('and stays the same state where nothing changes', () => {
    expect(nextState(readsOn, 'readOn').state).toBe(readsOn)
    expect(nextState(on, 'released').state).toBe(on)
    expect(nextState(readsOff, 'readOn').state).not.toBe(readsOff)
  })

  it('“on” leaves only while nothing meant off, and a person may end an entry only where the table says so', () => {
    expect(names.filter((name) => mayOnLeave(states[name]))).toEqual(['goingOn', 'answered'])
    expect(names.filter((name) => mayConfirmOff(states[name]))).toEqual(
      names.filter((name) => nextState(states[name], 'personSawOff').effects.includes('clearLedger'))
    )
    expect(mayConfirmOff(on)).toBe(false)
  })
})
