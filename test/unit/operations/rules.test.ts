import { expect, onTestFinished, test, vi } from 'vitest'
import { plainMessage } from '../../../preload/contract/messages.ts'
import { english } from '../../support/english.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import type { EffectReading } from '../../../main/operations/kind.ts'
import { cacheLagMs, graceMs, makeWorld, runUntilRest } from '../../support/operationWorld.ts'
import { openTestStore } from '../../support/storedJobs.ts'
import { tempFolder } from '../../support/tempFolder.ts'

const never = new AbortController().signal

/** A world over the real table in a file. */
function makeStoredWorld(options: Parameters<typeof makeWorld>[0]) {
  const rows = openTestStore(tempFolder()).operations
  return { rows, world: makeWorld({ ...options, rows }) }
}

test('the intent is on the disk, with attempt, request hash and server time, before the first byte leaves', async () => {
  const seen: unknown[] = []
  const { rows, world } = makeStoredWorld({
    outcomes: [],
    kind: {
      send() {
        seen.push(rows.list().map(({ state, attempts }) => ({ state, attempts })), rows.attempts(id))
        return Promise.resolve({ what: plainMessage('Accepted.'), raw: null })
      }
    }
  })
  const operations = world.start()
  const id = world.add(operations, 'link')
  await operations.pass(never)
  expect(seen).toEqual([
    [{ state: 'sending', attempts: 1 }],
    [{ number: 1, requestHash: expect.stringMatching(/^[0-9a-f]{64}$/), startedAt: '1970-01-01T00:00:00.000Z', serverTimeMs: 0, outcome: null, by: '' }]
  ])
  expect(world.state(id)).toBe('done')
  expect(rows.attempts(id)[0]?.outcome).toBe('answered')
})

test.for(['sending', 'verifying'] as const)('a restart that finds work %s reads back and never sends first', async (state) => {
  const { rows, world } = makeStoredWorld({ outcomes: [] })
  const id = world.add(world.start(), 'link')
  rows.beginAttempt(id, { number: 1, requestHash: '', startedAt: new Date(0).toISOString(), serverTimeMs: 0, by: '', imei: null }, plainMessage(''))
  rows.change(id, { state, reason: plainMessage(''), at: '' })
  const operations = world.start()
  expect(world.state(id)).toBe('unknown')
  await operations.pass(never)
  expect(world.sends).toEqual([])
  expect(world.row(id).reason.id).toBe('operations.notThereYet')
})

test('nobody is told of anything before the engine is there to be asked', () => {
  const told: string[] = []
  const { rows, world } = makeStoredWorld({ outcomes: [], changed: (state) => told.push(state) })
  const id = world.add(world.start(), 'link')
  rows.change(id, { state: 'sending', reason: plainMessage(''), at: '' })
  told.length = 0
  world.start()
  expect([world.state(id), told]).toEqual(['unknown', []])
})

test('"found" counts at once, also within the grace time, and the evidence is kept', async () => {
  const { world } = makeStoredWorld({ outcomes: ['applied, reply lost'] })
  const operations = world.start()
  const id = world.add(operations, 'link')
  await operations.pass(never)
  expect(world.row(id)).toMatchObject({ state: 'done', reason: plainMessage('It is there.'), evidence: [{ what: plainMessage('It is there.'), raw: { name: 'link' } }] })
})

