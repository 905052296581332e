import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createActivity, readLevels, type ActivityOptions } from '../../../../main/support/activity/activity.ts'
import { listenToWork } from '../../../../main/support/activity/listenToWork.ts'
import { createLogFile } from '../../../../main/support/activity/logFile.ts'
import { createTexts } from '../../../../main/base/messages/texts.ts'
import { createRedactor } from '../../../../main/base/secrets/redact.ts'
import { createNotifier, gatherMs, isNotified } from '../../../../preload/support/activity/notifier.ts'
import type { LogEntry } from '../../../../preload/contract/app/activity.ts'
import type { Events } from '../../../../preload/contract/events.ts'
import { message, plainMessage } from '../../../../preload/contract/messages.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const signal = new AbortController().signal

function open(own: Partial<ActivityOptions> = {}) {
  const folder = join(tempFolder(), 'log')
  const file = createLogFile({ folder })
  const redactor = createRedactor()
  const told: { name: string; payload: unknown }[] = []
  const read = { upTo: 0 }
  const activity = createActivity({
    file,
    redact: (value) => redactor.json(value),
    settings: () => ({ logLevels: {} }),
    events: { tell: (name, payload) => void told.push({ name, payload }) },
    texts: () => createTexts({ language: 'en' }),
    read: { get: () => read.upTo, set: (upTo) => (read.upTo = upTo) },
    ...own
  })
  const page = async (input: Partial<Parameters<(typeof activity.handlers)['activity.log']>[0]> = {}) =>
    activity.handlers['activity.log']({ level: 'debug', topic: null, search: '', limit: 200, ...input }, signal)
  return {
    activity,
    folder,
    file,
    redactor,
    told,
    page,
    raw: async () => (await file.flush(), readFileSync(join(folder, 'fitter.jsonl'), 'utf8'))
  }
}

test('secrets are removed before anything is written, sent or exported', async () => {
  const { activity, redactor, told, raw } = open()
  const canaries = ['canary-Pa55word', 'canary-t0ken-9f8e7d', 'c2VjcmV0']
  for (const canary of canaries) redactor.add(canary)
  activity.write({
    topic: 'gateway',
    kind: 'needsYou',
    text: message('activity.signedOut', { url: `https://user:${canaries[0] ?? ''}@gateway.example/api` }),
    detail: plainMessage(`Authorization: Bearer ${canaries[1] ?? ''}; password=unknown-but-named`)
  })
  activity.noteFault(new Error(`failed with ${encodeURIComponent(canaries[0] ?? '')}\nstack ${canaries[2] ?? ''}`))
  const everything = [await raw(), JSON.stringify(told), (await activity.handlers['activity.export']({}, signal)).text]
  for (const text of everything)
    for (const canary of [...canaries, 'unknown-but-named']) expect(text).not.toContain(canary)
  expect(everything[0]).toContain('[hidden]')
})

test('a secret that becomes known later is not in an export', async () => {
  const { activity, redactor } = open()
  activity.write({ topic: 'app', text: plainMessage('the word is late-canary-1') })
  redactor.add('late-canary-1')
  expect((await activity.handlers['activity.export']({}, signal)).text).not.toContain('late-canary-1')
})

describe('the level of a topic', () => {
  test('decides what is written, and the environment is above the setting', async () => {
    const { activity, page } = open({
      settings: () => ({ logLevels: { device: 'debug', gateway: 'error' } }),
      environment: 'gateway=warning'
    })
    const topics = ['device', 'gateway', 'job'] as const
    for (const topic of topics)
      for (const level of ['error', 'warning', 'info', 'debug'] as const)
        activity.write({ topic, level, text: plainMessage(`${topic} ${level}`) })
    expect((await page()).counts).toMatchObject({ device: 4, gateway: 2, job: 3 })
    expect(activity.handlers['activity.levels']({}, signal)).toMatchObject({
      levels: { device: 'debug', gateway: 'warning', job: 'info' },
      given: ['gateway']
    })
  })

  test('never hides what a person may have missed', async () => {
    const { activity, page } = open({ environment: 'error' })
    activity.write({ topic: 'data', text: message('activity.backupMade'), kind: 'backupMade' })
    activity.write({ topic: 'data', text: plainMessage('other') })
    expect((await page()).entries.map(({ kind }) => kind)).toEqual(['backupMade'])
  })

  test.each([
    [undefined, {}],
    ['debug', { job: 'debug', app: 'debug' }],
    ['info,device=debug', { job: 'info', device: 'debug' }],
    ['nonsense, device=loud, team = warning', { team: 'warning' }]
  ])('is read from the environment: %s', (text, levels) => {
    expect(readLevels(text)).toMatchObject(levels)
    if (text?.startsWith('nonsense')) expect(Object.keys(readLevels(text))).toEqual(['team'])
  })
})

