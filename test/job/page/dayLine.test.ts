import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { plainMessage } from '../../../preload/contract/messages.ts'
import DayLine from '../../../renderer/job/start/DayLine.vue'

beforeEach(() => {
  setActivePinia(createPinia())
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
})
afterEach(() => vi.useRealTimers())

describe('The time on the line of the day', () => {
  it.each([
    [9, false],
    [23, true]
  ])('at %i:57 stands before its line only where there is no room behind it', (hour, isLate) => {
    const now = new Date()
    now.setHours(hour, 57, 0, 0)
    vi.setSystemTime(now)
    const line = mount(DayLine, { props: { stretches: [] } })
    expect(line.get('.now').classes('late')).toBe(isLate)
    line.unmount()
  })
})

it('has room for any number of jobs at the same time', () => {
  const now = new Date('2026-11-20T15:00:00Z')
  vi.setSystemTime(now)
  for (const n of [1, 3, 7, 12]) {
    const stretches = Array.from({ length: n }, (_, index) => ({
      jobId: `J${String(index)}`,
      name: plainMessage('Installation'),
      from: '2026-11-20T08:00:00.000Z',
      until: '2026-11-20T14:00:00.000Z',
      state: 'running' as const,
      isActive: true,
      hasSkipped: false
    }))
    const line = mount(DayLine, { props: { stretches: stretches as never } })
    const grownPx = Number.parseFloat(
      line
        .get('.day')
        .element.getAttribute('style')
        ?.match(/--grown: ([\d.]+)px/)?.[1] ?? 'NaN'
    )
    const places = line
      .findAll<HTMLElement>('.block')
      .map(({ element: { style } }) => [Number.parseFloat(style.top), Number.parseFloat(style.height)] as const)
    expect(places).toHaveLength(n)
    // The line of hours is 72 px high, and more where it has grown.
    for (const [topPx, heightPx] of places) expect(topPx + heightPx, String(n)).toBeLessThanOrEqual(72 + grownPx)
    expect(new Set(places.map(([topPx]) => topPx)).size).toBe(n)
    expect(grownPx).toBeLessThanOrEqual(38)
    line.unmount()
  }
})
