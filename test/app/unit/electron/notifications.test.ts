import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { gatherMs } from '../../../../preload/support/activity/notifier.ts'
import type { LogEntry } from '../../../../preload/contract/app/activity.ts'
import { message } from '../../../../preload/contract/messages.ts'
import { defaultSettings } from '../../../../preload/app/defaultSettings.ts'
import { state } from '../../../world/window/electron/electronStandIn.ts'

vi.mock('electron', () => import('../../../world/window/electron/electronStandIn.ts'))
const { showNotifications } = await import('../../../../main/app/electron/notifications.ts')

beforeEach(() => {
  vi.useFakeTimers()
  state.notifications.length = 0
})
afterEach(() => vi.useRealTimers())

const entry: LogEntry = {
  n: 1,
  at: '2026-11-27T09:00:00.000Z',
  level: 'error',
  topic: 'device',
  text: message('activity.deviceLost', { device: '867698040023056' }),
  detail: null,
  kind: 'deviceLost',
  place: { screen: 'job', id: 'J1' }
}

test('the desktop notifies while its window is in the background, in the person’s language, and a press leads to the place', async () => {
  const calls: { name: string; input: unknown }[] = []
  let emit: (name: string, payload: unknown) => void = () => undefined
  let isFocused = true
  let opened = 0
  const stop = showNotifications(
    {
      call: (name, input) => {
        calls.push({ name, input })
        return Promise.resolve({
          ok: true,
          value: name === 'settings.get' ? { ...defaultSettings, language: 'es' } : {}
        })
      },
      onEvent(listener) {
        emit = listener as typeof emit
        return () => (emit = () => undefined)
      }
    },
    () => isFocused,
    () => (opened += 1)
  )
  await vi.advanceTimersByTimeAsync(0)
  emit('activity.added', { entry })
  await vi.advanceTimersByTimeAsync(gatherMs)
  expect(state.notifications).toEqual([])
  isFocused = false
  emit('activity.added', { entry })
  await vi.advanceTimersByTimeAsync(gatherMs)
  expect(state.notifications.map(({ shown }) => shown)).toMatchObject([
    { title: 'El equipo 867698040023056 no responde' }
  ])
  state.notifications[0]?.emit('click')
  expect(opened).toBe(1)
  expect(calls.at(-1)).toEqual({ name: 'activity.open', input: { place: { screen: 'job', id: 'J1' } } })
  // Switched off while Fitter runs.
  emit('settings.changed', { ...defaultSettings, notifications: { deviceLost: false } })
  emit('activity.added', { entry })
  await vi.advanceTimersByTimeAsync(gatherMs)
  expect(state.notifications).toHaveLength(1)
  stop()
})
