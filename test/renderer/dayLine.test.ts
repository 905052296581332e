import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import DayLine from '../../renderer/features/start/DayLine.vue'

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