test('"absent" counts only in a read begun after the grace time, and only when a second one past the cache lag agrees', async () => {
  const wordings: [number, number][] = []
  const { world } = makeStoredWorld({
    outcomes: ['lost before'],
    kind: {
      look(_payload, { wording }) {
        wordings.push([world.nowMs(), wording])
        return Promise.resolve<EffectReading>({ seen: 'absent', what: plainMessage('It is not there.'), raw: null })
      }
    }
  })
  const operations = world.start()
  const id = world.add(operations, 'link')
  const resentAtMs: number[] = []
  while (world.nowMs() < graceMs + 2 * cacheLagMs && resentAtMs.length === 0) {
    await operations.pass(never)
    if (world.sends.length === 2) resentAtMs.push(world.nowMs())
    world.advance(1_000)
  }
  const counted = wordings.filter(([atMs]) => atMs >= graceMs)
  expect(counted.slice(0, 2)).toEqual([
    [graceMs, 1],
    [graceMs + cacheLagMs, 2]
  ])
  expect(resentAtMs[0]).toBeGreaterThanOrEqual(graceMs + cacheLagMs)
  expect(wordings.filter(([atMs]) => atMs < graceMs).every(([, wording]) => wording === 1)).toBe(true)
  // Asked every five seconds, not at every pass.
  expect(wordings.length).toBeLessThan(30)
  expect(world.state(id)).toBe('done')
})

test('work on one key goes one at a time in the order of its creation, other keys side by side', async () => {
  const { rows, world } = makeStoredWorld({ outcomes: ['lost before'] })
  const operations = world.start()
  const first = world.add(operations, 'first', 'vehicle:1')
  const second = world.add(operations, 'second', 'vehicle:1')
  const other = world.add(operations, 'other', 'vehicle:2')
  await operations.pass(never)
  expect([world.state(first), world.state(second), world.state(other)]).toEqual(['unknown', 'pending', 'done'])
  await runUntilRest(world, () => [first, second, other])
  expect(world.sends.filter((name) => name !== 'other')).toEqual(['first', 'first', 'second'])
  expect(rows.list().map(({ state }) => state)).toEqual(['done', 'done', 'done'])
})

test('a draft takes the key of what its names turned out to be, and waits its turn there', async () => {
  const { rows, world } = makeStoredWorld({
    outcomes: ['lost before'],
    kind: {
      finalise: (payload) => Promise.resolve({ kind: 'ready', payload: { name: payload.name }, key: 'vehicle:1', title: plainMessage(`${payload.name}, found`) })
    }
  })
  const operations = world.start()
  const older = world.add(operations, 'older', 'vehicle:1')
  const draft = operations.add({ kind: 'scripted', key: 'vehicle:Truck', title: plainMessage('Truck'), payload: { name: 'Truck' }, jobId: null, draft: true }).id
  await operations.pass(never)
  expect(rows.get(draft)).toMatchObject({ state: 'pending', key: 'vehicle:1', title: plainMessage('Truck, found') })
  expect(world.state(older)).toBe('unknown')
  expect(world.sends).toEqual(['older'])
})

test('the payload is frozen once it is no draft any more', () => {
  const { rows, world } = makeStoredWorld({ outcomes: [] })
  const id = world.add(world.start(), 'link')
  const finalised = { payload: { name: 'other' }, key: 'vehicle:9', title: plainMessage('other') }
  expect(() => rows.change(id, { state: 'pending', reason: plainMessage(''), at: '', finalised })).toThrow('is frozen')
  expect(rows.get(id)?.payload).toEqual({ name: 'link' })
})

test('"done" and its evidence are written in one transaction with the end of the attempt', async () => {
  const { rows, world } = makeStoredWorld({ outcomes: ['ok'] })
  const operations = world.start()
  const id = world.add(operations, 'link')
  const before = rows.get(id)
  expect(() => rows.change(id, { state: 'done', reason: plainMessage(''), at: '', evidence: { what: plainMessage('x'), raw: 1n as never } })).toThrow(TypeError)
  expect(rows.get(id)).toEqual(before)
})

test('the wall clock decides nothing: with clocks that jump by years the same happens', async () => {
  const rows = openTestStore(tempFolder()).operations
  const world = makeWorld({ outcomes: ['applied late', 'ok'], rows })
  const operations = world.start()
  const id = world.add(operations, 'link')
  const realNow = Date.now
  try {
    Date.now = () => realNow() + (world.nowMs() % 8_000 === 0 ? 1 : -1) * 10 * 365 * 86_400_000
    await runUntilRest(world, () => [id])
  } finally {
    Date.now = realNow
  }
  expect([world.state(id), world.effects.length, world.sends.length]).toEqual(['done', 1, 1])
})

