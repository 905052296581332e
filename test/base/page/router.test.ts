import { expect, it } from 'vitest'
import { parsePlace, placeHref } from '../../../renderer/base/shell/router.ts'

it.each(['#/job/%E0%A4%A', '#/device/%', '#/vehicle/%zz', '#/device/ft4/%'])(
  'an address that cannot be read (%s) leads to the first screen, and not to a white page',
  (hash) => {
    expect(parsePlace(hash)).toEqual({ screen: 'start', id: '', part: '' })
  }
)

it('an address names a screen and what is shown on it', () => {
  expect(parsePlace('#/device/ft4%20x')).toEqual({ screen: 'device', id: 'ft4 x', part: '' })
  expect(parsePlace('#/nowhere/x')).toEqual({ screen: 'start', id: '', part: '' })
})

it('a section of a screen stands in the address, so that a page that is read again opens there', () => {
  expect(placeHref('device', 'ft4 x', 'lines')).toBe('#/device/ft4%20x/lines')
  expect(parsePlace('#/device/ft4%20x/lines')).toEqual({ screen: 'device', id: 'ft4 x', part: 'lines' })
})