test('the log is read by level, topic and words, newest first, page by page', async () => {
  const { activity, page } = open()
  for (let n = 1; n <= 30; n++)
    activity.write({
      topic: n % 2 === 0 ? 'job' : 'team',
      level: n % 10 === 0 ? 'warning' : 'info',
      text: plainMessage(`Entry ${n}`)
    })
  const first = await page({ topic: 'job', limit: 10 })
  expect([first.total, first.more, first.entries.map(({ text }) => text.values['text'])[0]]).toEqual([
    15,
    true,
    'Entry 30'
  ])
  const rest = await page({ topic: 'job', limit: 10, before: first.entries.at(-1)?.n })
  expect([rest.more, rest.entries.length]).toEqual([false, 5])
  expect((await page({ level: 'warning' })).entries).toHaveLength(3)
  expect((await page({ search: 'ENTRY 7' })).entries).toHaveLength(1)
  // Topics are counted with the words, so that each shows what it would list.
  expect((await page({ search: 'entry 2', topic: 'team' })).counts).toMatchObject({ job: 6, team: 5 })
})

describe('what happens is written once', () => {
  function listen() {
    const { activity, page } = open({ environment: 'debug' })
    const hear = listenToWork(activity.write, () => 'Unit 0007')
    const step = (state: string) =>
      hear('jobs.step', { jobId: 'J', step: { id: 'position', title: plainMessage('Position'), state, summary: null } })
    const device = (standing: string, signedIn = true) =>
      hear('discovery.changed', {
        devices: [
          { key: 'k', imei: '356938035643809', hostname: null, standing, signedIn, detail: plainMessage('No answer') }
        ]
      })
    const work = (id: string, state: string) =>
      hear('operations.changed', {
        operation: { id, state, title: plainMessage(`Item ${id}`), reason: plainMessage('why') }
      })
    const said = async () => (await page()).entries.reverse().map(({ text, kind }) => [text.id, kind])
    return { hear, step, device, work, said }
  }

  test('a check that ended, but not the state of a job that was opened', async () => {
    const { step, said } = listen()
    step('pass')
    expect(await said()).toEqual([])
    for (const state of ['running', 'running', 'fail', 'fail', 'running', 'pass']) step(state)
    expect(await said()).toEqual([
      ['windowStart.failed', 'checkEnded'],
      ['activity.passed', 'checkEnded']
    ])
  })

  test('a device that stops answering, as news only if somebody works on it', async () => {
    const { device, said } = listen()
    for (const standing of ['verified', 'lost', 'lost', 'verified']) device(standing)
    expect((await said()).slice(1)).toEqual([
      ['activity.deviceLost', 'deviceLost'],
      ['activity.deviceBack', null]
    ])
    device('lost', false)
    expect((await said()).at(-1)).toEqual(['activity.deviceLost', null])
  })

  test('an item that the gateway confirmed, a backup, a team log that was reached', async () => {
    const { hear, work, said } = listen()
    for (const state of ['pending', 'done', 'done']) work('a', state)
    work('b', 'needsAttention')
    const data = (payload: object) => hear('data.changed', payload)
    data({ work: { kind: 'backUp', done: 0, total: 0 }, ended: null })
    data({ work: null, ended: { ok: true, sentence: plainMessage('made') } })
    data({ work: null, ended: { ok: true, sentence: plainMessage('checked') } })
    const team = (own: Partial<Events['team.changed']>) =>
      hear('team.changed', { joined: { team: 'North' }, waiting: 0, problem: null, pushedAt: 'a', ...own })
    team({})
    team({})
    team({ pushedAt: 'b' })
    expect((await said()).filter(([, kind]) => kind !== null)).toEqual([
      ['activity.sent', 'itemsSent'],
      ['activity.workNeedsYou', 'needsYou'],
      ['activity.backupMade', 'backupMade'],
      ['activity.teamPushed', 'jobsSynced']
    ])
  })
})