test.for([
  ['400', 'failed', 'scripted REFUSED'],
  ['403', 'failed', 'scripted NOT_PERMITTED'],
  ['401', 'needsAttention', 'Sign in at the gateway'],
  ['404', 'needsAttention', 'not found, or not permitted'],
  ['409 of another', 'needsAttention', 'belongs to another'],
  ['409 ours', 'done', 'It is there'],
  ['429', 'pending', 'after the reset'],
  ['no connection', 'pending', 'Not sent']
] as const)('a reply "%s" makes it %s', async ([outcome, state, reason]) => {
  const { world } = makeStoredWorld({ outcomes: [outcome] })
  const operations = world.start()
  const id = world.add(operations, 'link')
  await operations.pass(never)
  expect(world.row(id)).toMatchObject({ state })
  expect(english(world.row(id).reason)).toContain(reason)
  expect(world.sends).toHaveLength(1)
})

test('after a 429 nothing is sent before the reset, and neither it nor a missing network uses up the attempts', async () => {
  const { world } = makeStoredWorld({ outcomes: ['429', '429', '429', '429', 'no connection', 'no connection', 'no connection', 'no connection', 'ok'] })
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
  expect(world.row(id)).toMatchObject({ state: 'needsAttention', reason: { id: 'operations.spent', values: { times: 3 } } })
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
  expect(world.row(id).evidence).toMatchObject([{ what: { id: 'operations.personDecided', values: { reason: 'not wanted any more' } } }])
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
  const refusal = new AppError('NOT_FOUND', plainMessage('The gateway answers: not found or not permitted.'), { status: 404 })
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
  const rows = { ...real, change: (...args: Parameters<typeof real.change>) => (isFull ? fail() : real.change(...args)) }
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
  const strange = operations.add({ kind: 'later.thing', key: 'a', title: plainMessage(''), payload: {}, jobId: null, draft: false }).id
  const spoiled = operations.add({ kind: 'scripted', key: 'b', title: plainMessage(''), payload: { nom: 1 }, jobId: null, draft: false }).id
  await operations.pass(never)
  expect(world.row(strange).reason).toEqual({ id: 'operations.unknownKind', values: { kind: 'later.thing' } })
  expect(world.row(spoiled).reason.id).toBe('operations.unreadablePayload')
})

test.for([
  ['conflict', 'needsAttention'],
  ['unreadable', 'needsAttention'],
  ['waiting', 'pending']
] as const)('what was proven absent is not sent again when it is %s right before, unless a person says so', async ([seen, state]) => {
  let isTold = false
  const { world } = makeStoredWorld({
    outcomes: ['lost before'],
    kind: { look: () => Promise.resolve<EffectReading>({ seen: isTold ? seen : 'absent', what: plainMessage('Somebody else was here.'), raw: null }) }
  })
  const operations = world.start()
  const id = world.add(operations, 'link')
  while (world.row(id).reason.id !== 'operations.absentResend') {
    await operations.pass(never)
    world.advance(1_000)
  }
  isTold = true
  await operations.pass(never)
  expect(world.row(id)).toMatchObject({ state, reason: plainMessage('Somebody else was here.') })
  expect(world.sends).toHaveLength(1)
  if (state !== 'needsAttention') return
  operations.retry(id, 'ours is the right one')
  await operations.pass(never)
  expect([world.state(id), world.sends.length]).toEqual(['done', 2])
})

test('the gateway is asked for its time before a write leaves', async () => {
  const asked: string[] = []
  const { rows, world } = makeStoredWorld({ outcomes: [], learnTime: () => Promise.resolve(void asked.push(...rows.list().map(({ state }) => state))) })
  const operations = world.start()
  const id = world.add(operations, 'link')
  await operations.pass(never)
  expect(asked).toEqual(['pending'])
  expect(world.state(id)).toBe('done')
})

