import { expect, it } from 'vitest'
import { chooseBounds, wasMaximized } from '../../../../main/app/electron/bounds.ts'

const screen = { x: 0, y: 25, width: 1920, height: 1055 }
const choose = (saved: unknown) => chooseBounds(saved, () => screen)
const usual = { width: 1280, height: 800 }

it('opens the window where it was', () => {
  const place = { x: 40, y: 60, width: 1300, height: 900 }
  expect(choose(place)).toEqual(place)
  expect(choose({ ...place, fullscreen: true })).toEqual(place)
})

it('fits a window from a larger screen into the one that is left', () => {
  expect(choose({ x: 100, y: 60, width: 3800, height: 2000 })).toEqual({ x: 100, y: 60, width: 1920, height: 1055 })
})

it('fills the screen again only when it filled it, and only from a place that it wrote itself', () => {
  const place = { x: 40, y: 60, width: 1300, height: 900 }
  expect(
    [{ ...place, isMaximized: true }, place, { ...place, isMaximized: 'yes' }, { isMaximized: true }, null].map(
      wasMaximized
    )
  ).toEqual([true, false, false, false, false])
})

it.each([
  ['right of the screens', { x: 1900, y: 60, width: 1300, height: 900 }],
  ['left of the screens', { x: -1250, y: 60, width: 1300, height: 900 }],
  ['with its title above the screen', { x: 0, y: -10, width: 1300, height: 900 }],
  ['below the screen', { x: 0, y: 1070, width: 1300, height: 900 }]
])('opens it in its usual size when it would lie %s', (_where, place) => {
  expect(choose(place)).toEqual(usual)
})

it.each([undefined, null, 7, [], {}, { x: '1', y: 1, width: 1, height: 1 }, { x: 1.5, y: 1, width: 1, height: 1 }])(
  'takes no harm from a kept place that reads %j',
  (saved) => {
    expect(choose(saved)).toEqual(usual)
  }
)
