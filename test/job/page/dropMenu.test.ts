import { mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import { h, nextTick } from 'vue'
import MoreMenu from '../../../renderer/job/run/MoreMenu.vue'
import DropMenu from '../../../renderer/base/ui/overlays/DropMenu.vue'
import DropPanel from '../../../renderer/base/ui/overlays/DropPanel.vue'
import * as data from '../../world/data/fakeData.ts'

const act = vi.fn()
const escaped = vi.fn()
let page: VueWrapper | undefined

function open(): VueWrapper {
  const lines = () => [
    h('button', { role: 'menuitem', disabled: true }, 'Not now'),
    h('a', { role: 'menuitem', href: '#/there' }, 'Go there'),
    h('button', { role: 'menuitem', onClick: () => act(document.activeElement?.getAttribute('aria-label')) }, 'Do it'),
    h('button', { role: 'menuitemradio' }, 'Español')
  ]
  page = mount(
    { render: () => h('div', { onKeydown: escaped }, [h(DropMenu, { label: 'More' }, { default: lines })]) },
    { attachTo: document.body }
  )
  return page
}
const dots = (menu: VueWrapper) => menu.get('[aria-haspopup=menu]')
const focused = () => document.activeElement?.textContent

afterEach(() => {
  page?.unmount()
  vi.clearAllMocks()
})

test('a menu opens on its first line that can be chosen, is walked by the arrows around its ends, and says that it is open', async () => {
  const menu = open()
  await dots(menu).trigger('click')
  await nextTick()
  expect(dots(menu).attributes('aria-expanded')).toBe('true')
  expect(menu.get('[role=menu]').attributes('aria-label')).toBe('More')
  expect(focused()).toBe('Go there')
  await menu.get('[role=menu]').trigger('keydown', { key: 'ArrowDown' })
  expect(focused()).toBe('Do it')
  await menu.get('[role=menu]').trigger('keydown', { key: 'ArrowUp' })
  await menu.get('[role=menu]').trigger('keydown', { key: 'ArrowUp' })
  expect(focused()).toBe('Español')
})

test('a choice closes the menu and gives the focus back before its work begins; a choice of several keeps the menu open', async () => {
  const menu = open()
  await dots(menu).trigger('click')
  await menu.get('[role=menuitemradio]').trigger('click')
  expect(menu.find('[role=menu]').exists()).toBe(true)
  await menu.findAll('[role=menuitem]')[2]?.trigger('click')
  expect(act.mock.calls).toEqual([['More']])
  expect(menu.find('[role=menu]').exists()).toBe(false)
})

test('Escape closes an open menu alone, and gives the focus back; with a closed menu it is the screen that hears Escape', async () => {
  const menu = open()
  await dots(menu).trigger('click')
  await menu.get('[role=menu]').trigger('keydown', { key: 'Escape' })
  expect(menu.find('[role=menu]').exists()).toBe(false)
  expect(document.activeElement).toBe(dots(menu).element)
  expect(escaped).not.toHaveBeenCalled()
  await dots(menu).trigger('keydown', { key: 'Escape' })
  expect(escaped).toHaveBeenCalledTimes(1)
})

test('a panel below a button leaves Escape to the screen while it is closed', async () => {
  page = mount(
    {
      render: () =>
        h('div', { onKeydown: escaped }, [h(DropPanel, { text: 'Any date' }, { default: () => h('input') })])
    },
    { attachTo: document.body }
  )
  await page.get('.opener').trigger('keydown', { key: 'Escape' })
  expect(escaped).toHaveBeenCalledTimes(1)
  await page.get('.opener').trigger('click')
  await page.get('input').trigger('keydown', { key: 'Escape' })
  expect(escaped).toHaveBeenCalledTimes(1)
  expect(page.find('[role=dialog]').exists()).toBe(false)
  expect(document.activeElement).toBe(page.get('.opener').element)
})

test('what is seldom needed beside a job is walked by the arrows, and a dialog that it opens gives the focus back to its button', async () => {
  page = mount(MoreMenu, { props: { job: data.job }, attachTo: document.body })
  await dots(page).trigger('click')
  await nextTick()
  expect(focused()).toBe('Open the device')
  await page.get('[role=menu]').trigger('keydown', { key: 'ArrowUp' })
  expect(focused()).toBe(page.findAll('[role=menuitem]').at(-1)?.text())
  await page.findAll('[role=menuitem]').at(-1)?.trigger('click')
  expect(page.emitted('cancel')).toHaveLength(1)
  expect(document.activeElement).toBe(dots(page).element)
})
