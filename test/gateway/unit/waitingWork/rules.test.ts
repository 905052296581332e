import { expect, test } from 'vitest'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { english } from '../../../world/window/english.ts'
import type { EffectReading } from '../../../../main/gateway/waitingWork/kind.ts'
import { cacheLagMs, graceMs, makeWorld, runUntilRest } from '../../../world/gateway/operationWorld.ts'
import { openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'
import { makeStoredWorld, never } from '../../../world/data/storedWorld.ts'

test('the intent is on the disk, with attempt, request hash and server time, before the first byte leaves', async () => {
  const seen: unknown[] = []
  const { rows, world } = makeStoredWorld({
    outcomes: [],
    kind: {
      send() {
        seen.push(
          rows.list().map(({ state, attempts }) => ({ state, attempts })),
          rows.attempts(id)
        )
        return Promise.resolve({ what: plainMessage('Accepted.'), raw: null })
      }
    }
  })
  const operations = world.start()
  const id = world.add(operations, 'link')
  await operations.pass(never)
  expect(seen).toEqual([
    [{ state: 'sending', attempts: 1 }],
    [
      {
        number: 1,
        requestHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        startedAt: '1970-01-01T00:00:00.000Z',
        serverTimeMs: 0,
        outcome: null,
        by: ''
      }
    ]
  ])
  expect(world.state(id)).toBe('done')
  expect(rows.attempts(id)[0]?.outcome).toBe('answered')
})

test.for(['sending', 'verifying'] as const)(
  'a restart that finds work %s reads back and never sends first',
  async (state) => {
    const { rows, world } = makeStoredWorld({ outcomes: [] })
    const id = world.add(world.start(), 'link')
    rows.beginAttempt(
      id,
      { number: 1, requestHash: '', startedAt: new Date(0).toISOString(), serverTimeMs: 0, by: '', imei: null },
      plainMessage('')
    )
    rows.change(id, { state, reason: plainMessage(''), at: '' })
    const operations = world.start()
    expect(world.state(id)).toBe('unknown')
    await operations.pass(never)
    expect(world.sends).toEqual([])
    expect(world.row(id).reason.id).toBe('operations.notThereYet')
  }
)

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
  expect(world.row(id)).toMatchObject({
    state: 'done',
    reason: plainMessage('It is there.'),
    evidence: [{ what: plainMessage('It is there.'), raw: { name: 'link' } }]
  })
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
      finalise: (payload) =>
        Promise.resolve({
          kind: 'ready',
          payload: { name: payload.name },
          key: 'vehicle:1',
          title: plainMessage(`${payload.name}, found`)
        })
    }
  })
  const operations = world.start()
  const older = world.add(operations, 'older', 'vehicle:1')
  const draft = operations.add({
    kind: 'scripted',
    key: 'vehicle:Truck',
    title: plainMessage('Truck'),
    payload: { name: 'Truck' },
    jobId: null,
    draft: true
  }).id
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
  expect(() =>
    rows.change(id, {
      state: 'done',
      reason: plainMessage(''),
      at: '',
      evidence: { what: plainMessage('x'), raw: 1n as never }
    })
  ).toThrow(TypeError)
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

test.for([
  ['conflict', 'needsAttention'],
  ['unreadable', 'needsAttention'],
  ['waiting', 'pending']
] as const)(
  'what was proven absent is not sent again when it is %s right before, unless a person says so',
  async ([seen, state]) => {
    let isTold = false
    const { world } = makeStoredWorld({
      outcomes: ['lost before'],
      kind: {
        look: () =>
          Promise.resolve<EffectReading>({
            seen: isTold ? seen : 'absent',
            what: plainMessage('Somebody else was here.'),
            raw: null
          })
      }
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
  }
)

test('the gateway is asked for its time before a write leaves', async () => {
  const asked: string[] = []
  const { rows, world } = makeStoredWorld({
    outcomes: [],
    learnTime: () => Promise.resolve(void asked.push(...rows.list().map(({ state }) => state)))
  })
  const operations = world.start()
  const id = world.add(operations, 'link')
  await operations.pass(never)
  expect(asked).toEqual(['pending'])
  expect(world.state(id)).toBe('done')
})

test.each([
  {
    came: 'came here and was sent by nobody, waits once, in however many runs',
    arrivedAtMs: 0,
    isTried: false,
    sends: 1
  },
  { came: 'came here and may have been sent, waits anew', arrivedAtMs: 0, isTried: true, sends: 0 },
  {
    came: 'came here by a clock that was set back since, waits anew',
    arrivedAtMs: 999_999_999,
    isTried: false,
    sends: 0
  },
  { came: 'is of an older copy of the data, waits anew', arrivedAtMs: undefined, isTried: false, sends: 0 }
])('work that $came', async ({ arrivedAtMs, isTried, sends }) => {
  const { rows, world } = makeStoredWorld({ outcomes: ['ok'] })
  const id = world.add(world.start(), 'link')
  if (isTried)
    rows.beginAttempt(
      id,
      { number: 1, requestHash: '', startedAt: new Date(0).toISOString(), serverTimeMs: 0, by: '', imei: null },
      plainMessage('')
    )
  rows.change(id, {
    state: 'unknown',
    reason: plainMessage(''),
    at: '',
    claim: {
      sinceMs: 0,
      waitMs: 60_000,
      whenAbsent: 'send',
      isReadBack: false,
      ...(arrivedAtMs === undefined ? {} : { arrivedAtMs })
    }
  })
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
