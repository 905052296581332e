import { z } from 'zod'
import { expect, test } from 'vitest'
import type { GatewayStatus } from '../../../../preload/contract/gateway/gateway.ts'
import type { Paused } from '../../../../preload/contract/gateway/stories.ts'
import { AppError } from '../../../../preload/contract/errors.ts'
import { plainMessage } from '../../../../preload/contract/messages.ts'
import { createOperations } from '../../../../main/gateway/waitingWork/engine.ts'
import type { OperationKind } from '../../../../main/gateway/waitingWork/kind.ts'
import type { PassTimes } from '../../../../main/gateway/waitingWork/stories/nextMove.ts'
import { createStories } from '../../../../main/gateway/waitingWork/stories/stories.ts'
import { createWaiting } from '../../../../main/gateway/waitingWork/stories/waiting.ts'
import { english } from '../../../world/window/english.ts'
import { appendEntry, openTestStore } from '../../../world/data/storedJobs.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const never = new AbortController().signal
const said = plainMessage('said')
type Fault = 'away' | 'signedOut' | 'lost' | 'limit' | 'limited' | 'conflict' | 'accepted' | 'watchedAway'

/** A real store, an engine on a clock of its own, and a gateway that does as it is told. */
function openYard() {
  const store = openTestStore(tempFolder())
  const world = {
    nowMs: 0,
    fault: undefined as Fault | undefined,
    gateway: 'reachable' as GatewayStatus['state'],
    passes: { nextInMs: 4_000, everyMs: 20_000 } as PassTimes | null,
    sent: [] as string[],
    asked: 0,
    answersAfter: undefined as Promise<void> | undefined
  }
  const error = (code: 'UNREACHABLE' | 'TIMEOUT' | 'RATE_LIMITED' | 'NOT_AUTHENTICATED', more = {}) =>
    new AppError(code, said, more)
  const kind = (name: string): OperationKind<{ name: string; vehicle?: string | undefined }> => ({
    kind: name,
    payload: z.object({ name: z.string(), vehicle: z.string().optional() }),
    title: (payload) => plainMessage(String((payload as { name?: string }).name)),
    resendWhenAbsent: true,
    maxAttempts: 3,
    receive: (payload) => payload as never,
    ...(name === 'note' ? { lookAgainMs: 300_000 } : {}),
    finalise: async (payload) => ({
      kind: 'ready',
      payload: payload as never,
      key: 'vehicle:7',
      title: plainMessage(payload.name)
    }),
    baseline: async () => {
      world.asked += 1
      const { fault } = world
      await world.answersAfter
      if (fault === 'away') throw error('UNREACHABLE').withFate('away')
      if (world.fault === 'signedOut') throw error('NOT_AUTHENTICATED', { fate: 'notSent' })
      if (world.fault === 'limit') throw error('RATE_LIMITED', { retryAtMs: world.nowMs + 30_000 }).withFate('notSent')
      if (world.fault === 'limited') throw error('RATE_LIMITED', { status: 429, retryAtMs: world.nowMs + 30_000 })
      return null
    },
    async send({ name }) {
      if (world.fault === 'lost') throw error('TIMEOUT')
      world.sent.push(name)
      return { what: plainMessage('taken'), raw: null, isAccepted: world.fault === 'accepted' }
    },
    async look() {
      if (world.fault === 'watchedAway') throw error('UNREACHABLE').withFate('away')
      if (world.fault === 'lost') return { seen: 'absent', what: plainMessage('missing'), raw: null }
      if (world.fault === 'conflict') return { seen: 'conflict', what: plainMessage('of another'), raw: null }
      if (world.fault === 'accepted')
        return { seen: 'waiting', what: plainMessage('shows after the next report'), raw: null }
      return { seen: 'found', what: plainMessage('there'), raw: null }
    }
  })
  const operations = createOperations({
    rows: store.operations,
    kinds: [kind('link'), kind('note')] as OperationKind[],
    clockDifferenceMs: () => 0,
    isPaused: () => store.waiting.paused() !== null,
    monotonicMs: () => world.nowMs,
    now: () => new Date(world.nowMs),
    changed: () => undefined
  })
  const stories = createStories({
    rows: store.operations,
    operations,
    jobs: {
      waiting: () => store.waiting.jobs(),
      story: (id) => ({
        id,
        name: plainMessage('Installation'),
        state: 'installedAwaitingGateway',
        steps: [{ id: 'delivered', title: plainMessage('Delivered'), waitsFor: plainMessage('No event yet.') }],
        damage: null,
        vehicleText: 'Unit 9',
        vehicle: null
      })
    },
    vehicle: async (id) => (id === 7 ? { name: 'Unit 0007', plate: '1234 ABC' } : undefined),
    gatewayState: async () => world.gateway,
    passes: () => world.passes,
    paused: () => store.waiting.paused()
  })
  const told: Paused[] = []
  const waiting = createWaiting({
    operations,
    stories,
    kept: store.waiting,
    sync: (signal) => operations.pass(signal),
    technician: () => 'Technician One',
    events: { tell: (_name, payload) => void told.push((payload as { paused: Paused }).paused) },
    sendSoon: () => undefined,
    now: () => new Date(world.nowMs)
  })
  const add = (
    name: string,
    more: { key?: string; jobId?: string; draft?: boolean; needs?: string[]; kind?: string } = {}
  ) =>
    operations.add({
      kind: more.kind ?? 'link',
      key: more.key ?? 'vehicle:7',
      title: plainMessage(name),
      payload: { name, vehicle: 'Unit 0007' },
      jobId: more.jobId ?? null,
      draft: more.draft ?? false,
      needs: (more.needs ?? []).map((id) => ({ id, part: '' }))
    }).id
  const all = async () => (await stories.page({ after: null, limit: 100 })).stories
  const only = async () => {
    const [story, ...others] = await all()
    expect(others).toEqual([])
    if (!story) throw new Error('There is no story')
    return { ...story, says: english(story.sentence) }
  }
  return { store, world, operations, stories, waiting, told, add, all, only, pass: () => operations.pass(never) }
}

