import { createPinia, setActivePinia } from 'pinia'
import { loadLanguage } from '../../renderer/say.ts'

// The page loads its language before it shows anything; a test may show either at once.
await Promise.all([loadLanguage('en'), loadLanguage('es')])

// What a store of an earlier file of tests was told does not reach this one, and none depends on it.
setActivePinia(createPinia())

// The page of the tests draws nothing: calls of a canvas are silently accepted, as maps need one.
const context = new Proxy({} as Record<string, unknown>, {
  get: (target, name) => (typeof name === 'string' ? (target[name] ?? (() => undefined)) : undefined),
  set: (target, name, value) => Reflect.set(target, name, value)
})
HTMLCanvasElement.prototype.getContext = (() => context) as never
