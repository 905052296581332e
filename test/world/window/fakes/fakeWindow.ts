import { flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeAll, beforeEach, onTestFinished, vi } from 'vitest'
import App from '../../../../renderer/app/frame/App.vue'
import { loadScreens } from '../../../../renderer/app/frame/screens.ts'
import { goTo } from '../../../../renderer/base/shell/router.ts'
import { createFakeBridge, type FakeBridge } from './fakeBridge.ts'

/** The core and the page of the test that runs. */
export let core: FakeBridge
export let page: VueWrapper
let isShown = false

/** For the tests of one file: each begins on the first screen, and leaves no page and no other clock. */
export function useFakeWindow(): void {
  beforeAll(loadScreens)
  beforeEach(() => {
    setActivePinia(createPinia())
    goTo('start')
  })
  afterEach(() => {
    unmountPage()
    vi.useRealTimers()
  })
}

/** A core with these answers, which the page asks from now on. */
export function putCore(own: Parameters<typeof createFakeBridge>[0] = {}): FakeBridge {
  core = createFakeBridge(own)
  window.fitter = core
  return core
}

/** The whole window, or the mounted part of it that a test is about. */
export function putPage(
  mounted: VueWrapper = mount(App, { global: { plugins: [createPinia()] }, attachTo: document.body })
): VueWrapper {
  // The one before would go on asking the core of this one.
  unmountPage()
  page = mounted
  isShown = true
  return page
}

export async function openWindow(own?: Parameters<typeof createFakeBridge>[0]): Promise<VueWrapper> {
  putCore(own)
  putPage()
  await flushPromises()
  return page
}

export function unmountPage(): void {
  if (isShown) page.unmount()
  isShown = false
}

/** The inputs of the calls of this name that were made, oldest first. */
export function made(name: string): unknown[] {
  return core.made.filter((call) => call.name === name).map((call) => call.input)
}

/** The button with this text in it, or this name. */
export function button(text: string) {
  const found = page.findAll('button').find((one) => one.text().includes(text) || one.attributes('aria-label') === text)
  if (!found) throw new Error(`No button "${text}" in: ${page.text()}`)
  return found
}

/**
 * The end of the test that calls this. A call that waits for it still gets an answer, so it does not tell its time
 * limit to a later test.
 */
export function testEnd(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  onTestFinished(() => resolve())
  return promise
}

/** Without a layout, a virtual list has no room for a row: from now on every element is this high. */
export function giveRoom(heightPx = 400): void {
  for (const name of ['clientHeight', 'offsetHeight'])
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => heightPx })
}
