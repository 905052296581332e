import { expect, it } from 'vitest'
import { parsePlace } from '../../renderer/router.ts'

it.each(['#/job/%E0%A4%A', '#/device/%', '#/vehicle/%zz'])('an address that cannot be read (%s) leads to the first screen, and not to a white page', (hash) => {
  expect(parsePlace(hash)).toEqual({ screen: 'start', id: '' })
})

it('an address names a screen and what is shown on it', () => {
  expect(parsePlace('#/device/ft4%20x')).toEqual({ screen: 'device', id: 'ft4 x' })
  expect(parsePlace('#/nowhere/x')).toEqual({ screen: 'start', id: '' })
})
