import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { plainMessage } from '../../../preload/contract/messages.ts'
import type { Story } from '../../../preload/contract/gateway/stories.ts'
import { listenToCore } from '../../../renderer/app/frame/listen.ts'
import StoriesOf from '../../../renderer/gateway/waitingWork/StoriesOf.vue'
import WaitingScreen from '../../../renderer/gateway/waitingWork/WaitingScreen.vue'
import { createFakeBridge, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'

let core: FakeBridge
let screen: VueWrapper
let stop = (): void => undefined

/** A story of one operation that waits for the gateway, tried again in 25 s. */
function away(id: number, more: Partial<Story> = {}): Story {
  const next = { cause: 'gateway' as const, inMs: 25_000 }
  const line = data.story.operations.find(({ state }) => state === 'pending')
  if (!line) throw new Error('There is no pending operation')
  return {
    ...data.story,
    id: `vehicle:${id}`,
    place: { rank: 2, sequence: id, id: `vehicle:${id}` },
    about: { kind: 'vehicle', id, name: `Unit ${id}`, plate: null },
    sentence: plainMessage('Continues when the gateway is reachable.'),
    next,
    needPerson: 0,
    waiting: 1,
    operations: [{ ...line, id: `op-${id}`, next }],
    ...more
  }
}

const page = (stories: Story[], more = false) => ({
  stories,
  more,
  total: stories.length,
  counts: data.operationPage({}).counts,
  paused: null
})

async function open(
  own: Parameters<typeof createFakeBridge>[0],
  component: typeof WaitingScreen | typeof StoriesOf = WaitingScreen,
  props = {}
): Promise<void> {
  core = createFakeBridge(own)
  window.fitter = core
  setActivePinia(createPinia())
  stop = listenToCore()
  screen = mount(component, { props, attachTo: document.body })
  await flushPromises()
}
const cards = () => screen.findAll('article').map((card) => card.attributes('aria-label'))
const made = (name: string) => core.made.filter((one) => one.name === name).map(({ input }) => input)
const button = (text: string) => screen.findAll('button').find((one) => one.text() === text)

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'Date'] }))
afterEach(() => {
  stop()
  screen.unmount()
  vi.useRealTimers()
})

test('a story counts down to its next try without asking the core again, and says so when the time has come', async () => {
  await open({ 'operations.stories': () => page([away(1)]) })
  const told = () => screen.get('.sentence').text()
  expect(told()).toBe('Continues when the gateway is reachable. Next try in 25 s.')
  await vi.advanceTimersByTimeAsync(7_000)
  expect(told()).toContain('Next try in 18 s.')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(told()).toContain('Next try any moment.')
  expect(made('operations.stories')).toHaveLength(1)
})

test('what needs a person stands first, with its three answers', async () => {
  await open({ 'operations.stories': () => page([data.story, away(1)]) })
  expect(screen.findAll('h2.pane-head').map((head) => head.text())).toEqual([
    'For you',
    'Pending: finishes automatically'
  ])
  expect(cards()).toEqual(['Unit 0007', 'Unit 1'])
  expect(
    screen
      .get('li.asks')
      .findAll('.buttons button')
      .map((one) => one.text())
  ).toEqual(['Mark as done', 'Send again', 'Discard'])
  await screen.get('li.asks .buttons button').trigger('click')
  await flushPromises()
  const dialog = screen.get('dialog')
  expect(dialog.text()).toContain('Sent; the connection broke before the reply.')
  expect((dialog.get('textarea').element as HTMLTextAreaElement).value).toBe('')
  await dialog.get('textarea').setValue('Seen in the list of the office')
  await dialog.get('form').trigger('submit')
  await flushPromises()
  expect(made('operations.close')).toEqual([{ id: 'op1', reason: 'Seen in the list of the office' }])
})

test('what the core tells of changed stories moves them, ends them, and leaves the others', async () => {
  await open({ 'operations.stories': () => page([away(1), away(2)]) })
  core.emit('operations.stories', {
    stories: [away(2, { sentence: plainMessage('Next: it.') })],
    ended: ['vehicle:1'],
    isMany: false,
    total: 1
  })
  await flushPromises()
  expect(cards()).toEqual(['Unit 2'])
  expect(screen.text()).toContain('Next: it.')
  expect(screen.get('h1').text()).toBe('1 waiting for the gateway')
})

