import { expect, test, vi } from 'vitest'
import { trialSource } from '../../../../main/app/openUpdates.ts'

test('only a checkout takes the address and the keys of its feed from the environment', () => {
  vi.stubEnv('FITTER_UPDATE_SOURCE', '/tmp/other.json')
  expect(trialSource(true)).toBe('/tmp/other.json')
  expect(trialSource(false)).toBeUndefined()
  vi.unstubAllEnvs()
})
