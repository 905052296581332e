import { expect, onTestFinished, test, vi } from 'vitest'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { cacheLagMs, graceMs, makeWorld, runUntilRest } from '../../../world/gateway/operationWorld.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'
import { makeStoredWorld, never } from '../../../world/data/storedWorld.ts'

test('after a 429 nothing is sent before the reset, and neither it nor a missing network uses up the attempts', async () => {
  const { world } = makeStoredWorld({
    outcomes: ['429', '429', '429', '429', 'no connection', 'no connection', 'no connection', 'no connection', 'ok']
  })
  const operations = world.start()
  const id = world.add(operations, 'link')
  const sentAtMs: number[] = []
  for (let step = 0; step < 400 && world.state(id) !== 'done'; step++) {
    await operations.pass(never)
    if (world.sends.length > sentAtMs.length) sentAtMs.push(world.nowMs())
    world.advance(1_000)
  }
  expect(world.state(id)).toBe('done')
  expect(sentAtMs.slice(1, 4).map((atMs, index) => atMs - (sentAtMs[index] ?? 0))).toEqual([30_000, 30_000, 30_000])
  expect(world.effects).toHaveLength(1)
})

test('when the attempts are used up a person decides, and "send again" sends again, also after a restart', async () => {
  const { world } = makeStoredWorld({ outcomes: ['lost before', 'lost before', 'lost before', 'ok'] })
  const id = world.add(world.start(), 'link')
  await runUntilRest(world, () => [id])
  expect(world.row(id)).toMatchObject({
    state: 'needsAttention',
    reason: { id: 'operations.spent', values: { times: 3 } }
  })
  world.start().retry(id, 'the gateway works again')
  await world.start().pass(never)
  expect(world.row(id)).toMatchObject({ state: 'done', attempts: 4 })
  expect(world.effects).toHaveLength(1)
})

test('"send again" looks first: what arrived meanwhile is not sent twice', async () => {
  const { world } = makeStoredWorld({ outcomes: ['lost before', 'lost before', 'lost before'] })
  const id = world.add(world.start(), 'link')
  await runUntilRest(world, () => [id])
  world.effects.push({ operation: 'link', atMs: world.nowMs() })
  const operations = world.start()
  operations.retry(id, 'try once more')
  await operations.pass(never)
  expect(world.state(id)).toBe('done')
  expect(world.sends).toHaveLength(3)
})

test('work that is dropped while the gateway is asked what is there is not sent', async () => {
  let asked: (() => void) | undefined
  const { world } = makeStoredWorld({
    outcomes: [],
    kind: { baseline: () => new Promise((resolve) => (asked = () => resolve(null))) }
  })
  const operations = world.start()
  const id = world.add(operations, 'link')
  const pass = operations.pass(never)
  await vi.waitFor(() => expect(asked).toBeDefined(), 15_000)
  operations.drop(id, 'not wanted any more')
  asked?.()
  await pass
  expect(world.state(id)).toBe('cancelled')
  expect(world.sends).toEqual([])
  expect(world.row(id).evidence).toMatchObject([
    { what: { id: 'operations.personDecided', values: { reason: 'not wanted any more' } } }
  ])
})