test('a story beyond the pages that were loaded comes with its page, and not before', async () => {
  const first = Array.from({ length: 30 }, (_, n) => away(n + 1))
  await open({ 'operations.stories': (input) => (input.after ? page([away(31)]) : page(first, true)) })
  core.emit('operations.stories', { stories: [away(31)], ended: [], isMany: false, total: 31 })
  await flushPromises()
  expect(cards()).toHaveLength(30)
  await button('Show more')?.trigger('click')
  await flushPromises()
  expect(made('operations.stories').at(-1)).toMatchObject({ after: { id: 'vehicle:30' } })
  expect(cards()).toHaveLength(31)
})

test('many changes at once, a pause and a gateway that comes back are read anew', async () => {
  let told = [away(1)]
  await open({ 'operations.stories': () => page(told) })
  told = [away(1), away(2)]
  core.emit('operations.stories', { stories: [], ended: [], isMany: true, total: 2 })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(cards()).toEqual(['Unit 1', 'Unit 2'])
  core.emit('operations.paused', { paused: { at: new Date().toISOString(), by: 'Technician One' } })
  await flushPromises()
  expect(screen.get('[role=status]').text()).toContain('by Technician One.')
  expect(button('Pause all')).toBeUndefined()
})

test('one story is paused by its button, and what a try cannot change is said with the time that is left', async () => {
  await open({
    'operations.stories': () => page([away(1)]),
    'operations.tryNow': () => ({
      counts: data.operationPage({}).counts,
      held: [{ id: 'op-1', title: plainMessage('Link it'), cause: 'limit', inMs: 12_000 }],
      moreHeld: 0
    })
  })
  await button('Pause')?.trigger('click')
  await button('Try now')?.trigger('click')
  await flushPromises()
  expect([made('operations.pause'), made('operations.tryNow')]).toEqual([[{ id: 'vehicle:1' }], [{ id: 'vehicle:1' }]])
  expect(screen.get('.held').text()).toBe(
    'Link it cannot be tried yet: the gateway’s request limit is reached. Time left: 12 s.'
  )
})

test('one of several operations of a story is paused by itself, and goes on by itself', async () => {
  const two = (paused: { at: string; by: string } | null) => {
    const [line] = away(1).operations
    if (!line) throw new Error('There is no operation')
    return page([away(1, { operations: [line, { ...line, id: 'op-2', sequence: 9, paused }] })])
  }
  await open({ 'operations.stories': () => two({ at: '2026-03-01T10:00:00.000Z', by: 'Technician One' }) })
  const buttons = () =>
    screen.findAll('.work > li').map((item) => item.findAll('.buttons button').map((one) => one.text()))
  expect(buttons()).toEqual([
    ['Discard', 'Pause'],
    ['Discard', 'Continue']
  ])
  await screen.findAll('.work > li .buttons button')[1]?.trigger('click')
  await screen.findAll('.work > li .buttons button')[3]?.trigger('click')
  await flushPromises()
  expect([made('operations.pause'), made('operations.resume')]).toEqual([[{ id: 'op-1' }], [{ id: 'op-2' }]])
})

test('a job shows the story that it waits for, with its steps, and loses it when all is done', async () => {
  const steps = [
    { id: 'delivered', title: plainMessage('Delivered'), waitsFor: plainMessage('No event has come yet.') }
  ]
  const job = {
    id: data.jobId,
    name: plainMessage('Installation'),
    state: 'installedAwaitingGateway' as const,
    steps,
    next: { cause: 'effect' as const, inMs: null },
    damage: null
  }
  await open({ 'operations.stories': () => page([away(1, { jobs: [job] })]) }, StoriesOf, {
    of: { what: 'job', id: data.jobId }
  })
  expect(made('operations.stories')).toEqual([{ jobId: data.jobId }])
  expect(screen.get('.steps').text()).toContain('DeliveredNo event has come yet.')
  core.emit('operations.stories', { stories: [], ended: ['vehicle:1'], isMany: false, total: 0 })
  await flushPromises()
  expect(cards()).toEqual([])
})
