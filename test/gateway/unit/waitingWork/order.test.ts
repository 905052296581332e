import { expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import type { EffectReading } from '../../../../main/gateway/waitingWork/kind.ts'
import { graceMs, makeWorld, runUntilRest } from '../../../world/gateway/operationWorld.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const never = new AbortController().signal

/** A world over the real table in a file. */
function makeStoredWorld(options: Parameters<typeof makeWorld>[0]) {
  const rows = openTestStore(tempFolder()).operations
  return { rows, world: makeWorld({ ...options, rows }) }
}

/** A write that is on its way until `answer` is called; it heeds its signal as a real request does. */
function heldWrite() {
  let answer: (() => void) | undefined
  const send = (_payload: unknown, signal: AbortSignal) =>
    new Promise<{ what: ReturnType<typeof plainMessage>; raw: null }>((resolve, reject) => {
      answer = () => resolve({ what: plainMessage('Accepted.'), raw: null })
      signal.addEventListener('abort', () => reject(signal.reason as Error))
    })
  return { send, isUnderWay: () => answer !== undefined, answer: () => answer?.() }
}

test.for([true, false])(
  'who stops waiting for a pass ends no write in flight, also of a kind that is never resent (resent: %s)',
  async (resendWhenAbsent) => {
    const write = heldWrite()
    const { world } = makeStoredWorld({ outcomes: [], kind: { send: write.send, resendWhenAbsent } })
    const operations = world.start()
    const id = world.add(operations, 'link')
    const step = new AbortController()
    const first = operations.pass(step.signal)
    await vi.waitFor(() => expect(write.isUnderWay()).toBe(true), 15_000)
    step.abort(new AppError('CANCELLED', plainMessage('The step was stopped.')))
    expect(await first).toMatchObject({ waiting: 1 })
    expect(world.state(id)).toBe('sending')
    write.answer()
    await operations.pass(never)
    expect(world.row(id)).toMatchObject({ state: 'done', attempts: 1 })
  }
)

test('an engine that stops lets writes in flight finish, and ends those that take too long as unknown, not as refused', async () => {
  const write = heldWrite()
  const { world } = makeStoredWorld({ outcomes: [], kind: { send: write.send } })
  const operations = world.start()
  const id = world.add(operations, 'link')
  void operations.pass(never)
  await vi.waitFor(() => expect(write.isUnderWay()).toBe(true), 15_000)
  const stopping = operations.stop()
  write.answer()
  await stopping
  expect(world.state(id)).toBe('done')

  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const slow = heldWrite()
  const { world: other } = makeStoredWorld({ outcomes: [], kind: { send: slow.send } })
  const late = other.start()
  const lost = other.add(late, 'link')
  void late.pass(never)
  await vi.waitFor(() => expect(slow.isUnderWay()).toBe(true), 15_000)
  const ended = late.stop()
  await vi.advanceTimersByTimeAsync(3_000)
  await ended
  expect(other.state(lost)).toBe('unknown')
})

test('a younger one never overtakes one of its key that needs a person, and goes once that is decided', async () => {
  const { world } = makeStoredWorld({ outcomes: ['404', 'ok', 'ok'] })
  const operations = world.start()
  const older = world.add(operations, 'older')
  const younger = world.add(operations, 'younger')
  const other = world.add(operations, 'other', 'vehicle:2')
  await operations.pass(never)
  await operations.pass(never)
  expect([world.state(older), world.state(younger), world.state(other)]).toEqual(['needsAttention', 'pending', 'done'])
  expect(world.row(younger).reason).toEqual({
    id: 'operations.waitsForDecision',
    values: { title: plainMessage('older') }
  })
  operations.drop(older, 'not wanted any more')
  await operations.pass(never)
  expect(world.state(younger)).toBe('done')
  expect(world.sends).toEqual(['older', 'other', 'younger'])
})

test('what was refused holds back nothing, and is not sent again once a younger one of its key was', async () => {
  const { world } = makeStoredWorld({ outcomes: ['400', 'ok'] })
  const operations = world.start()
  const older = world.add(operations, 'older')
  const younger = world.add(operations, 'younger')
  await operations.pass(never)
  expect([world.state(older), world.state(younger)]).toEqual(['failed', 'done'])
  expect(() => operations.retry(older, 'once more')).toThrow(/operations.retryWouldUndo/)
  expect(world.sends).toEqual(['older', 'younger'])
})

test('a draft whose name turns out to be a record that a younger one was sent for is not sent after it', async () => {
  let isAway = true
  const { world } = makeStoredWorld({
    outcomes: [],
    kind: {
      finalise(payload) {
        if (isAway) throw new AppError('UNREACHABLE', plainMessage('away'), { fate: 'away' })
        return Promise.resolve({
          kind: 'ready',
          payload: { name: payload.name },
          key: 'vehicle:1',
          title: plainMessage(payload.name)
        })
      }
    }
  })
  const operations = world.start()
  const draft = operations.add({
    kind: 'scripted',
    key: 'vehicle:Truck',
    title: plainMessage('draft'),
    payload: { name: 'draft' },
    jobId: null,
    draft: true
  }).id
  const younger = world.add(operations, 'younger')
  await operations.pass(never)
  expect([world.state(draft), world.state(younger)]).toEqual(['draft', 'done'])
  isAway = false
  world.advance(10_000)
  await operations.pass(never)
  expect(world.row(draft)).toMatchObject({ state: 'needsAttention', reason: { id: 'operations.overtaken' } })
  expect(world.sends).toEqual(['younger'])
})

test('where only the last value counts, a newer one takes the place of those that were never sent, and of no other', async () => {
  const { world } = makeStoredWorld({ outcomes: ['lost before', '400'], kind: { newerReplaces: true } })
  const operations = world.start()
  const onItsWay = world.add(operations, 'on its way')
  await operations.pass(never)
  const unsent = world.add(operations, 'unsent')
  const refused = world.add(operations, 'refused', 'vehicle:2')
  await operations.pass(never)
  const otherKey = world.add(operations, 'other key', 'vehicle:3')
  const newest = world.add(operations, 'newest')
  world.add(operations, 'newest of 2', 'vehicle:2')
  expect([onItsWay, unsent, refused, otherKey, newest].map((id) => world.state(id))).toEqual([
    'unknown',
    'superseded',
    'superseded',
    'pending',
    'pending'
  ])
  await runUntilRest(world, () => [onItsWay, newest])
  expect(world.sends.filter((name) => name === 'unsent')).toEqual([])
  expect(world.effects.map(({ operation }) => operation)).toContain('newest')
})

test('what waits for somebody at the gateway is looked for by itself, and is done when it is there', async () => {
  let isThere = false
  let looks = 0
  const { world } = makeStoredWorld({
    outcomes: [],
    kind: {
      lookAgainMs: 300_000,
      finalise: () => Promise.resolve({ kind: 'stuck', reason: plainMessage('For the back office.') }),
      look() {
        looks += 1
        return Promise.resolve<EffectReading>({
          seen: isThere ? 'found' : 'absent',
          what: plainMessage('It is there.'),
          raw: null
        })
      }
    }
  })
  const operations = world.start()
  const { id } = operations.add({
    kind: 'scripted',
    key: 'note:1',
    title: plainMessage('note'),
    payload: { name: 'note' },
    jobId: null,
    draft: true
  })
  for (let minute = 0; minute < 10; minute++) {
    await operations.pass(never)
    world.advance(60_000)
  }
  expect([world.state(id), operations.hasWork()]).toEqual(['needsAttention', true])
  expect(looks).toBe(2)
  isThere = true
  world.advance(300_000)
  await operations.pass(never)
  expect(world.row(id)).toMatchObject({ state: 'done', attempts: 0, reason: plainMessage('It is there.') })
  expect(world.sends).toEqual([])
})

test('at rest after the grace time: nothing of a key was sent while an older one was unsettled', async () => {
  const { world } = makeStoredWorld({ outcomes: ['500 before', 'applied late'] })
  const operations = world.start()
  const ids = ['first', 'second', 'third'].map((name) => world.add(operations, name))
  await runUntilRest(world, () => ids)
  expect(
    world.sends.toSorted((a, b) => ['first', 'second', 'third'].indexOf(a) - ['first', 'second', 'third'].indexOf(b))
  ).toEqual(world.sends)
  expect(world.nowMs()).toBeGreaterThan(graceMs)
})
