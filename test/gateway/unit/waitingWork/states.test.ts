import { describe, expect, it } from 'vitest'
import { createPatience } from '../../../../main/gateway/waitingWork/patience.ts'
import {
  countsOf,
  hasEnded,
  isAtRest,
  lineOf,
  movesByItself
} from '../../../../main/gateway/waitingWork/transitions.ts'
import type { StoredOperation } from '../../../../main/data/store/work/operations.ts'
import type { OperationState } from '../../../../preload/contract/gateway/operations.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'

const table: [OperationState, { ended: boolean; moves: boolean; count: string | null }][] = [
  ['unknown', { ended: false, moves: true, count: 'waiting' }],
  ['accepted', { ended: false, moves: true, count: 'waiting' }],
  ['blocked', { ended: false, moves: true, count: 'waiting' }],
  ['draft', { ended: false, moves: true, count: 'waiting' }],
  ['pending', { ended: false, moves: true, count: 'waiting' }],
  ['sending', { ended: false, moves: true, count: 'waiting' }],
  ['verifying', { ended: false, moves: true, count: 'waiting' }],
  ['failed', { ended: false, moves: false, count: 'failed' }],
  ['needsAttention', { ended: false, moves: false, count: 'needsAttention' }],
  ['done', { ended: true, moves: false, count: 'done' }],
  ['cancelled', { ended: true, moves: false, count: null }],
  ['expired', { ended: true, moves: false, count: null }],
  ['superseded', { ended: true, moves: false, count: null }],
  ['moved', { ended: true, moves: false, count: null }]
]

describe('The state of an operation', () => {
  it.each(table)('%s', (state, { ended, moves, count }) => {
    expect({ ended: hasEnded(state), moves: movesByItself(state), rests: isAtRest(state) }).toEqual({
      ended,
      moves,
      rests: !moves
    })
    expect(countsOf({ [state]: 3 })).toEqual({
      done: 0,
      waiting: 0,
      needsAttention: 0,
      failed: 0,
      ...(count && { [count]: 3 })
    })
  })

  it('is counted over all of them', () => {
    expect(countsOf({ pending: 2, blocked: 3, done: 4, failed: 5, needsAttention: 6, cancelled: 7 })).toEqual({
      done: 4,
      waiting: 5,
      needsAttention: 6,
      failed: 5
    })
    expect(countsOf({})).toEqual({ done: 0, waiting: 0, needsAttention: 0, failed: 0 })
  })

  it('stands in a list with all but what was sent and seen', () => {
    const line = {
      id: 'a',
      sequence: 1,
      kind: 'k',
      key: 'x',
      state: 'pending' as const,
      attempts: 2,
      createdAt: '1',
      updatedAt: '2',
      reason: plainMessage('r'),
      jobId: null,
      title: plainMessage('t')
    }
    const shown = lineOf({ ...line, payload: { secret: 1 }, evidence: [{}, {}] } as unknown as StoredOperation)
    expect(shown).toMatchObject({ ...line, evidenceCount: 2 })
    expect(Object.keys(shown)).not.toEqual(expect.arrayContaining(['payload']))
    expect(Object.keys(shown)).not.toEqual(expect.arrayContaining(['evidence']))
  })
})

describe('How long an operation waits', () => {
  let nowMs = 0
  const patience = () => ((nowMs = 1_000), createPatience(() => nowMs, 30_000))

  it('is not at all in the beginning', () => {
    const waits = patience()
    expect(waits.of('a')).toEqual({
      graceOverMs: 0,
      firstAbsentMs: null,
      holdUntilMs: 0,
      holdCause: 'look',
      timesAway: 0,
      timesWaited: 0,
      baselineAtMs: null
    })
    expect(waits.isHeld('a')).toBe(false)
    expect(waits.isHeld('never seen')).toBe(false)
  })

  it('is remembered for each of its own', () => {
    const waits = patience()
    waits.of('a').timesAway = 3
    expect(waits.of('a').timesAway).toBe(3)
    expect(waits.of('b').timesAway).toBe(0)
    waits.forget('a')
    expect(waits.of('a').timesAway).toBe(0)
  })

  it('is the grace time from now on, with all else forgotten', () => {
    const waits = patience()
    waits.of('a').timesAway = 3
    waits.hold('a', 500, 'away')
    waits.beginGrace('a')
    expect(waits.of('a')).toEqual({
      graceOverMs: 31_000,
      firstAbsentMs: null,
      holdUntilMs: 0,
      holdCause: 'look',
      timesAway: 0,
      timesWaited: 0,
      baselineAtMs: null
    })
  })

  it.each([
    [500, 500],
    [0, 0],
    [-500, 0],
    [3_600_000, 3_600_000],
    [3_600_001, 3_600_000]
  ])('%d ms are held for %d ms', (ms, heldMs) => {
    const waits = patience()
    waits.hold('a', ms, 'away')
    expect(waits.of('a').holdUntilMs).toBe(1_000 + heldMs)
    nowMs = 1_000 + heldMs - 1
    expect(waits.isHeld('a')).toBe(true)
    nowMs = 1_000 + heldMs
    expect(waits.isHeld('a')).toBe(false)
  })

  it.each([
    ['away', true],
    ['signIn', true],
    ['look', true],
    ['limit', false],
    ['cache', false]
  ] as const)('a wish to try now ends a hold for %s: %s', (cause, ends) => {
    const waits = patience()
    waits.beginGrace('a')
    waits.hold('a', 500, cause)
    expect(waits.holdOf('a')).toEqual({ inMs: 500, cause })
    expect(waits.tryNow('a')).toBe(ends)
    expect(waits.isHeld('a')).toBe(!ends)
    // The grace time is no hold, and no wish shortens it.
    expect(waits.graceOf('a')).toBe(30_000)
  })
})