test('work on one vehicle, what it needs, and what a job left for it are one story with the name of the vehicle', async () => {
  const { add, all, store } = openYard()
  appendEntry(store, 'job-7', 'signed', { state: 'installedAwaitingGateway', vehicle: { id: 7, name: 'Unit 0007' } })
  const asset = add('Create trailer', { key: 'asset:ref:1' })
  const link = add('Link trailer', { needs: [asset] })
  const key = add('Register key', { key: 'ibutton:01', jobId: 'job-7' })
  add('Counter', { key: 'counter:7:odometer' })
  const stories = await all()
  expect(stories.map(({ id, about }) => ({ id, about }))).toEqual([
    { id: 'vehicle:7', about: { kind: 'vehicle', id: 7, name: 'Unit 0007', plate: '1234 ABC' } }
  ])
  expect(stories[0]).toMatchObject({ needPerson: 0, waiting: 5, jobs: [{ id: 'job-7', steps: [{ id: 'delivered' }] }] })
  expect(stories[0]?.operations.map(({ id, next, needs }) => [id, next.cause, needs.map((need) => need.id)])).toEqual([
    [asset, 'turn', []],
    [link, 'need', [asset]],
    [key, 'turn', []],
    [expect.any(String), 'turn', []]
  ])
})

test('a draft of a job whose vehicle is not yet known goes by what was typed', async () => {
  const { add, only, store } = openYard()
  appendEntry(store, 'job-9', 'signed', { state: 'installedAwaitingGateway', vehicle: null })
  add('Link trailer', { key: 'vehicle:1234', jobId: 'job-9', draft: true })
  expect(await only()).toMatchObject({ id: 'job:job-9', about: { kind: 'named', name: 'Unit 9' } })
})

test('work without a vehicle is a story of its own, called by what it does', async () => {
  const { add, only } = openYard()
  add('Assign tag', { key: 'tag:AABB' })
  expect(await only()).toMatchObject({ id: 'tag:AABB', about: { kind: 'other', title: plainMessage('Assign tag') } })
})

test('a story says why and when as long as the gateway cannot be reached, and never makes up a time', async () => {
  const { add, only, pass, world } = openYard()
  add('Link trailer')
  expect(await only()).toMatchObject({ says: 'Next: Link trailer.', next: { cause: 'turn', inMs: 4_000 } })
  world.fault = 'away'
  await pass()
  // It is held for 5 s: the pass in 4 s comes too early, so it goes with the one after.
  expect(await only()).toMatchObject({
    says: 'Continues when the gateway is reachable.',
    next: { cause: 'gateway', inMs: 24_000 }
  })
  world.gateway = 'signedOut'
  expect(await only()).toMatchObject({
    says: 'Continues when you sign in to the gateway.',
    next: { cause: 'signIn', inMs: null }
  })
  world.gateway = 'notSet'
  expect(await only()).toMatchObject({ next: { cause: 'noGateway', inMs: null } })
  world.gateway = 'reachable'
  world.passes = null
  expect(await only()).toMatchObject({ next: { cause: 'gateway', inMs: null } })
})