test('who was away knows from when to when, with several windows', async () => {
  let now = new Date('2026-11-27T14:00:00Z')
  const { activity } = open({ now: () => now })
  const look = (view: string, isLooking: boolean) => activity.handlers['activity.looking']({ view, isLooking }, signal)
  const away = async () => (await activity.handlers['activity.list']({ limit: 10 }, signal)).away
  look('a', true)
  look('b', true)
  look('a', false)
  expect([await away(), activity.isLooking()]).toEqual([null, true])
  now = new Date('2026-11-27T14:02:00Z')
  look('b', false)
  expect(activity.isLooking()).toBe(false)
  now = new Date('2026-11-27T14:31:00Z')
  look('a', true)
  expect(await away()).toEqual({ from: '2026-11-27T14:02:00.000Z', to: '2026-11-27T14:31:00.000Z' })
})

describe('notifications of the system', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  const entry = (kind: LogEntry['kind'], text = 'Something'): LogEntry => ({
    n: 1,
    at: '',
    level: 'info',
    topic: 'job',
    text: plainMessage(text),
    detail: null,
    kind,
    place: null
  })
  function create(notifications: Record<string, boolean> = {}) {
    const window = { isLooking: false }
    const shown: { title: string; body: string }[] = []
    const notifier = createNotifier({
      isLooking: () => window.isLooking,
      wants: (kind) => isNotified({ notifications }, kind),
      say: ({ values }) => String(values['text']),
      sayMore: (n) => `and ${n} more`,
      show: (one) => void shown.push({ title: one.title, body: one.body })
    })
    return { window, shown, notifier }
  }

  test('appear only while nobody looks', () => {
    const { window, shown, notifier } = create()
    window.isLooking = true
    notifier.take(entry('checkEnded'))
    // Who saw it and left needs no notification.
    window.isLooking = false
    vi.advanceTimersByTime(gatherMs)
    expect(shown).toEqual([])
    notifier.take(entry('checkEnded'))
    vi.advanceTimersByTime(gatherMs)
    expect(shown).toEqual([{ title: 'Something', body: '' }])
    // Came back before it was shown.
    notifier.take(entry('checkEnded'))
    window.isLooking = true
    vi.advanceTimersByTime(gatherMs)
    expect(shown).toHaveLength(1)
  })

  test('are one for what happens at once', () => {
    const { shown, notifier } = create()
    for (const text of ['first', 'second', 'third']) notifier.take(entry('deviceLost', text))
    vi.advanceTimersByTime(gatherMs)
    expect(shown).toEqual([{ title: 'first', body: 'and 2 more' }])
  })

  test('of noisy kinds are off until a person switches them on, and each kind can be switched off', () => {
    const { shown, notifier } = create()
    for (const kind of ['itemsSent', 'backupMade', 'jobsSynced', null] as const) notifier.take(entry(kind))
    vi.advanceTimersByTime(gatherMs)
    expect(shown).toEqual([])
    const other = create({ backupMade: true, checkEnded: false })
    other.notifier.take(entry('checkEnded'))
    other.notifier.take(entry('backupMade', 'Backup'))
    vi.advanceTimersByTime(gatherMs)
    expect(other.shown).toEqual([{ title: 'Backup', body: '' }])
  })
})

test('what happens before a person’s eyes is no news', async () => {
  const { activity, page } = open()
  activity.handlers['activity.looking']({ view: 'a', isLooking: true }, signal)
  activity.write({ topic: 'job', text: plainMessage('seen'), kind: 'checkEnded' })
  activity.handlers['activity.looking']({ view: 'a', isLooking: false }, signal)
  activity.write({ topic: 'job', text: plainMessage('missed'), kind: 'checkEnded' })
  expect((await page()).entries.map(({ text, isSeen = false }) => [text.values['text'], isSeen])).toEqual([
    ['missed', false],
    ['seen', true]
  ])
})
