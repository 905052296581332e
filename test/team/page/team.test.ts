import { flushPromises, mount, type DOMWrapper, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { message, plainMessage } from '../../../preload/contract/messages.ts'
import type { TeamJob } from '../../../preload/contract/team/team.ts'
import App from '../../../renderer/app/frame/App.vue'
import { initialsOf, nowOf, shortAge } from '../../../renderer/base/shell/teamStanding.ts'
import { useTeamPages } from '../../../renderer/team/list/useTeamPages.ts'
import { beginOf, firstQuestion, sectionsOf } from '../../../renderer/base/shell/teamQuestion.ts'
import { goTo, place } from '../../../renderer/base/shell/router.ts'
import { loadScreens } from '../../../renderer/app/frame/screens.ts'
import { createFakeBridge, FakeFailure, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import {
  counts,
  failing,
  jobs,
  live,
  mine,
  pageOf,
  skipped,
  teamAnswers,
  teamJob,
  waits,
  work
} from '../../world/window/fakes/fakeTeam.ts'
import { giveRoom } from '../../world/window/fakes/fakeWindow.ts'

const counts0 = {
  waiting: 0,
  running: 0,
  pass: 0,
  sent: 0,
  warn: 0,
  fail: 0,
  unreadable: 0,
  waived: 0,
  deferred: 0,
  notApplicable: 0
}
let core: FakeBridge
let page: VueWrapper

async function settle(): Promise<void> {
  for (let n = 0; n < 8; n++) await flushPromises()
}
async function open(own: Parameters<typeof createFakeBridge>[0] = {}): Promise<void> {
  core = createFakeBridge({ ...teamAnswers(), ...own })
  window.fitter = core
  page = mount(App, { global: { plugins: [createPinia()] }, attachTo: document.body })
  await settle()
  goTo('team')
  await settle()
}
const made = (name: string) => core.made.filter((call) => call.name === name).map((call) => call.input)
const rows = (): DOMWrapper<Element>[] => page.findAll('[role=row][data-index]')
const row = (words: string) => rows().find((one) => one.text().includes(words))
const button = (text: string) => page.findAll('button').find((one) => one.text().includes(text))
const panel = () => page.get('aside[aria-label="Selected job"]')
async function after(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
  await settle()
}
async function press(key: string): Promise<void> {
  ;(document.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  )
  await after(200)
}

beforeAll(async () => {
  ;(
    window as unknown as { happyDOM: { setViewport(size: { width: number; height: number }): void } }
  ).happyDOM.setViewport({ width: 1280, height: 800 })
  giveRoom(600)
  await loadScreens()
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  setActivePinia(createPinia())
  goTo('start')
})
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

test('a laptop that has joined no team log is told what it is for and where to join, and the strip says nothing of it', async () => {
  await open({ 'team.status': () => ({ ...work, joined: null }) })
  expect(page.text()).toContain('jobs never wait for it')
  expect(
    page
      .findAll('a')
      .find((link) => link.text() === 'Join the team log')
      ?.attributes('href')
  ).toBe('#/settings/team')
  expect(page.get('header').text()).not.toContain('Team log')
  expect(made('team.jobs')).toEqual([])
})

test('the list stands in groups, each job with its holder, its standing in words and its age, and the head has the numbers', async () => {
  const heard = jobs.map((job) => ({ ...job, updatedAt: new Date(Date.now() - 40_000).toISOString() }))
  await open(teamAnswers(() => heard))
  expect(page.text()).toContain('24 jobs today, 4 technicians, first-pass rate 87 % this month')
  expect(page.findAll('.group').map((one) => one.text())).toEqual([
    'In progress 2',
    'Installed, waiting for the gateway 1',
    'Done today 1'
  ])
  expect(row('Unit 0001')?.text()).toContain('Ignition: failed')
  expect(row('Unit 0001')?.find('[data-shape=fail]').exists()).toBe(true)
  expect(row('Unit 0002')?.text()).toContain('Laptop 1')
  expect(row('Unit 0003')?.text()).toContain('2 wait')
  expect(row('Unit 0004')?.find('[data-shape=waived]').exists()).toBe(true)
  expect(row('Unit 0001')?.text()).toContain('40 s')
  await after(30_000)
  expect(row('Unit 0001')?.text()).toContain('70 s')
  expect(page.text()).toContain('1 to 4 of 4')
  expect(page.get('[aria-label=Customers]').text()).toContain('2 late')
})

test('who needs help stands beside the list at once, only to be read, with what failed, who saw it and no way to change it', async () => {
  await open()
  await after(200)
  expect(panel().text()).toContain('Read only')
  expect(panel().text()).toContain('Held by Laptop 2, live')
  expect(panel().text()).toContain('IN2 0 → 1')
  expect(made('team.job')).toEqual([{ id: failing.id }])
})

test('a job of this laptop is not called read only, and what is shown in all counts prepared jobs as well', async () => {
  await open({ 'team.counts': () => ({ ...counts, all: 4, assigned: 1 }) })
  await row('Unit 0002')?.trigger('click')
  await after(200)
  expect(panel().text()).toContain('Your job')
  expect(panel().text()).not.toContain('Read only')
  expect(button('All')?.text()).toBe('All5')
  await page.findAll('select')[0]?.setValue('Technician One')
  await after(200)
  expect(button('All')?.text()).toBe('All4')
})

test('the keys walk, open and close: what is mine opens where I work on it, what is a colleague’s is read whole', async () => {
  await open()
  await after(200)
  rows()[0]?.element.dispatchEvent(new FocusEvent('focus'))
  ;(rows()[0]?.element as HTMLElement).focus()
  await press('j')
  expect(page.findAll('[aria-selected=true]').map((one) => one.text())[0]).toContain('Unit 0002')
  await press('k')
  await press('Enter')
  expect(place.value).toMatchObject({ screen: 'team-job', id: failing.id })
  goTo('team')
  await after(300)
  await row('Unit 0001')?.trigger('keydown', { key: 'Escape' })
  await after(50)
  expect(page.find('aside[aria-label="Selected job"]').exists()).toBe(false)
  await press('/')
  expect((document.activeElement as HTMLInputElement).type).toBe('search')
})

test('news of a job change its row in its place, without a new list; one that moved on changes its group', async () => {
  let now: TeamJob[] = [...jobs]
  await open(teamAnswers(() => now))
  const asked = made('team.jobs').length
  now = now.map((job) =>
    job.id === mine.id ? { ...job, named: [{ title: plainMessage('Output 1'), state: 'running' }] } : job
  )
  core.emit('team.news', { jobIds: [mine.id] })
  await after(300)
  expect(row('Unit 0002')?.text()).toContain('Output 1')
  expect(made('team.jobs').slice(asked)).toEqual([{ ids: [mine.id], limit: 100 }])
  now = now.map((job) =>
    job.id === waits.id
      ? { ...job, state: 'done', endedAt: new Date().toISOString(), counts: { ...counts0, pass: 12 } }
      : job
  )
  core.emit('team.news', { jobIds: [waits.id] })
  await after(300)
  expect(page.findAll('.group').map((one) => one.text())).toEqual(['In progress 2', 'Done today 2'])
})

test('words are asked for when typing rests, in all that there ever was; similar ones are told', async () => {
  await open({ 'team.jobs': (question) => ({ ...pageOf(jobs, question), isSimilar: question.search !== undefined }) })
  await page.get('input[type=search]').setValue('unit 0004')
  await after(100)
  expect(made('team.jobs').some((input) => (input as { search?: string }).search !== undefined)).toBe(false)
  await after(200)
  expect(made('team.jobs').at(-1)).toEqual({ search: 'unit 0004', limit: 50 })
  expect(rows().map((one) => one.text().includes('Unit 0004'))).toEqual([true])
  expect(page.text()).toContain('Similar jobs')
})

test('filters ask the server, and a customer narrows the list until it is shown whole again', async () => {
  await open()
  await button('With skipped steps')?.trigger('click')
  await after(50)
  expect(made('team.jobs').at(-1)).toEqual({ group: 'skipped', endedSince: beginOf('today'), limit: 50 })
  await button('All')?.trigger('click')
  await page.findAll('select')[0]?.setValue('Technician One')
  await after(50)
  expect(rows().length).toBe(1)
  await page.findAll('select')[0]?.setValue('')
  await page.get('[aria-label=Customers] button').trigger('click')
  await after(50)
  expect(page.text()).toContain('Only Customer One')
  await button('Show everything')?.trigger('click')
  await after(50)
  expect(page.text()).not.toContain('Only Customer One')
})

test('work for nobody by name is no customer of the progress, and no customer is shown as chosen', async () => {
  await open({
    'team.counts': () => ({ ...counts, customers: [...counts.customers, { customer: '', done: 0, of: 9, late: 0 }] })
  })
  expect(
    page
      .findAll('[aria-label=Customers] button')
      .map((one) => [one.text().includes('Customer '), one.attributes('aria-pressed')])
  ).toEqual([
    [true, 'false'],
    [true, 'false']
  ])
})

test('what stands beside the list belongs to what was asked for: the first that was found, and nothing where nothing was', async () => {
  await open()
  await after(200)
  expect(panel().text()).toContain('Unit 0001')
  await page.get('input[type=search]').setValue('unit 0003')
  await after(600)
  expect(panel().text()).toContain('Unit 0003')
  await page.get('input[type=search]').setValue('nobody has this')
  await after(600)
  expect(page.text()).toContain('No matches')
  expect(page.find('aside[aria-label="Selected job"]').exists()).toBe(false)
})

test('a long group is read page by page as it is walked, and says where one is', async () => {
  const many = Array.from({ length: 130 }, (_, number) => teamJob(number))
  await open(teamAnswers(() => many))
  expect(page.text()).toContain('more below')
  expect(made('team.jobs').some((input) => (input as { after?: string }).after !== undefined)).toBe(false)
  expect(rows().length).toBeLessThan(40)
  const box = page.get('[role=grid]').element
  box.scrollTop = 36 * 40
  box.dispatchEvent(new Event('scroll'))
  await after(300)
  expect(made('team.jobs').filter((input) => (input as { after?: string }).after !== undefined)).toEqual([
    { group: 'inWork', endedSince: beginOf('today'), after: many[49]?.id, limit: 50 }
  ])
  expect(page.text()).toMatch(/4\d to 5\d, more below/)
})

test('rows far down say what is new of them as well, and leave a group that they left', async () => {
  let now = Array.from({ length: 130 }, (_, number) => teamJob(number))
  await open(teamAnswers(() => now))
  const pages = useTeamPages()
  await pages.load(firstQuestion)
  await pages.more('inWork')
  const inWork = () => pages.sections.value.find(({ name }) => name === 'inWork')?.jobs ?? []
  expect(inWork().length).toBe(100)
  const change = (at: number, more: Partial<TeamJob>) =>
    (now = now.map((job, index) => (index === at ? { ...job, ...more } : job)))
  // Nobody knows what changed: the connection was away.
  change(70, { customer: 'Customer Seventy' })
  change(80, { state: 'done', endedAt: new Date().toISOString() })
  const [seventy, eighty, ninety] = [70, 80, 90].map((at) => now[at]?.id ?? '')
  await pages.refresh()
  expect(inWork().find(({ id }) => id === seventy)?.customer).toBe('Customer Seventy')
  expect(inWork().some(({ id }) => id === eighty)).toBe(false)
  // News of one that went on.
  change(90, { state: 'done', endedAt: new Date().toISOString() })
  await pages.take(new Set([ninety ?? '']))
  expect(inWork().some(({ id }) => id === ninety)).toBe(false)
  expect(
    pages.sections.value
      .find(({ name }) => name === 'ended')
      ?.jobs.map(({ id }) => id)
      .toSorted()
  ).toEqual([eighty, ninety].toSorted())
  expect(inWork().length).toBe(98)
})

test('while the server is away the list is what is kept here, and says so with its age', async () => {
  await open({
    'team.status': () => ({ ...work, waiting: 3, problem: message('team.away', { host: 'team.example' }) }),
    'team.watch': () => ({ ...live, state: 'away' }),
    'team.counts': () => {
      throw new FakeFailure({ code: 'UNREACHABLE', message: 'away', retryable: true })
    },
    'team.jobs': (question) => ({
      ...pageOf([{ ...skipped, keptAt: new Date(Date.now() - 180_000).toISOString() }], question),
      keptAt: new Date(Date.now() - 180_000).toISOString(),
      why: message('team.away', { host: 'team.example' })
    })
  })
  expect(page.text()).toContain('Showing the local copy from 3 min ago')
  expect(page.get('header').text()).toContain('unreachable')
  expect(page.get('header').text()).toContain('3 jobs waiting')
})

test('rows that the server told stay with their age while it is away, also for whoever comes back', async () => {
  const why = message('team.away', { host: 'team.example' })
  let isAway = false
  const old = new Date(Date.now() - 3_600_000).toISOString()
  await open({
    'team.jobs': (question) =>
      isAway
        ? {
            ...pageOf(
              jobs.slice(0, 1).map((job) => ({ ...job, keptAt: old })),
              question
            ),
            keptAt: old,
            why
          }
        : pageOf(jobs, question)
  })
  const before = rows().map((one) => one.text())
  expect(before.length).toBeGreaterThan(1)
  isAway = true
  await after(180_000)
  core.emit('team.news', { jobIds: null })
  await after(500)
  expect(rows()).toHaveLength(before.length)
  expect(page.text()).toContain('Showing the local copy from 3 min ago')
  goTo('start')
  await settle()
  goTo('team')
  await settle()
  expect(rows()).toHaveLength(before.length)
  expect(page.text()).toContain('Showing the local copy from 3 min ago')
})

test('what was not asked of the server is not called nothing found, and the strip stays with what was heard last', async () => {
  const why = message('team.away', { host: 'team.example' })
  let isAway = true
  await open({
    'team.watch': ({ isOn }) => ({
      ...live,
      state: !isOn ? 'off' : isAway ? 'away' : 'listening',
      why: isOn && isAway ? why : null
    }),
    'team.jobs': (question) => ({ ...pageOf(isAway ? [] : jobs, question), why: isAway ? why : null }),
    'team.assigned': () => ({ assigned: [], keptAt: null, why: isAway ? why : null, next: null }),
    'team.offers': () => ({ offers: [], lost: [], takings: [], why: isAway ? why : null })
  })
  await page.get('input[type=search]').setValue('unit 0118')
  await after(600)
  expect(page.text()).toContain('No local copy')
  expect(page.text()).not.toContain('No matches')
  goTo('start')
  await after(100)
  expect(page.get('header').text()).toContain('Team log unreachable')
  isAway = false
  await after(61_000)
  expect(page.get('header').text()).toContain('Team log joined')
})

test('the strip says how the team log is reached and leads to its settings', async () => {
  await open()
  const strip = page.findAll('header a').find((link) => link.text().includes('Team log'))
  expect(strip?.text()).toContain('live')
  expect(strip?.attributes('href')).toBe('#/settings/team')
  core.emit('team.live', { ...live, state: 'looking' })
  await settle()
  expect(strip?.text()).toContain('checks every 5 s')
  await after(10_000)
  expect([strip?.find('.rest').text(), strip?.find('.short').text()]).toEqual([
    expect.stringMatching(/^· uploaded \d+ s ago$/),
    expect.stringMatching(/^\d+ s$/)
  ])
  core.emit('team.changed', { ...work, waiting: 3 })
  await settle()
  expect(strip?.find('.short').text()).toBe('3 waiting')
  expect(page.text()).not.toContain('cannot be reached')
  core.emit('team.live', { ...live, state: 'away', why: message('team.away', { host: 'team.example' }) })
  await settle()
  expect(page.get('main').text()).toContain('The team log cannot be reached. Showing the local copy from')
  expect(strip?.text()).toContain('unreachable')
  core.emit('team.live', { ...live, state: 'away', why: message('team.wrongPassword', { host: 'team.example' }) })
  await settle()
  expect(strip?.text()).toContain('stopped')
})

test('a job opens whole and only to be read: all its steps, both sides of a fork, its seal, and no button that changes it', async () => {
  const side = {
    by: 'Laptop 2',
    pushedAt: data.at(0),
    entries: [{ seq: 7, at: data.at(0), type: 'evidence', stepId: 'ignition', what: plainMessage('Engine on') }],
    more: 2
  }
  await open({
    'team.report': () => ({ fileName: 'report.pdf', mediaType: 'application/pdf', base64: '' }),
    'team.job': () => ({
      job: { ...data.job, id: failing.id },
      holder: 'Laptop 2',
      isMine: false,
      keptAt: null,
      work: [
        {
          id: 'OP1',
          kind: 'counter',
          title: plainMessage('Set a counter'),
          state: 'unknown',
          reason: plainMessage('No answer came.'),
          updatedAt: data.at(0)
        }
      ],
      forks: [
        {
          seq: 7,
          log: side,
          other: { ...side, by: 'Laptop 3' },
          isSettled: true,
          settled: [{ by: 'Laptop 3', at: data.at(0), reason: 'Laptop 2 finished it' }]
        }
      ]
    })
  })
  goTo('team-job', failing.id)
  await after(100)
  expect(page.findAll('.steps li').length).toBe(data.job.steps.length)
  expect(page.text()).toContain('The log is intact')
  expect(page.get('[aria-label="Another version of this job was archived"]').text()).toMatch(
    /The job continues with the team version.*Laptop 3 chose the team version.*Laptop 2 finished it.*from Laptop 3/
  )
  expect(
    page
      .findAll('main button')
      .map((one) => one.text())
      .filter((text) => /Run|Skip|Answer|Pause|Start/.test(text))
  ).toEqual([])
  expect(page.text()).toMatch(/Set a counter.*No answer came\..*Finished changes are not in the team log/)
  const before = made('team.job').length
  core.emit('team.news', { jobIds: [failing.id] })
  await after(300)
  expect(made('team.job').length).toBe(before + 1)
  await page.get('button[aria-label="Save the report as PDF"]').trigger('click')
  await settle()
  expect(made('team.report')).toEqual([{ id: failing.id, format: 'pdf', language: 'en' }])
})

test('a log that does not hold is told, and nothing of it is shown', async () => {
  await open({
    'team.job': () => {
      throw new FakeFailure({
        code: 'DATA_UNUSABLE',
        message: message('team.jobDamaged', { entry: 7 }),
        retryable: false
      })
    }
  })
  goTo('team-job', failing.id)
  await after(100)
  expect(page.get('[role=alert]').text()).toContain('7')
  expect(page.find('.steps').exists()).toBe(false)
})

test('what a row says of a job is in words, and skipped or only sent is never green', () => {
  expect(nowOf(skipped)).toEqual({ shape: 'waived', text: '2 skipped' })
  expect(nowOf({ ...skipped, counts: { ...counts0, pass: 12, sent: 1 } })).toEqual({ shape: 'pass', text: '12 passed' })
  expect(nowOf(teamJob(9, { state: 'draft' }))).toEqual({ shape: 'wait', text: 'Not started' })
  expect(nowOf(teamJob(9, { named: [{ title: plainMessage('Network'), state: 'waiting' }] }))).toEqual({
    shape: 'wait',
    text: 'Next: Network'
  })
  expect(nowOf(teamJob(9, { handedOver: { id: 'x', to: 'Laptop 3', at: data.at(0) } }))).toEqual({
    shape: 'none',
    text: 'being handed over to Laptop 3'
  })
  expect(initialsOf('Technician One')).toBe('TO')
  expect(
    [1, 30, 48 * 60, 5 * 3600, 80 * 3600].map((s) =>
      shortAge(new Date(Date.now() - s * 1000).toISOString(), Date.now())
    )
  ).toEqual(['now', '30 s', '48 min', '5 h', '3 days'])
  expect(sectionsOf(firstQuestion).map(({ name }) => name)).toEqual(['inWork', 'waiting', 'ended'])
})

test('what is prepared stands between what waits and what is done, and opens beside the list', async () => {
  const assigned = {
    id: 'A1',
    template: { id: 'standard', version: 3, name: plainMessage('Standard installation') },
    vehicle: 'Unit 0032',
    customer: 'Customer One',
    imei: '',
    order: null,
    notes: 'By the gate',
    by: 'Laptop 9',
    madeAt: data.at(0),
    to: '',
    dueAt: null,
    begun: null,
    withdrawn: null,
    jobId: null,
    told: null,
    whyNot: null,
    hint: null
  }
  await open({ 'team.assigned': () => ({ assigned: [assigned], keptAt: null, why: null, next: null }) })
  expect(page.findAll('.group').map((one) => one.text())).toEqual([
    'In progress 2',
    'Installed, waiting for the gateway 1',
    'Assigned 1',
    'Done today 1'
  ])
  expect(row('Unit 0032')?.text()).toContain('nobody yet')
  await row('Unit 0032')?.trigger('click')
  await after(50)
  expect(page.get('aside').text()).toContain('By the gate')
  expect(page.get('aside').text()).toContain('by Laptop 9')
  expect(button('Start')).toBeDefined()
})

test('what is prepared for a colleague is not begun here', async () => {
  const assigned = {
    id: 'A1',
    template: { id: 'standard', version: 3, name: plainMessage('Standard installation') },
    vehicle: 'Unit 0032',
    customer: '',
    imei: '',
    order: null,
    notes: '',
    by: 'Laptop 9',
    madeAt: data.at(0),
    to: 'Laptop 2',
    dueAt: null,
    begun: null,
    withdrawn: null,
    jobId: null,
    told: null,
    whyNot: null,
    hint: null
  }
  await open({ 'team.assigned': () => ({ assigned: [assigned], keptAt: null, why: null, next: null }) })
  await row('Unit 0032')?.trigger('click')
  await after(50)
  expect(button('Withdraw')).toBeDefined()
  expect(button('Start')).toBeUndefined()
})

test('a colleague’s job is taken over with a reason, after being told to ask first; my own is not', async () => {
  await open({
    'team.takeOver': () =>
      ({
        id: failing.id,
        state: 'taken',
        pictures: { done: 0, total: 0, doneBytes: 0, totalBytes: 0 },
        why: null,
        taken: {}
      }) as never
  })
  await after(200)
  await button('Take over…')?.trigger('click')
  await after(100)
  const dialog = () => document.querySelector('dialog, [role=dialog]')
  await vi.waitFor(() => expect(dialog()?.textContent).toContain('If that laptop is only offline, ask first'), 15_000)
  const reason = dialog()?.querySelector('textarea')
  if (!reason) throw new Error('no place for a reason')
  reason.value = 'The laptop is lost'
  reason.dispatchEvent(new Event('input', { bubbles: true }))
  await settle()
  dialog()
    ?.querySelector('form')
    ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  await settle()
  expect(made('team.takeOver')).toEqual([{ jobId: failing.id, reason: 'The laptop is lost' }])
  expect(place.value).toMatchObject({ screen: 'job', id: failing.id })
  goTo('team')
  await after(300)
  await row('Unit 0002')?.trigger('click')
  await after(300)
  expect(button('Take over…')).toBeUndefined()
  expect(button('Hand over…')).toBeDefined()
})

test('who works on a job that is to be taken over, and how long to wait, is said where the reason was given', async () => {
  await open({
    'team.takeOver': () => {
      throw new FakeFailure({
        code: 'CONFLICT',
        message: message('teamHolding.atWork', { by: 'Laptop 2', agoMin: 3, waitMin: 7 }),
        retryable: false
      })
    }
  })
  await after(200)
  await button('Take over…')?.trigger('click')
  await after(100)
  const dialog = () => document.querySelector('dialog, [role=dialog]')
  await vi.waitFor(() => expect(dialog()?.querySelector('textarea')).toBeTruthy(), 15_000)
  const reason = dialog()?.querySelector('textarea')
  if (!reason) throw new Error('no place for a reason')
  reason.value = 'It is needed here'
  reason.dispatchEvent(new Event('input', { bubbles: true }))
  await settle()
  dialog()
    ?.querySelector('form')
    ?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  await settle()
  expect(dialog()?.textContent).toMatch(
    /Laptop 2 worked on this job in the last 3\smin\. Ask for a hand-over, or try again in 7\smin\./
  )
  expect(place.value).toMatchObject({ screen: 'team' })
})

test('a job is kept here by its pin, and let go by it', async () => {
  await open()
  await after(200)
  const pin = () => panel().get('[aria-label="Keep local copy"]')
  expect(pin().attributes('aria-pressed')).toBe('false')
  await pin().trigger('click')
  await settle()
  expect(made('team.pin')).toEqual([{ kind: 'job', value: failing.id }])
  expect(pin().attributes('aria-pressed')).toBe('true')
})
