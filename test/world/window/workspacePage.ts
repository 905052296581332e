import { flushPromises, type VueWrapper } from '@vue/test-utils'
import type { PanelName } from '../../../renderer/support/deviceSession/panels.ts'
import { goTo } from '../../../renderer/base/shell/router.ts'
import type { createFakeBridge } from './fakes/fakeBridge.ts'
import { openWindow, page, unmountPage } from './fakes/fakeWindow.ts'
import { workspaceAnswers } from './fakes/fakeWorkspace.ts'

export const key = '867698040023056'

export async function openPanel(
  panel: PanelName,
  own: Parameters<typeof createFakeBridge>[0] = {}
): Promise<VueWrapper> {
  unmountPage()
  goTo('start')
  await openWindow({ ...workspaceAnswers, ...own })
  goTo('device', key, panel)
  await flushPromises()
  return page
}

export function buttonIn(where: VueWrapper, text: string) {
  const found = where.findAll('button').find((one) => one.text().startsWith(text))
  if (!found) throw new Error(`No button "${text}" in: ${where.text()}`)
  return found
}
