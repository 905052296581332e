import { expect, test } from 'vitest'
import { AppError, type Fate } from '../../../../preload/contract/errors.ts'
import { message as aMessage, plainMessage } from '../../../../preload/contract/messages.ts'
import { titleOfLive } from '../../../../main/gateway/waitingWork/liveKinds.ts'
import { createOperations } from '../../../../main/gateway/waitingWork/engine.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const never = new AbortController().signal
const said = plainMessage('said')

function openEngine(folder = tempFolder()) {
  const store = openTestStore(folder)
  const start = () =>
    createOperations({
      rows: store.operations,
      kinds: [],
      clockDifferenceMs: () => 1_500,
      sentBy: () => 'Ana',
      changed: () => undefined
    })
  return { store, start, operations: start() }
}

function message(send: () => Promise<string>, isProof = false) {
  return {
    kind: 'navUnit.message' as const,
    key: 'navUnit:7',
    payload: { text: 'Come back' },
    jobId: null,
    imei: '356938035643809',
    send,
    read: (answer: string) => ({ what: plainMessage(answer), raw: answer, isProof })
  }
}

test('live work is written down with its attempt before the first byte leaves, under the device and the person', async () => {
  const { store, operations } = openEngine()
  let before: unknown
  const result = await operations.sendNow(
    message(() => {
      before = store.operations
        .list()
        .map(({ id, state, isLive }) => ({ state, isLive, attempts: store.operations.attempts(id) }))
      return Promise.resolve('taken')
    })
  )
  expect(before).toEqual([
    {
      state: 'sending',
      isLive: true,
      attempts: [
        {
          number: 1,
          requestHash: expect.stringMatching(/^[0-9a-f]{64}$/),
          startedAt: expect.any(String),
          serverTimeMs: expect.any(Number),
          outcome: null,
          by: 'Ana'
        }
      ]
    }
  ])
  expect(result).toMatchObject({ kind: 'answered', answer: 'taken' })
  expect(operations.get(result.id)).toMatchObject({
    state: 'accepted',
    reason: plainMessage('taken'),
    title: { id: 'navUnit.message', values: { text: 'Come back' } }
  })
  const sent = store.deviceWrites.list({ imei: '356938035643809', operations: [], limit: 5 })
  expect(sent).toMatchObject([
    { operation: 'navUnit.message', input: { text: 'Come back' }, by: 'Ana', outcome: 'done' }
  ])
  operations.endLive(result.id, { state: 'done', reason: plainMessage('seen'), raw: { seen: true } })
  expect(operations.get(result.id)).toMatchObject({ state: 'done', reason: plainMessage('seen') })
})

test.for<[Fate, string]>([
  ['unknown', 'unknown'],
  ['refused', 'cancelled'],
  ['notSent', 'cancelled'],
  ['away', 'cancelled']
])('a failure "%s" leaves it %s, and no pass ever sends it again', async ([fate, state]) => {
  const { operations } = openEngine()
  let sends = 0
  const work = message(() => {
    sends += 1
    return Promise.reject(new AppError('SERVER_ERROR', said, { fate }))
  })
  if (fate === 'unknown')
    expect(await operations.sendNow(work)).toMatchObject({ kind: 'unknown', error: { code: 'SERVER_ERROR' } })
  else await expect(operations.sendNow(work)).rejects.toMatchObject({ code: 'SERVER_ERROR' })
  const [row] = operations.list()
  expect(row?.state).toBe(state)
  await operations.pass(never)
  expect(sends).toBe(1)
  expect(operations.list()[0]?.state).toBe(state)
})

test('a process that dies before the end was seen leaves it expired: it is said so and never sent', async () => {
  const { start, operations } = openEngine()
  void operations.sendNow(message(() => new Promise(() => undefined)))
  const taken = await operations.sendNow(message(() => Promise.resolve('taken')))
  const next = start()
  expect(next.list().map(({ state, reason }) => [state, reason.id])).toEqual([
    ['expired', 'operations.liveLost'],
    ['expired', 'operations.liveNotSeen']
  ])
  next.endLive(taken.id, { state: 'done', reason: said, raw: null })
  expect(next.get(taken.id)?.state).toBe('expired')
  expect(await next.pass(never)).toEqual({ done: 0, waiting: 0, needsAttention: 0, failed: 0 })
})

test.for([
  ['photocam.capture', { vehicleId: 7 }, aMessage('photos.photo')],
  ['navUnit.mode', { vehicleId: 7, on: false }, aMessage('navUnit.mode', { state: 'off' })],
  ['navUnit.job', { text: 'Gate 3', latitude: 1, longitude: 2 }, aMessage('navUnit.job', { text: 'Gate 3' })],
  [
    'vehicles.assignDevice',
    { id: 7, device: '356938035643809', vehicle: 'Unit 7' },
    aMessage('vehicles.assignDevice', { imei: '356938035643809', vehicle: 'Unit 7' })
  ],
  ['vehicles.assignDevice', { id: 7, device: '356938035643809' }, undefined],
  ['navUnit.mode', { on: 'yes' }, undefined],
  ['navUnit.message', null, undefined],
  ['constructor', {}, undefined]
] as const)('the title of %s is made from its content', ([kind, payload, title]) => {
  expect(titleOfLive(kind, payload)).toEqual(title)
})
