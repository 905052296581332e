import { flushPromises, type VueWrapper } from '@vue/test-utils'
import { beforeEach, vi } from 'vitest'
import type { Diagnosis } from '../../../preload/contract/support/diagnosis.ts'
import { goTo } from '../../../renderer/base/shell/router.ts'
import type { createFakeBridge } from './fakes/fakeBridge.ts'
import { startedAt } from '../data/fakeData.ts'
import { openWindow, page, useFakeWindow } from './fakes/fakeWindow.ts'

export const key = '867698040023056'

/** For the tests of one file, at the time of the fake data. */
export function useDiagnosisPage(): void {
  useFakeWindow()
  beforeEach(() => {
    vi.useFakeTimers({ now: startedAt, toFake: ['Date'] })
  })
}

export async function openDiagnosis(
  own: Parameters<typeof createFakeBridge>[0] = {},
  where: [string, string] = ['device', key]
): Promise<VueWrapper> {
  await openWindow(own)
  goTo('diagnose', ...where)
  await flushPromises()
  return page
}

/** An answer of the core for every subject. */
export const looking = (look: Diagnosis) => ({ 'diagnosis.look': () => look })

/** The facts in the order in which they are shown. */
export const factRows = (shown: VueWrapper): string[] =>
  shown.findAll('tr.fact').map((row) => row.attributes('data-fact') ?? '')

export function press(name: string): void {
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }))
}