test('a lost reply is said, with when it is looked for', async () => {
  const { add, only, pass, world } = openYard()
  add('Link trailer')
  world.fault = 'lost'
  await pass()
  expect(await only()).toMatchObject({
    says: expect.stringContaining('no answer arrived'),
    next: { cause: 'readBack', inMs: 5_000 }
  })
})

test('what the gateway took says what it is to show after', async () => {
  const { add, only, pass, world } = openYard()
  add('Set odometer')
  world.fault = 'accepted'
  await pass()
  expect(await only()).toMatchObject({ next: { cause: 'effect', inMs: 60_000 } })
})

test('work that was tried while the gateway was away no longer waits for the gateway once it is sent', async () => {
  const { add, only, pass, world, operations } = openYard()
  const id = add('Set odometer')
  for (const _ of [1, 2, 3]) {
    world.fault = 'away'
    await pass()
    world.nowMs += 20_000
  }
  expect(await only()).toMatchObject({ next: { cause: 'gateway' } })
  world.fault = 'accepted'
  await pass()
  expect(world.sent).toEqual(['Set odometer'])
  expect(operations.standing(id).isAway).toBe(false)
  // The first look comes after the first minute, by its own time and not with a pass.
  expect(await only()).toMatchObject({ next: { cause: 'effect', inMs: 60_000 } })

  world.nowMs += 60_000
  world.fault = 'watchedAway'
  await pass()
  expect(await only()).toMatchObject({ next: { cause: 'gateway' } })
  world.nowMs += 20_000
  world.fault = 'accepted'
  await pass()
  expect(operations.get(id)?.state).toBe('accepted')
  expect(await only()).toMatchObject({ next: { cause: 'effect' } })
})

test('a limit of the gateway is an answer of the gateway, and is waited for also after failures', async () => {
  const { add, pass, world, operations } = openYard()
  const id = add('Link trailer')
  for (const fault of ['away', 'away', 'away', 'limited'] as const) {
    world.nowMs += 20_000
    world.fault = fault
    await pass()
  }
  expect(operations.standing(id)).toMatchObject({ isAway: false, hold: { cause: 'limit', inMs: 30_000 } })
  expect(operations.nextMoveInMs()).toBe(30_000)
})

test('a gateway that is back is no reason to wait, also after the moment before the next try is over', async () => {
  const { add, only, pass, world, operations } = openYard()
  add('Link trailer')
  world.fault = 'away'
  await pass()
  world.nowMs += 12_000
  operations.gatewayIsBack()
  expect(await only()).toMatchObject({ says: 'Next: Link trailer.', next: { cause: 'turn', inMs: 4_000 } })
})

test('work that met nobody signed in waits for its turn after the sign-in, not for the gateway', async () => {
  const { add, only, pass, world } = openYard()
  add('Link trailer')
  world.fault = 'signedOut'
  await pass()
  expect(await only()).toMatchObject({ next: { cause: 'signIn' } })
  world.nowMs += 6_000
  expect(await only()).toMatchObject({ next: { cause: 'turn', inMs: 4_000 } })
})

test('a story that needs a person comes first, and the younger of its vehicle wait for the decision', async () => {
  const { add, all, operations, pass, waiting, world } = openYard()
  // Older, and held back meanwhile.
  const other = add('Other', { key: 'vehicle:1' })
  waiting.pause(other)
  const first = add('Link trailer')
  const second = add('Link driver')
  world.fault = 'lost'
  await pass()
  world.fault = 'conflict'
  world.nowMs += 200_000
  await pass()
  waiting.resume(other)
  expect(operations.get(first)?.state).toBe('needsAttention')
  const stories = await all()
  expect(stories.map(({ id }) => id)).toEqual(['vehicle:7', 'vehicle:1'])
  expect(stories[0]).toMatchObject({ needPerson: 1, waiting: 1, next: { cause: 'person', inMs: null } })
  expect(stories[0]?.operations.find(({ id }) => id === second)?.next).toEqual({ cause: 'decision', inMs: null })
})

