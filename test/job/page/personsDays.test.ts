import { flushPromises, mount } from '@vue/test-utils'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defaultSettings } from '../../../preload/app/defaultSettings.ts'
import { timeZone } from '../../../renderer/base/say.ts'
import { beginOf } from '../../../renderer/base/shell/teamQuestion.ts'
import { dueOf } from '../../../renderer/job/assigned/dueTimes.ts'
import HitsOfWeek from '../../../renderer/job/accessories/HitsOfWeek.vue'
import DateFilter from '../../../renderer/job/log/DateFilter.vue'
import { daysFrom, joinTime, splitTime } from '../../../renderer/support/diagnosis/visit/visitTexts.ts'
import { made, openWindow, useFakeWindow } from '../../world/window/fakes/fakeWindow.ts'

useFakeWindow()
afterEach(() => (timeZone.value = null))

/** The computer of the tests is in UTC; the person reads in this zone, at this moment. */
function readIn(zone: string, now: string): void {
  timeZone.value = zone
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(now)
}

describe('Days begin in the zone that the person reads in', () => {
  it('a typed day is that day in the filter of the log, for its jobs and in its name', async () => {
    readIn('America/Los_Angeles', '2026-05-10T12:00:00Z')
    const filter = mount(DateFilter, { props: { range: null, jobs: null } })
    await filter.get('button').trigger('click')
    const [first, last] = filter.findAll('input[type=text]')
    await first?.setValue('2026-05-04')
    await last?.setValue('2026-05-04')
    await filter.get('.whole-row').trigger('click')
    const [range] = filter.emitted('choose')?.[0] as [{ from: string; to: string }]
    expect(range).toEqual({ from: '2026-05-04T07:00:00.000Z', to: '2026-05-05T07:00:00.000Z' })
    await filter.setProps({ range })
    expect(filter.get('button').text()).toContain('4 May 2026')
    expect(filter.get('button').text()).not.toContain('3 May')
    filter.unmount()
  })

  it('“today” of the log begins at the person’s midnight', async () => {
    readIn('America/Los_Angeles', '2026-05-05T03:00:00Z')
    const filter = mount(DateFilter, { props: { range: null, jobs: null } })
    await filter.get('button').trigger('click')
    await filter.findAll('button.from-start')[0]?.trigger('click')
    expect(filter.emitted('choose')?.[0]).toMatchObject([{ from: '2026-05-04T07:00:00.000Z' }])
    filter.unmount()
  })

  it.each([
    ['2026-03-29T10:00:00Z', '2026-03-28T23:00:00.000Z', '2026-03-22T23:00:00.000Z'],
    ['2026-10-25T10:00:00Z', '2026-10-24T22:00:00.000Z', '2026-10-18T22:00:00.000Z']
  ])('the start screen asks for the whole day of a clock change, %s', async (now, from, weekFrom) => {
    readIn('Europe/Berlin', now)
    await openWindow({ 'settings.get': () => ({ ...defaultSettings, firstRun: 'done', timeZone: 'Europe/Berlin' }) })
    await flushPromises()
    expect(made('day.work').at(-1)).toEqual({ from, weekFrom })
  })

  it('the periods of the team’s jobs', () => {
    readIn('America/Los_Angeles', '2026-03-10T03:00:00Z')
    expect(beginOf('today')).toBe('2026-03-09T07:00:00.000Z')
    // The clock changed on March 8.
    expect(beginOf('week')).toBe('2026-03-03T08:00:00.000Z')
  })

  it('a job that is due in two days is not called due tomorrow on a day of 23 hours', () => {
    readIn('Europe/Berlin', '2026-03-28T22:30:00Z')
    expect(dueOf('2026-03-29T10:00:00Z', Date.now()).text).toContain('tomorrow')
    expect(dueOf('2026-03-30T10:00:00Z', Date.now()).text).not.toContain('tomorrow')
  })

  it('the day and the time of a service visit', () => {
    readIn('America/Los_Angeles', '2026-05-05T03:00:00Z')
    expect(daysFrom(Date.now(), null).slice(0, 2)).toEqual(['2026-05-04', '2026-05-05'])
    const dueAt = joinTime({ day: '2026-05-06', minute: 10 * 60 + 30 })
    expect(dueAt).toBe('2026-05-06T17:30:00.000Z')
    expect(splitTime(dueAt)).toEqual({ day: '2026-05-06', minute: 10 * 60 + 30 })
  })

  it('the marks of the days between the hits of a trigger stand at midnight', () => {
    readIn('America/Los_Angeles', '2026-05-05T19:00:00Z')
    const hits = mount(HitsOfWeek, { props: { hits: [], sinceAt: '2026-05-04T19:00:00Z' } })
    const [mark, ...others] = hits.findAll('span')
    expect(others).toHaveLength(0)
    // Noon to noon: midnight is in the middle.
    expect([mark?.text(), mark?.attributes('style')]).toEqual(['5 May', 'left: 50%;'])
    hits.unmount()
  })
})
