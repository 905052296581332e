import { expect, onTestFinished, test } from 'vitest'
import { createMoves } from '../../../../main/gateway/waitingWork/moves.ts'
import { assertMove, mayFollow, hasEnded } from '../../../../main/gateway/waitingWork/transitions.ts'
import { openStore } from '../../../../main/data/store/index.ts'
import { operationState, type OperationState } from '../../../../preload/contract/gateway/operations.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const states = operationState.options

test('every state is in the table, every state can be reached, and from every open one a person or time leads to an end', () => {
  expect(Object.keys(mayFollow).sort()).toEqual([...states].sort())
  const reach = (from: readonly OperationState[]): Set<OperationState> => {
    const seen = new Set(from)
    for (const state of seen) for (const next of mayFollow[state]) seen.add(next)
    return seen
  }
  expect([...reach(['draft', 'blocked', 'pending'])].sort()).toEqual([...states].sort())
  for (const state of states.filter((one) => !hasEnded(one)))
    expect([...reach([state])].some(hasEnded), state).toBe(true)
})

test('what has ended stays as it is, but for a handover that is taken back', () => {
  const leaving = states.filter((state) => hasEnded(state) && mayFollow[state].some((next) => next !== state))
  expect(leaving).toEqual(['moved'])
})

test('only what is pending is ever sent, and what is on its way is never handed over', () => {
  expect(states.filter((state) => mayFollow[state].includes('sending'))).toEqual(['pending'])
  expect(mayFollow.sending).not.toContain('moved')
  // Rule 2: what was sent is pending again only when it was refused or proven absent.
  expect(states.filter((state) => mayFollow[state].includes('pending')).sort()).toEqual([
    'blocked',
    'draft',
    'failed',
    'needsAttention',
    'pending',
    'sending',
    'verifying'
  ])
})

test('done needs evidence', () => {
  expect(() => assertMove('x', 'unknown', 'done', { hasEvidence: false })).toThrow('cannot be done without evidence')
  expect(() => assertMove('x', 'unknown', 'done', { hasEvidence: true })).not.toThrow()
})

/** One operation in the real table, led into a state by moves that are allowed. */
function operationIn(state: OperationState) {
  const store = openStore(tempFolder())
  onTestFinished(() => store.close())
  const rows = store.operations
  const moves = createMoves({ rows, kinds: new Map(), now: () => new Date(0), changed: () => undefined })
  rows.add({
    id: 'a',
    kind: 'k',
    key: 'k',
    state: 'pending',
    jobId: null,
    title: plainMessage('t'),
    payload: null,
    reason: plainMessage('r'),
    createdAt: '',
    isLive: false,
    needs: []
  })
  for (const next of pathTo(state)) {
    if (next === 'sending')
      moves.beginAttempt(
        'a',
        { number: 1, requestHash: '', startedAt: '', serverTimeMs: null, by: '', imei: null },
        plainMessage('sent')
      )
    else moves.move('a', next, plainMessage('so it is'), { evidence: { what: plainMessage('seen'), raw: null } })
  }
  return { rows, moves }
}

/** The states between pending and this one. */
function pathTo(state: OperationState): OperationState[] {
  const ways: OperationState[][] = [['pending']]
  for (const way of ways) {
    const last = way.at(-1) as OperationState
    if (last === state) return way.slice(1)
    if (way.length < 7) for (const next of mayFollow[last]) if (!way.includes(next)) ways.push([...way, next])
  }
  throw new Error(`Nothing leads to ${state}`)
}

test.for(states)('a move from %s that is not in the table throws, and nothing is written', (from) => {
  const { rows, moves } = operationIn(from)
  const before = rows.get('a')
  expect(before?.state).toBe(from)
  for (const to of states.filter((one) => !mayFollow[from].includes(one))) {
    const move = () =>
      to === 'sending'
        ? moves.beginAttempt(
            'a',
            { number: 9, requestHash: '', startedAt: '', serverTimeMs: null, by: '', imei: null },
            plainMessage('x')
          )
        : moves.move('a', to, plainMessage('x'), { evidence: { what: plainMessage('x'), raw: null } })
    expect(move, `${from} to ${to}`).toThrow(`is ${from} and cannot become ${to}`)
  }
  expect(rows.get('a')).toEqual(before)
  expect(rows.attempts('a')).toHaveLength(pathTo(from).filter((one) => one === 'sending').length)
})

test('a move that is not allowed takes back all that was to be written with it', () => {
  const { rows, moves } = operationIn('pending')
  const before = rows.get('a')
  expect(() =>
    moves.inOne(() => {
      moves.move('a', 'cancelled', plainMessage('first'))
      moves.move('a', 'pending', plainMessage('then'))
    })
  ).toThrow('is cancelled and cannot become pending')
  expect(rows.get('a')).toEqual(before)
})
