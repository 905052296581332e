import { mount } from '@vue/test-utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import HoldButton from '../../../renderer/base/ui/controls/HoldButton.vue'

describe('the hold-to-arm button', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  const open = () => mount(HoldButton, { props: { holdMs: 2000, text: 'Switch output 1 on' } })

  it('arms once it was held for the whole time with the space bar', async () => {
    const button = open()
    await button.get('button').trigger('keydown', { key: ' ' })
    vi.advanceTimersByTime(1900)
    expect(button.emitted('armed')).toBeUndefined()
    vi.advanceTimersByTime(200)
    expect(button.emitted('armed')).toHaveLength(1)
    vi.advanceTimersByTime(5000)
    expect(button.emitted('armed')).toHaveLength(1)
  })

  it.each(['pointerup', 'pointerleave', 'pointercancel', 'blur'])(
    'starts over at %s and says that nothing was switched',
    async (left) => {
      const button = open()
      await button.get('button').trigger('pointerdown')
      vi.advanceTimersByTime(1500)
      await button.get('button').trigger(left)
      vi.advanceTimersByTime(5000)
      expect(button.emitted('armed')).toBeUndefined()
      expect(button.text()).toContain('Released too early')
    }
  )

  it('is not begun again by a repeating key', async () => {
    const button = open()
    await button.get('button').trigger('keydown', { key: ' ' })
    vi.advanceTimersByTime(1500)
    await button.get('button').trigger('keydown', { key: ' ' })
    vi.advanceTimersByTime(600)
    expect(button.emitted('armed')).toHaveLength(1)
  })
})