test('decisions are refused where they make no sense, with the state in the sentence', async () => {
  const { world } = makeStoredWorld({ outcomes: [] })
  const operations = world.start()
  const id = world.add(operations, 'link')
  expect(() => operations.close(id, 'it is there')).toThrow(/operations.notNow.*pending/)
  expect(() => operations.retry(id, 'again')).toThrow(/operations.notNow.*pending/)
  await operations.pass(never)
  expect(() => operations.drop(id, 'not wanted')).toThrow(/operations.notNow.*done/)
  expect(() => operations.drop('unknown', 'not wanted')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
})

test('a read that is refused for good asks for a person instead of asking for ever', async () => {
  const refusal = new AppError('NOT_FOUND', plainMessage('The gateway answers: not found or not permitted.'), {
    status: 404
  })
  const { world } = makeStoredWorld({ outcomes: ['lost before'], kind: { baseline: () => Promise.reject(refusal) } })
  const operations = world.start()
  const id = world.add(operations, 'link')
  await operations.pass(never)
  expect(world.row(id)).toMatchObject({ state: 'needsAttention', reason: refusal.sentence })

  const unreadable = makeStoredWorld({ outcomes: ['lost before'], kind: { look: () => Promise.reject(refusal) } }).world
  const lost = unreadable.add(unreadable.start(), 'link')
  await runUntilRest(unreadable, () => [lost])
  expect(unreadable.row(lost)).toMatchObject({ state: 'needsAttention', reason: { id: 'operations.cannotBeReadBack' } })
  expect(unreadable.nowMs()).toBeGreaterThanOrEqual(graceMs)
})

test('a gateway out of reach costs nothing but patience: everything waits, and goes through when it is back', async () => {
  const { world } = makeStoredWorld({ outcomes: ['lost before'] })
  const operations = world.start()
  const ids = ['a', 'b', 'c'].map((name) => world.add(operations, name, name))
  world.isOnline = false
  for (let step = 0; step < 12; step++) {
    await operations.pass(never)
    world.advance(100_000)
  }
  expect(operations.counts()).toEqual({ done: 0, waiting: 3, needsAttention: 0, failed: 0 })
  world.isOnline = true
  await runUntilRest(world, () => ids)
  expect(operations.counts()).toEqual({ done: 3, waiting: 0, needsAttention: 0, failed: 0 })
  expect(world.effects).toHaveLength(3)
})

test('"settle" ends by itself when the gateway stays out of reach', async () => {
  const { world } = makeStoredWorld({ outcomes: [] })
  const operations = world.start()
  world.add(operations, 'link')
  world.isOnline = false
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const settled = operations.settle(never)
  for (let passed = 0; passed < 60_000; passed += 5_000) {
    world.advance(5_000)
    await vi.advanceTimersByTimeAsync(5_000)
  }
  expect(await settled).toEqual({ done: 0, waiting: 1, needsAttention: 0, failed: 0 })
})

test('a full disk stops the pass with its sentence; what was on its way is read back later, not sent again', async () => {
  const real = openTestStore(tempFolder()).operations
  let isFull = false
  const rows = {
    ...real,
    change: (...args: Parameters<typeof real.change>) => (isFull ? fail() : real.change(...args))
  }
  function fail(): never {
    throw new AppError('DATA_UNUSABLE', plainMessage('The disk with the data folder is full.'))
  }
  const world = makeWorld({ outcomes: ['ok'], rows })
  const operations = world.start()
  const id = world.add(operations, 'link')
  const whenSent = world.effects.push.bind(world.effects)
  world.effects.push = (...effects) => {
    isFull = true
    return whenSent(...effects)
  }
  await expect(operations.pass(never)).rejects.toThrow('The disk with the data folder is full.')
  expect(world.state(id)).toBe('sending')
  isFull = false
  await operations.pass(never)
  expect(world.state(id)).toBe('done')
  expect(world.sends).toHaveLength(1)
})

test('a fault in the code is told as one, and what it was doing counts as unknown', async () => {
  const { world } = makeStoredWorld({ outcomes: [], kind: { send: () => Promise.reject(new TypeError('a bug')) } })
  const operations = world.start()
  const broken = world.add(operations, 'broken')
  await expect(operations.pass(never)).rejects.toMatchObject({ code: 'INTERNAL' })
  expect(world.state(broken)).toBe('unknown')
})

test('work of a kind that this version does not know, or that cannot be read any more, asks for a person', async () => {
  const { world } = makeStoredWorld({ outcomes: [] })
  const operations = world.start()
  const strange = operations.add({
    kind: 'later.thing',
    key: 'a',
    title: plainMessage(''),
    payload: {},
    jobId: null,
    draft: false
  }).id
  const spoiled = operations.add({
    kind: 'scripted',
    key: 'b',
    title: plainMessage(''),
    payload: { nom: 1 },
    jobId: null,
    draft: false
  }).id
  await operations.pass(never)
  expect(world.row(strange).reason).toEqual({ id: 'operations.unknownKind', values: { kind: 'later.thing' } })
  expect(world.row(spoiled).reason.id).toBe('operations.unreadablePayload')
})

test('"settle" goes on with what came free while its pass was at something else', async () => {
  const { world } = makeStoredWorld({
    outcomes: [],
    kind: {
      send() {
        if (!world.isOnline)
          return Promise.reject(new AppError('RATE_LIMITED', plainMessage('Too much.'), { fate: 'notSent' }))
        world.advance(60_000)
        return Promise.resolve({ what: plainMessage('Accepted.'), raw: null })
      }
    }
  })
  const operations = world.start()
  const held = world.add(operations, 'held', 'held')
  world.isOnline = false
  await operations.pass(never)
  expect(operations.nextMoveInMs()).toBeGreaterThan(0)
  world.isOnline = true
  const slow = world.add(operations, 'slow', 'slow')
  await operations.settle(never)
  expect([world.state(slow), world.state(held)]).toEqual(['done', 'done'])
})

test('"settle" sends what was handed over and is found to be absent, and does not end before', async () => {
  const { rows, world } = makeStoredWorld({ outcomes: ['ok'] })
  const id = world.add(world.start(), 'link')
  rows.change(id, {
    state: 'unknown',
    reason: plainMessage(''),
    at: '',
    claim: { sinceMs: 0, waitMs: 60_000, whenAbsent: 'send', isReadBack: false }
  })
  const operations = world.start()
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const settled = operations.settle(never)
  for (let passed = 0; passed < graceMs + 60_000 + 2 * cacheLagMs + 60_000; passed += 1_000) {
    world.advance(1_000)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(await settled).toEqual({ done: 1, waiting: 0, needsAttention: 0, failed: 0 })
  expect(world.sends).toHaveLength(1)
})

test('what the limit keeps from being sent for the first time goes before what failed', async () => {
  const calls: string[] = []
  let left = 0
  const limited = () =>
    new AppError('RATE_LIMITED', plainMessage('Too much.'), {
      fate: 'notSent',
      retryAtMs: 60_000 * (1 + Math.floor(world.nowMs() / 60_000))
    })
  const call = (what: string) => {
    if (left-- <= 0) throw limited()
    calls.push(what)
  }
  const { world } = makeStoredWorld({
    outcomes: [],
    kind: {
      send({ name }) {
        call(`send ${name}`)
        return name.startsWith('ill')
          ? Promise.reject(new AppError('SERVER_ERROR', plainMessage('No.'), { status: 500 }))
          : Promise.resolve({ what: plainMessage('Accepted.'), raw: null })
      },
      look({ name }) {
        call(`look ${name}`)
        return Promise.resolve({ seen: 'absent', what: plainMessage('Not there.'), raw: null })
      }
    }
  })
  const operations = world.start()
  for (const name of ['ill 1', 'ill 2', ...Array.from({ length: 20 }, (_, n) => `well ${n}`)])
    world.add(operations, name, name)
  for (let minute = 0; minute < 3; minute++) {
    left = 10
    for (let second = 0; second < 60; second += 5) {
      await operations.pass(never)
      world.advance(5_000)
    }
  }
  // Each may be looked for once at first: after that the minutes belong to what never left.
  const lastFirst = calls.findLastIndex((what) => what.startsWith('send well'))
  expect(calls.slice(0, lastFirst).filter((what) => what.startsWith('look')).length).toBeLessThanOrEqual(2)
  expect(calls.filter((what) => what.startsWith('send well'))).toHaveLength(20)
  expect(calls.slice(lastFirst).some((what) => what.startsWith('look'))).toBe(true)
})
