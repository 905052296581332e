import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import App from '../../../renderer/app/frame/App.vue'
import { goTo } from '../../../renderer/base/shell/router.ts'
import { loadScreens } from '../../../renderer/app/frame/screens.ts'
import { isFrozen } from '../../../renderer/base/ui/time/frozen.ts'
import { showLanguage } from '../../../renderer/base/say.ts'
import { createFakeBridge, type FakeBridge } from '../../world/window/fakes/fakeBridge.ts'

let core: FakeBridge
let page: VueWrapper

beforeAll(loadScreens)
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] })
  setActivePinia(createPinia())
  goTo('start')
  core = createFakeBridge()
  window.fitter = core
  await showLanguage('en')
  page = mount(App, { global: { plugins: [createPinia()] }, attachTo: document.body })
  await flushPromises()
})
afterEach(() => {
  page.unmount()
  vi.useRealTimers()
})

async function pass(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms)
  await flushPromises()
}
const bar = () => page.find('[role=alert]')

it('says within two seconds that the core does not answer, and lets nothing be pressed', async () => {
  await pass(3_000)
  expect(bar().exists()).toBe(false)
  core.fallSilent(true)
  await pass(2_000)
  expect(bar().text()).toContain('has not answered for 2 s')
  expect(page.get('.app').attributes('inert')).toBeDefined()
  const heard = vi.fn()
  window.addEventListener('keydown', heard)
  const key = new KeyboardEvent('keydown', { key: 'j', bubbles: true, cancelable: true })
  document.body.dispatchEvent(key)
  window.removeEventListener('keydown', heard)
  expect([heard.mock.calls.length, key.defaultPrevented]).toEqual([0, true])
})

it('stops every clock but the one that counts the silence', async () => {
  core.fallSilent(true)
  await pass(2_000)
  expect(isFrozen.value).toBe(true)
  const before = page.get('.app').html()
  const told = bar().text()
  await pass(60_000)
  expect(page.get('.app').html()).toBe(before)
  const shown = page.get('[popover] [aria-hidden="true"].spread').text()
  expect(shown).toContain('62 s')
  expect(shown).toContain('start it again')
  // A screen reader is told once, not each second.
  expect(told).toContain('has not answered for')
  expect(bar().text()).toBe(told)
})

it('comes back by itself, and asks for everything anew', async () => {
  core.fallSilent(true)
  await pass(2_000)
  const asked = core.made.filter(({ name }) => name === 'app.info').length
  core.fallSilent(false)
  await pass(200)
  expect(bar().exists()).toBe(false)
  expect(page.get('.app').attributes('inert')).toBeUndefined()
  expect(core.made.filter(({ name }) => name === 'app.info').length).toBeGreaterThan(asked)
})

it('does not take its own sleep for the silence of the core', async () => {
  core.fallSilent(true)
  // As after a closed lid: an hour went by between two looks.
  vi.setSystemTime(Date.now() + 3_600_000)
  const realNow = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + 3_600_000)
  await pass(200)
  expect(bar().exists()).toBe(false)
  vi.restoreAllMocks()
})