test('"settle" goes on with what came free while its pass was at something else', async () => {
  const { world } = makeStoredWorld({
    outcomes: [],
    kind: {
      send() {
        if (!world.isOnline) return Promise.reject(new AppError('RATE_LIMITED', plainMessage('Too much.'), { fate: 'notSent' }))
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
  rows.change(id, { state: 'unknown', reason: plainMessage(''), at: '', claim: { sinceMs: 0, waitMs: 60_000, whenAbsent: 'send', isReadBack: false } })
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

test.each([
  { came: 'came here and was sent by nobody, waits once, in however many runs', arrivedAtMs: 0, isTried: false, sends: 1 },
  { came: 'came here and may have been sent, waits anew', arrivedAtMs: 0, isTried: true, sends: 0 },
  { came: 'came here by a clock that was set back since, waits anew', arrivedAtMs: 999_999_999, isTried: false, sends: 0 },
  { came: 'is of an older copy of the data, waits anew', arrivedAtMs: undefined, isTried: false, sends: 0 }
])('work that $came', async ({ arrivedAtMs, isTried, sends }) => {
  const { rows, world } = makeStoredWorld({ outcomes: ['ok'] })
  const id = world.add(world.start(), 'link')
  if (isTried) rows.beginAttempt(id, { number: 1, requestHash: '', startedAt: new Date(0).toISOString(), serverTimeMs: 0, by: '', imei: null }, plainMessage(''))
  rows.change(id, { state: 'unknown', reason: plainMessage(''), at: '', claim: { sinceMs: 0, waitMs: 60_000, whenAbsent: 'send', isReadBack: false, ...(arrivedAtMs === undefined ? {} : { arrivedAtMs }) } })
  const runShortly = async () => {
    const operations = world.start()
    for (let passes = 0; passes < 3; passes += 1) {
      await operations.pass(never)
      world.advance(cacheLagMs)
    }
  }
  world.advance(graceMs + 60_000 - 3 * cacheLagMs - 1)
  await runShortly()
  expect(world.sends).toHaveLength(0)
  world.advance(1)
  await runShortly()
  expect(world.sends).toHaveLength(sends)
})

test('what the limit keeps from being sent for the first time goes before what failed', async () => {
  const calls: string[] = []
  let left = 0
  const limited = () => new AppError('RATE_LIMITED', plainMessage('Too much.'), { fate: 'notSent', retryAtMs: 60_000 * (1 + Math.floor(world.nowMs() / 60_000)) })
  const call = (what: string) => {
    if (left-- <= 0) throw limited()
    calls.push(what)
  }
  const { world } = makeStoredWorld({
    outcomes: [],
    kind: {
      send({ name }) {
        call(`send ${name}`)
        return name.startsWith('ill') ? Promise.reject(new AppError('SERVER_ERROR', plainMessage('No.'), { status: 500 })) : Promise.resolve({ what: plainMessage('Accepted.'), raw: null })
      },
      look({ name }) {
        call(`look ${name}`)
        return Promise.resolve({ seen: 'absent', what: plainMessage('Not there.'), raw: null })
      }
    }
  })
  const operations = world.start()
  for (const name of ['ill 1', 'ill 2', ...Array.from({ length: 20 }, (_, n) => `well ${n}`)]) world.add(operations, name, name)
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

test('within the grace time what is not there is looked for more and more rarely, unless somebody waits for it', async () => {
  const looksMs: number[] = []
  const { world } = makeStoredWorld({
    outcomes: ['lost before'],
    kind: {
      look: () => {
        looksMs.push(world.nowMs())
        return Promise.resolve({ seen: 'absent', what: plainMessage('Not there.'), raw: null })
      }
    }
  })
  const operations = world.start()
  world.add(operations, 'link')
  for (let passed = 0; passed < graceMs; passed += 1_000) {
    await operations.pass(never)
    world.advance(1_000)
  }
  expect(looksMs).toEqual([0, 5_000, 15_000, 35_000, 75_000])
  await operations.pass(never)
  expect(looksMs.at(-1)).toBe(graceMs)
})
