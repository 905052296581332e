import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { expect, it, vi } from 'vitest'
import { endOfMonth, monthsBetween } from '../../../renderer/job/log/months.ts'
import { rangeOf } from '../../../renderer/base/lists/dates.ts'
import LogRow from '../../../renderer/job/log/LogRow.vue'
import { rowStanding } from '../../../renderer/job/log/standings.ts'
import { useChoice } from '../../../renderer/job/log/useChoice.ts'
import { goTo } from '../../../renderer/base/shell/router.ts'
import { createFakeBridge } from '../../world/window/fakes/fakeBridge.ts'
import * as data from '../../world/data/fakeData.ts'
import { core, openWindow, page, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

async function open(own: Parameters<typeof createFakeBridge>[0] = {}): Promise<VueWrapper> {
  await openWindow(own)
  goTo('jobs')
  await flushPromises()
  await flushPromises()
  return page
}

useFakeWindow()

const nothing = { jobs: [], next: null, total: 0, isMore: false, isSimilar: false }
const noFacets = {
  total: 0,
  standings: {},
  customers: { values: [], more: 0 },
  technicians: { values: [], more: 0 },
  templates: { values: [], more: 0 },
  months: []
}

it('says of an empty log what a job begins with', async () => {
  const shown = await open({ 'jobLog.page': () => nothing, 'jobLog.facets': () => noFacets })
  expect(shown.text()).toContain('No jobs yet')
  expect(shown.findAll('button').some((button) => button.text() === 'Find a device')).toBe(true)
})

it('says why the log could not be read, and tries again', async () => {
  let isBroken = true
  const shown = await open({
    'jobLog.page': () => {
      if (isBroken) throw new Error('The disk does not answer.')
      return { ...nothing, jobs: [data.listedJob], total: 1 }
    }
  })
  expect(shown.get('[role=alert]').text()).toContain('The disk does not answer.')
  isBroken = false
  await shown.findAll('[role=alert] button')[0]?.trigger('click')
  await flushPromises()
  expect(shown.find('[role=alert]').exists()).toBe(false)
})

it('names a job by its vehicle as it was typed until the gateway confirms one, and by its checklist without any', () => {
  const nameOf = (more: object) =>
    mount(LogRow, { props: { job: { ...data.listedJob, vehicle: null, ...more }, isChosen: false, nowMs: 0 } })
      .get('.vehicle a')
      .text()
  expect([nameOf({ vehicleText: 'Unit 0008' }), nameOf({})]).toEqual(['Unit 0008', 'Standard installation'])
})

it('opens the only hit with Enter, also before typing has rested, and never one of several or a similar one', async () => {
  const answer = { ...nothing, jobs: [data.listedJob], total: 1, isSimilar: true }
  const shown = await open({ 'jobLog.page': () => answer })
  const enter = async () => {
    await shown.get('input[type=search]').trigger('keydown', { key: 'Enter' })
    await flushPromises()
  }
  await shown.get('input[type=search]').setValue('unit 0007')
  await enter()
  expect(window.location.hash).toBe('#/jobs')
  answer.isSimilar = false
  await shown.get('input[type=search]').setValue('unit 0007 ')
  await enter()
  expect(window.location.hash).toBe(`#/job/${data.listedJob.id}`)
})

it('asks the core for what is ticked, and shows how many more a fact has', async () => {
  const values = Array.from({ length: 8 }, (_, number) => ({ value: `Customer ${number}`, jobs: 80 - number }))
  const shown = await open({
    'jobLog.facets': () => ({
      ...noFacets,
      total: 100,
      standings: { done: 100 },
      customers: { values, more: 204 },
      months: [{ month: '2026-11', jobs: 100 }]
    })
  })
  const aside = shown.get('aside')
  expect(aside.text()).toContain('209 more')
  await aside
    .findAll('input[type=checkbox]')
    .find((box) => box.element.closest('label')?.textContent?.includes('Customer 1'))
    ?.setValue(true)
  await expect
    .poll(() => core.made.filter(({ name }) => name === 'jobLog.facets').at(-1)?.input)
    .toEqual({ filter: { customers: ['Customer 1'] } })
})

it('never shows a job with skipped steps in green, nor one that waits in anything but its own shape', () => {
  const counts = {
    waiting: 0,
    running: 0,
    pass: 12,
    sent: 0,
    warn: 0,
    fail: 0,
    unreadable: 0,
    waived: 1,
    deferred: 0,
    notApplicable: 0
  }
  const job = { counts, isActive: false, damage: null }
  expect(rowStanding({ ...job, state: 'done' })).toEqual({ shape: 'waived', text: 'Done, skipped' })
  expect(rowStanding({ ...job, state: 'done', counts: { ...counts, waived: 0 } }).shape).toBe('pass')
  expect(rowStanding({ ...job, state: 'installedAwaitingGateway' })).toEqual({ shape: 'defer', text: 'Waiting' })
  expect(rowStanding({ ...job, state: 'cancelled' }).shape).toBe('none')
  expect(rowStanding({ ...job, state: 'running' }).shape).toBe('wait')
})

it('chooses from where the last one was chosen to here, in both directions, and all by the filter', () => {
  const choice = useChoice((index) => `job ${index}`)
  choice.toggle(5)
  choice.upTo(3)
  expect([...choice.ids.value].sort()).toEqual(['job 3', 'job 4', 'job 5'])
  choice.all()
  expect(choice.has('job 999')).toBe(true)
  choice.toggle(7)
  expect([choice.isAll.value, [...choice.ids.value]]).toEqual([false, ['job 7']])
  choice.none()
  expect(choice.isNone.value).toBe(true)
})

it('knows every month between two, and when one ends', () => {
  expect(monthsBetween('2022-02', '2021-11')).toEqual(['2022-02', '2022-01', '2021-12', '2021-11'])
  expect(endOfMonth('2021-12')).toBe('2022-01-01T00:00:00.000Z')
})

it('begins a week on its Monday', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime('2026-11-22T15:00:00Z')
  expect(rangeOf('week').from).toBe('2026-11-16T00:00:00.000Z')
})
