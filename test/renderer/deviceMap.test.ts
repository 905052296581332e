import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openDeviceMap } from '../../renderer/map/deviceMap.ts'

const yard = { latitude: 52.5, longitude: 13.4, accuracyM: 4, bearing: undefined }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

function openInPage() {
  const box = document.createElement('div')
  Object.defineProperties(box, { clientWidth: { value: 600 }, clientHeight: { value: 400 } })
  document.body.append(box)
  const map = openDeviceMap(box, { zoomIn: 'in', zoomOut: 'out' })
  map.show(yard)
  return { box, map }
}

it('is left in the middle of zooming without a word', () => {
  const { box, map } = openInPage()
  box.dispatchEvent(new WheelEvent('wheel', { deltaY: -240, clientX: 100, clientY: 100, bubbles: true }))
  map.close()
  expect(() => vi.runAllTimers()).not.toThrow()
})

it('draws another grid for another zoom', () => {
  const { box } = openInPage()
  const before = [...box.querySelectorAll('.map-label span')].map((label) => label.textContent)
  box.querySelector<HTMLElement>('.leaflet-control-zoom-out')?.click()
  vi.runAllTimers()
  expect([...box.querySelectorAll('.map-label span')].map((label) => label.textContent)).not.toEqual(before)
})