test('stories come page by page in an order that does not move, and one alone has all of its work', async () => {
  const { add, stories } = openYard()
  for (let n = 0; n < 45; n++) add(`Link ${n}`, { key: `vehicle:${100 + n}` })
  for (let n = 0; n < 30; n++) add(`Part ${n}`, { key: 'vehicle:500' })
  const seen: string[] = []
  let after = null
  for (;;) {
    const page = await stories.page({ after, limit: 20 })
    seen.push(...page.stories.map(({ id }) => id))
    expect(page.total).toBe(46)
    if (!page.more) break
    after = page.stories.at(-1)?.place ?? null
  }
  expect(seen).toEqual([...Array.from({ length: 45 }, (_, n) => `vehicle:${100 + n}`), 'vehicle:500'])
  const listed = (await stories.page({ after: null, limit: 100 })).stories.at(-1)
  expect([listed?.operations.length, listed?.moreOperations, listed?.waiting]).toEqual([12, 18, 30])
  expect((await stories.one('vehicle:500')).stories[0]?.operations).toHaveLength(30)
})

test('paused work is not sent, and what is under way is read back to its end', async () => {
  const { add, only, operations, pass, store, told, waiting, world } = openYard()
  const first = add('Link trailer')
  world.fault = 'lost'
  await pass()
  waiting.pause(null)
  world.fault = undefined
  const second = add('Link driver', { key: 'vehicle:8' })
  const draft = add('Link key', { key: 'vehicle:9', draft: true })
  world.nowMs += 20_000
  await pass()
  expect([operations.get(first)?.state, operations.get(second)?.state, operations.get(draft)?.state]).toEqual([
    'done',
    'pending',
    'draft'
  ])
  expect([world.sent, operations.hasWork(), operations.nextMoveInMs()]).toEqual([[], false, undefined])
  // The gateway was asked before the pause alone.
  expect(world.asked).toBe(1)
  expect(told).toEqual([{ at: '1970-01-01T00:00:00.000Z', by: 'Technician One' }])
  waiting.resume(null)
  expect(store.waiting.paused()).toBeNull()
  await pass()
  await pass()
  expect(world.sent.toSorted()).toEqual(['Link driver', 'Link key'])
  await expect(only()).rejects.toThrow('no story')
})

test('one story is paused by itself, says since when and by whom, and goes on when it is let go', async () => {
  const { add, all, pass, waiting, world } = openYard()
  add('Link trailer')
  add('Other', { key: 'vehicle:8' })
  waiting.pause('vehicle:7')
  await pass()
  expect(world.sent).toEqual(['Other'])
  const [story] = await all()
  expect(story).toMatchObject({ isPaused: true, next: { cause: 'pause', inMs: null } })
  expect(english(story?.sentence ?? said)).toMatch(/^Paused since .* by Technician One\.$/)
  waiting.resume('vehicle:7')
  await pass()
  expect(world.sent).toEqual(['Other', 'Link trailer'])
  expect(() => waiting.pause('vehicle:7')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }))
})

test('trying now ends the wait for a gateway that was away, and never that for a limit or for the grace time', async () => {
  const { add, pass, waiting, world, operations } = openYard()
  const id = add('Link trailer')
  world.fault = 'away'
  await pass()
  world.fault = undefined
  await pass()
  expect(world.sent).toEqual([])
  expect(await waiting.tryNow(id, never)).toMatchObject({ held: [], counts: { done: 1 } })
  expect(world.sent).toEqual(['Link trailer'])

  const limited = add('Link driver')
  world.fault = 'limit'
  await pass()
  world.fault = undefined
  expect(await waiting.tryNow('vehicle:7', never)).toMatchObject({
    held: [{ id: limited, cause: 'limit', inMs: 30_000 }]
  })
  expect(world.sent).toEqual(['Link trailer'])
  world.nowMs += 30_000
  await pass()

  const lost = add('Link key')
  world.fault = 'lost'
  await pass()
  expect(await waiting.tryNow(null, never)).toMatchObject({ held: [{ id: lost, cause: 'readBack', inMs: 120_000 }] })
  expect(operations.get(lost)?.attempts).toBe(1)
})

test('trying now does not join a pass that the gateway has already turned away', async () => {
  const { add, pass, waiting, world } = openYard()
  const id = add('Link trailer')
  const answer = Promise.withResolvers<void>()
  world.fault = 'away'
  world.answersAfter = answer.promise
  const turnedAway = pass()
  await expect.poll(() => world.asked).toBe(1)
  world.fault = undefined
  world.answersAfter = undefined
  const tried = waiting.tryNow(id, never)
  answer.resolve()
  await turnedAway
  expect(await tried).toMatchObject({ held: [], counts: { done: 1 } })
  expect(world.sent).toEqual(['Link trailer'])
})
