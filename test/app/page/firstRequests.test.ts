import { readFileSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { createFakeBridge } from '../../world/window/fakes/fakeBridge.ts'

afterEach(() => {
  delete window.fitter
})

it('asks for what the first screen needs as soon as the page begins to load', async () => {
  window.fitter = createFakeBridge()
  vi.resetModules()
  const { askedEarly } = await import('../../../renderer/app/frame/firstRequests.ts')
  const { opening, info } = askedEarly ?? expect.fail('nothing was asked')
  expect((await opening)?.state).toBe('open')
  expect((await info)?.workplace).toBe('real')
})

it('waits for a bridge that is not there yet', async () => {
  vi.resetModules()
  const { askedEarly } = await import('../../../renderer/app/frame/firstRequests.ts')
  expect(askedEarly).toBeUndefined()
})

it('is the first script of the page', () => {
  const [, first] = /^import .* from '([^']+)'/m.exec(readFileSync('renderer/main.ts', 'utf8')) ?? []
  expect(first).toBe('./app/frame/firstRequests.ts')
})
