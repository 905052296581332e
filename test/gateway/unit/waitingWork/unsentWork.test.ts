import { expect, test } from 'vitest'
import { z } from 'zod'
import { createOperations } from '../../../../main/gateway/waitingWork/engine.ts'
import { arrivalOf, isNeverSent } from '../../../../main/gateway/waitingWork/handover/handedOver.ts'
import type { EffectReading, OperationKind } from '../../../../main/gateway/waitingWork/kind.ts'
import { claimOf } from '../../../../main/data/store/work/claims.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const never = new AbortController().signal
const given = {
  state: 'pending',
  reason: plainMessage(''),
  isLive: false,
  claim: null,
  createdAt: '2026-03-01T10:00:00.000Z',
  attempts: []
} as Parameters<typeof arrivalOf>[0]
const arrival = { from: 'Technician One', givenAtMs: 0, arrivedAtMs: 0, waitMs: 0, isSaidUnsent: true }
const attempt = (outcome: string | null) => ({
  number: 1,
  requestHash: null,
  startedAt: '',
  serverTimeMs: null,
  outcome,
  by: '',
  imei: null
})

/** Work that came unsent, passed until its grace time is over and both looks are made; what each look sees. */
async function passed(
  seen: EffectReading['seen'],
  more: Partial<OperationKind> = {},
  came = arrivalOf(given, arrival)
) {
  let nowMs = Date.parse('2026-03-01T11:00:00.000Z')
  let sent = 0
  const rows = openTestStore(tempFolder()).operations
  const kind: OperationKind = {
    kind: 'scripted',
    payload: z.object({}),
    title: () => plainMessage('work'),
    resendWhenAbsent: true,
    maxAttempts: 3,
    send: () => Promise.resolve({ what: plainMessage('accepted'), raw: (sent += 1) }),
    look: () => Promise.resolve({ seen, what: plainMessage(seen), raw: null }),
    ...more
  }
  const operations = createOperations({
    rows,
    kinds: [kind],
    clockDifferenceMs: () => 0,
    monotonicMs: () => nowMs,
    now: () => new Date(nowMs),
    changed: () => undefined
  })
  const { id } = operations.add({
    kind: 'scripted',
    key: 'one',
    title: plainMessage('work'),
    payload: {},
    jobId: null,
    draft: false
  })
  rows.change(id, {
    state: came.state,
    reason: came.reason,
    at: given.createdAt,
    claim: came.claim ?? undefined
  } as never)
  operations.moved([id])
  await operations.pass(never)
  const within = operations.get(id)?.state
  for (let pass = 0; pass < 4; pass += 1) {
    nowMs += 130_000
    await operations.pass(never)
  }
  return { within, state: operations.get(id)?.state, sent }
}

test.for([
  ['found', 'done', 0],
  ['absent', 'done', 1],
  ['unreadable', 'done', 1],
  ['conflict', 'needsAttention', 0]
] as const)(
  'what its giver never sent, and what a look sees as %s, is %s after the grace time',
  async ([seen, state, sent]) => {
    for (const more of [{}, { tellsOwnAlone: true }, { resendWhenAbsent: false }])
      expect(await passed(seen, more)).toMatchObject({ state, sent })
  }
)

test('a report that is to come is waited for only where it could show that somebody else sent it', async () => {
  expect(await passed('waiting')).toMatchObject({ state: 'unknown', sent: 0 })
  expect(await passed('waiting', { tellsOwnAlone: true })).toEqual({ within: 'unknown', state: 'done', sent: 1 })
})

test('without the word of its giver a person decides', async () => {
  const asked = arrivalOf(given, { ...arrival, isSaidUnsent: false })
  expect(await passed('waiting', { tellsOwnAlone: true }, asked)).toMatchObject({ state: 'needsAttention', sent: 0 })
  expect(await passed('unreadable', {}, asked)).toMatchObject({ state: 'needsAttention', sent: 0 })
})

test('the word counts only of work that may not have arrived, that nobody had before, and that its giver still had', () => {
  expect(isNeverSent(given)).toBe(true)
  expect(isNeverSent({ ...given, attempts: [attempt('not applied: RATE_LIMITED 429')] })).toBe(true)
  const claim = { sinceMs: 0, waitMs: 0, whenAbsent: 'send' as const, isReadBack: true }
  for (const other of [
    { attempts: [attempt(null)] },
    { attempts: [attempt('unknown: TIMEOUT')] },
    { attempts: [attempt('answered')] },
    { claim },
    { isLive: true },
    { state: 'done' as const },
    { state: 'moved' as const }
  ]) {
    expect(isNeverSent({ ...given, ...other })).toBe(false)
    expect(arrivalOf({ ...given, ...other }, arrival).claim?.isUnsent).toBeUndefined()
  }
  expect(arrivalOf(given, { ...arrival, isFromLost: true }).claim?.isUnsent).toBeUndefined()
  expect(arrivalOf(given, arrival).claim?.isUnsent).toBe(true)
})

test('the word survives a restart, and nothing else counts as one', () => {
  expect(claimOf(JSON.stringify(arrivalOf(given, arrival).claim)).isUnsent).toBe(true)
  for (const text of ['{}', 'null', '{"isUnsent":"yes"}', '{"isUnsent":1}', 'x'])
    expect(claimOf(text).isUnsent).toBeUndefined()
})
