import { createPinia, setActivePinia } from 'pinia'
import { afterAll, expect, vi } from 'vitest'
import { loadLanguage, showLanguage } from '../../../renderer/base/say.ts'
import { openDialogs } from '../../../renderer/base/ui/overlays/useModal.ts'

// The page loads its language before it shows anything; a test may show either at once.
await Promise.all([loadLanguage('en'), loadLanguage('es')])

// In English, whatever an earlier file of tests showed.
await showLanguage('en')

// What a store of an earlier file of tests was told does not reach this one, and none depends on it.
setActivePinia(createPinia())

// Short notes appear in the uppermost dialog: one that stays open would hide them from the next file of tests.
afterAll(() => expect(openDialogs.map((dialog) => dialog.outerHTML.slice(0, 200))).toEqual([]))

// A window that stays open would go on asking, and be told of in the next file of tests.
afterAll(() => expect([...document.querySelectorAll('.app')].map((page) => page.outerHTML.slice(0, 200))).toEqual([]))

// A screen that is still being loaded when its file of tests ends would be broken for all later files of this process.
afterAll(() => vi.dynamicImportSettled())

// The page of the tests draws nothing: calls of a canvas are silently accepted, as maps need one.
const context = new Proxy({} as Record<string, unknown>, {
  get: (target, name) => (typeof name === 'string' ? (target[name] ?? (() => undefined)) : undefined),
  set: (target, name, value) => Reflect.set(target, name, value)
})
HTMLCanvasElement.prototype.getContext = (() => context) as never
