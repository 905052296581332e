import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { afterEach, expect, it } from 'vitest'
import type { ReportFontState } from '../../../preload/contract/app/reportFont.ts'
import { message } from '../../../preload/contract/messages.ts'
import WorkSettings from '../../../renderer/app/settings/WorkSettings.vue'
import { createFakeBridge, FakeFailure, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'

let core: FakeBridge
let page: VueWrapper
const chosen = { name: 'Noto Sans Tifinagh.ttf', problem: null }

async function open(state: ReportFontState, more: Parameters<typeof createFakeBridge>[0] = {}): Promise<void> {
  core = createFakeBridge({ 'reportFont.state': () => state, ...more })
  window.fitter = core
  page = mount(WorkSettings, { global: { plugins: [createPinia()] }, attachTo: document.body })
  await flushPromises()
}
afterEach(() => page.unmount())

const row = () => page.get('#setting-reportFont')
const press = async (text: string) => {
  const found = row()
    .findAll('button')
    .find((one) => one.text() === text)
  if (!found) throw new Error(`No button "${text}" in: ${row().text()}`)
  await found.trigger(text === 'Remove' ? 'click' : 'submit')
  await flushPromises()
}
const made = (name: string) => core.made.filter((call) => call.name === name).map((call) => call.input)

it('in a browser the path of the font for reports is typed, and the font is named and can be removed', async () => {
  await open(
    { font: null, chosenBy: 'path' },
    {
      'reportFont.chooseFile': () => ({ font: chosen, chosenBy: 'path' }),
      'reportFont.forget': () => ({ font: null, chosenBy: 'path' })
    }
  )
  expect(row().text()).toContain('Report font for other scripts')
  expect(row().get('button').attributes('disabled')).toBeDefined()
  expect(row().text()).not.toContain('Remove')
  await row().get('input').setValue('/home/anna/Noto Sans Tifinagh.ttf')
  await press('Choose this file')
  expect(made('reportFont.chooseFile')).toEqual([{ path: '/home/anna/Noto Sans Tifinagh.ttf' }])
  expect(row().get('b').text()).toBe('Noto Sans Tifinagh.ttf')
  expect((row().get('input').element as HTMLInputElement).value).toBe('')
  await press('Remove')
  expect(row().text()).not.toContain('Noto Sans Tifinagh.ttf')
})

it('in the desktop window the dialog of the system asks for the font', async () => {
  await open(
    { font: null, chosenBy: 'dialog' },
    { 'reportFont.pickFile': () => ({ font: chosen, chosenBy: 'dialog' }) }
  )
  expect(row().find('input').exists()).toBe(false)
  await press('Choose this file')
  expect(row().text()).toContain('Noto Sans Tifinagh.ttf')
})

it('says which file is no font, and keeps what was typed', async () => {
  await open(
    { font: null, chosenBy: 'path' },
    {
      'reportFont.chooseFile': () => {
        throw new FakeFailure({ code: 'REFUSED', message: message('reportFont.notFont'), retryable: false })
      }
    }
  )
  await row().get('input').setValue('/home/anna/report.pdf')
  await press('Choose this file')
  expect(row().text()).toContain('This is not a font file that Fitter can use.')
  expect((row().get('input').element as HTMLInputElement).value).toBe('/home/anna/report.pdf')
})

it('says that a chosen font is not there now', async () => {
  await open({ font: { ...chosen, problem: message('reportFont.notThere') }, chosenBy: 'dialog' })
  expect(row().text()).toContain('The font file was moved or deleted. Put it back, or choose another one.')
})
