import { copyText } from '../../../renderer/base/shell/copyText.ts'
import { useToasts } from '../../../renderer/base/shell/toasts.store.ts'
import { flushPromises } from '@vue/test-utils'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { LogEntry } from '../../../preload/contract/app/activity.ts'
import type { CallInput } from '../../../preload/contract/index.ts'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import { goTo, place } from '../../../renderer/base/shell/router.ts'
import { createFakeBridge, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import { core, giveRoom, openWindow, page, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const entry = (n: number, own: Partial<LogEntry> = {}): LogEntry => ({
  n,
  at: at(100 - n),
  level: 'info',
  topic: 'job',
  text: plainMessage(`Entry ${n}`),
  detail: null,
  kind: null,
  place: null,
  ...own
})
const lost = entry(90, {
  level: 'error',
  topic: 'device',
  text: message('activity.deviceLost', { device: '867698040023056' }),
  detail: plainMessage('Last answer over Wi-Fi.'),
  kind: 'deviceLost',
  place: { screen: 'device', id: 'k' }
})
const passed = entry(60, {
  text: message('activity.passed', { step: plainMessage('Position') }),
  kind: 'checkEnded',
  place: { screen: 'job', id: 'J1' }
})
const counts = { job: 12, device: 3, gateway: 0, team: 0, data: 0, updates: 0, app: 1 }
const noLog = { entries: [], more: false, total: 0, counts, problem: null }

function answers(more: Parameters<typeof createFakeBridge>[0] = {}): Parameters<typeof createFakeBridge>[0] {
  return {
    'activity.looking': () => ({}),
    'activity.list': () => ({ entries: [lost, passed], readUpTo: 60, away: { from: at(40), to: at(5) } }),
    'activity.markRead': () => ({}),
    'activity.levels': () => ({
      levels: {
        job: 'info',
        device: 'debug',
        gateway: 'info',
        team: 'info',
        data: 'info',
        updates: 'info',
        app: 'info'
      },
      given: ['device']
    }),
    'activity.log': (input) => logPage(input),
    ...more
  }
}
function logPage({ before, topic }: CallInput<'activity.log'>) {
  const numbers = Array.from({ length: 200 }, (_, index) => (before ?? 401) - 1 - index)
  return {
    entries: numbers.map((n) => entry(n, { topic: topic ?? 'job', detail: plainMessage('detail') })),
    more: before === undefined,
    total: 400,
    counts,
    problem: null
  }
}

async function open(own = answers()): Promise<void> {
  await openWindow(own)
  goTo('activity')
  await flushPromises()
  await flushPromises()
}
const made = <Name extends Parameters<FakeBridge['call']>[0]>(name: Name) =>
  core.made.filter((call) => call.name === name).map((call) => call.input)
const button = (text: string) => {
  const found = page.findAll('button').find((one) => (one.text() + (one.attributes('aria-label') ?? '')).includes(text))
  if (!found) throw new Error(`No button "${text}"`)
  return found
}

useFakeWindow()
beforeAll(() => giveRoom())
afterEach(() => {
  vi.unstubAllGlobals()
})

test('who was away sees what happened meanwhile first, each with where to look at it', async () => {
  await open()
  const news = page.get('section[aria-label="Recent activity"]')
  expect(news.text()).toContain('While you were away')
  expect(news.findAll('li').map((line) => line.get('b').text())).toEqual([
    'Device 867698040023056 does not answer',
    'Position passed'
  ])
  expect(news.get('h3').text()).toBe('Other activity')
  expect(news.findAll('li a').map((link) => link.attributes('href'))).toEqual(['#/device/k', '#/job/J1'])
})

test('the bell counts what was missed, leads to the list, and a press marks all of it as read', async () => {
  await open()
  // One of them is waiting work that needs the person.
  expect(page.get('.count').text()).toBe('2')
  await button('Mark all as read').trigger('click')
  await flushPromises()
  expect(made('activity.markRead')).toEqual([{ upTo: 90 }])
  expect(page.get('.count').text()).toBe('1')
  core.emit('activity.added', { entry: entry(91, { kind: 'checkEnded', isSeen: true }) })
  core.emit('activity.added', { entry: entry(92, { kind: 'backupMade' }) })
  await flushPromises()
  expect(page.get('.count').text()).toBe('2')
})

test('the log is a virtual list that reads the next page near its end, and can be narrowed', async () => {
  await open()
  expect(page.text()).toContain('of 400')
  expect(page.findAll('[role=row][data-index]').length).toBeLessThan(60)
  const pills = page.findAll('[data-filter]').map((pill) => pill.text().replace(/\s+/g, ''))
  // A topic without entries takes no room.
  expect(pills).toEqual(['All16', 'Jobs12', 'Devices3', 'App1'])
  await page.get('[data-filter=device]').trigger('click')
  await flushPromises()
  expect(made('activity.log').at(-1)).toMatchObject({ topic: 'device', level: 'info' })
  await page.findAll('input[type=radio]').at(-1)?.trigger('change')
  await flushPromises()
  expect(made('activity.log').at(-1)).toMatchObject({ level: 'error' })
})

test('new entries come by themselves while the newest are in sight', async () => {
  await open()
  const before = made('activity.log').length
  core.emit('activity.logged', {})
  await flushPromises()
  expect(made('activity.log')).toHaveLength(before + 1)
})

test('J chooses a line, which can be copied whole; the log that is not written says so', async () => {
  const written: string[] = []
  vi.stubGlobal('navigator', {
    ...navigator,
    language: 'en',
    clipboard: { writeText: (text: string) => Promise.resolve(void written.push(text)) }
  })
  await open(
    answers({
      'activity.log': (input) => ({ ...logPage(input), problem: message('activity.notWritten', { why: 'ENOSPC' }) })
    })
  )
  expect(page.text()).toContain('The log cannot be written (ENOSPC).')
  await page.trigger('keydown', { key: 'j' })
  await flushPromises()
  await button('Copy').trigger('click')
  await flushPromises()
  expect(written[0]).toMatch(/info {2}job {2}Entry 400 {2}detail$/)
})

test('the log is exported as one file', async () => {
  URL.createObjectURL = () => 'blob:log'
  URL.revokeObjectURL = () => undefined
  await open(answers({ 'activity.export': () => ({ fileName: 'fitter-log.jsonl', text: '{}\n', entries: 1 }) }))
  await button('Export logs for support').trigger('click')
  await flushPromises()
  expect(made('activity.export')).toHaveLength(1)
  expect(page.text()).toContain('1 entry saved in fitter-log.jsonl')
})

test('nothing that happened, and no entries, say so', async () => {
  await open(
    answers({ 'activity.list': () => ({ entries: [], readUpTo: 0, away: null }), 'activity.log': () => noLog })
  )
  expect(page.text()).toContain('Nothing happened')
  expect(page.text()).toContain('No entries')
})

test('each kind of notification and each level can be changed; what the environment set cannot', async () => {
  await open()
  await button('Notifications and log').trigger('click')
  await flushPromises()
  const switches = page
    .findAll('dialog [role=switch]')
    .map((one) => [one.attributes('aria-label'), one.attributes('aria-checked')])
  expect(switches).toContainEqual(['Backups', 'false'])
  expect(switches).toContainEqual(['Lost devices', 'true'])
  await page
    .findAll('dialog [role=switch]')
    .find((one) => one.attributes('aria-label') === 'Backups')
    ?.trigger('click')
  await flushPromises()
  expect(made('settings.change')).toContainEqual({ notifications: { backupMade: true } })
  const selects = page.findAll('dialog select')
  expect(selects.map((select) => select.attributes('disabled') !== undefined)).toEqual([
    false,
    true,
    false,
    false,
    false,
    false,
    false
  ])
  await selects[0]?.setValue('debug')
  await flushPromises()
  expect(made('settings.change')).toContainEqual({ logLevels: { job: 'debug' } })
})

test('a browser notifies only after its person allowed it, and only in the background', async () => {
  vi.useFakeTimers()
  const shown: string[] = []
  const stub = Object.assign(
    function Notification(this: object, title: string) {
      shown.push(title)
    },
    { permission: 'default', requestPermission: () => Promise.resolve('granted') }
  )
  vi.stubGlobal('Notification', stub)
  let isFocused = false
  document.hasFocus = () => isFocused
  await open()
  const happen = async (n: number) => {
    core.emit('activity.added', { entry: { ...lost, n } })
    await vi.advanceTimersByTimeAsync(2_000)
  }
  await happen(101)
  expect(shown).toEqual([])
  stub.permission = 'granted'
  await happen(102)
  expect(shown).toEqual(['Device 867698040023056 does not answer'])
  isFocused = true
  await happen(103)
  expect(shown).toHaveLength(1)
  vi.useRealTimers()
})

test('a notification of the desktop that was pressed leads to its place', async () => {
  await open()
  core.emit('activity.open', { place: { screen: 'job', id: 'J1' } })
  await flushPromises()
  expect(place.value.screen).toBe('job')
})

test('a text that could not be copied is told as a failure, which stays until it is closed', async () => {
  vi.stubGlobal('navigator', {
    ...navigator,
    language: 'en',
    clipboard: { writeText: () => Promise.reject(new Error('Document is not focused.')) }
  })
  await copyText('a text')
  expect(useToasts().toasts.map(({ text, error }) => [text, error instanceof Error])).toEqual([
    ['The text could not be copied. Select it and copy it by hand.', true]
  ])
})
