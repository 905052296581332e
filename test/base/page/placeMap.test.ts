import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openPlaceMap, type PlaceMapOptions } from '../../../renderer/base/instruments/map/placeMap.ts'
import type { TrackPlace } from '../../../renderer/base/instruments/map/mapPositions.ts'
import { partsOf, thinTrack } from '../../../renderer/base/instruments/map/thinTrack.ts'
import type { Marks } from '../../../renderer/base/instruments/map/witnessMarks.ts'

const options: PlaceMapOptions = { base: { kind: 'outline' }, units: 'metric', baseFailed: () => undefined }
const device = { latitude: 4.711, longitude: -74.0721, accuracyM: 12, text: 'Device, 3 s ago' }
const gateway = { latitude: 4.7108, longitude: -74.07238, text: 'Gateway, 52 s ago' }
const alone: Marks = { device, gateway: null, replay: null, sayDistance: (metres) => `${Math.round(metres)} m` }

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  document.body.replaceChildren()
})

function openInPage(marks: Marks = alone) {
  const box = document.createElement('div')
  box.tabIndex = 0
  Object.defineProperties(box, { clientWidth: { value: 600 }, clientHeight: { value: 400 } })
  document.body.append(box)
  const map = openPlaceMap(box, options)
  map.show(marks)
  return { box, map }
}

const words = (box: HTMLElement) => [...box.querySelectorAll('.map-tag')].map((tag) => tag.textContent)
const gridOf = (box: HTMLElement) => [...box.querySelectorAll('.map-label span')].map((label) => label.textContent)

it('is left in the middle of zooming without a word', () => {
  const { box, map } = openInPage()
  box.dispatchEvent(new WheelEvent('wheel', { deltaY: -240, clientX: 100, clientY: 100, bubbles: true }))
  map.close()
  expect(() => vi.runAllTimers()).not.toThrow()
})

it('draws another grid for another zoom', () => {
  const { box, map } = openInPage()
  const before = gridOf(box)
  map.zoom(-1)
  expect(gridOf(box)).not.toEqual(before)
  expect(before.length).toBeGreaterThan(2)
})

it('is moved by the arrow keys, zoomed by plus and minus, and comes back with 0', () => {
  const { box } = openInPage()
  const start = gridOf(box)
  const press = (key: string) => {
    box.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    return gridOf(box)
  }
  for (const key of ['ArrowLeft', 'ArrowUp', '+', '-']) {
    const before = gridOf(box)
    expect(press(key), key).not.toEqual(before)
  }
  expect(press('0')).toEqual(start)
})

const numbers = (box: HTMLElement) => [...box.querySelectorAll('.map-stop b')].map((mark) => mark.textContent)
const way: TrackPlace[] = [
  [4.7, -74.1],
  [4.75, -74.05]
]
const stopAt = (number: number, latitude: number) => ({ number, latitude, longitude: -74.07, isChosen: false })

it('shows all of a track that appears, and again on request; a vehicle that moves within it moves nothing', () => {
  const { box, map } = openInPage()
  const near = gridOf(box)
  map.showRoad(way)
  const whole = gridOf(box)
  expect(whole).not.toEqual(near)
  map.show({ ...alone, device: { ...device, latitude: 4.712 } })
  expect(gridOf(box)).toEqual(whole)
  map.zoom(2)
  box.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true }))
  map.showRoad([...way, [4.9, -74]])
  expect(gridOf(box)).not.toEqual(whole)
  map.showRoad(way)
  map.fit()
  expect(gridOf(box)).toEqual(whole)
})

it('follows a vehicle that leaves the picture after a zoom, and not after the map was moved by hand', () => {
  const far = { ...alone, device: { ...device, latitude: 4.8 } }
  const { box, map } = openInPage()
  map.zoom(1)
  const zoomed = gridOf(box)
  map.show(far)
  expect(gridOf(box)).not.toEqual(zoomed)
  const other = openInPage()
  other.box.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true }))
  const moved = gridOf(other.box)
  other.map.show(far)
  expect(gridOf(other.box)).toEqual(moved)
})

it('gives stops that would cover each other one mark, and parts them when there is room', () => {
  const { box, map } = openInPage()
  map.showSpeeds([{ kind: 0, places: way }], [stopAt(1, 4.7), stopAt(2, 4.7004), stopAt(3, 4.75)])
  expect(numbers(box)).toEqual(['1, 2', '3'])
  map.fitTo([
    [4.6999, -74.07],
    [4.7005, -74.07]
  ])
  expect(numbers(box)).toEqual(['1', '2', '3'])
})

it('is closed with a track in classes of speed on it', () => {
  const { map } = openInPage()
  map.showSpeeds(
    [
      { kind: 2, places: way },
      { kind: 'deviceOnly', places: way, text: 'device only' }
    ],
    [stopAt(1, 4.7)]
  )
  map.close()
  expect(() => vi.runAllTimers()).not.toThrow()
})

it('says what both witnesses say, where, and how far apart they are', () => {
  const { box, map } = openInPage({ ...alone, gateway })
  expect(words(box)).toEqual(['Device, 3 s ago4.71100, -74.07210', 'Gateway, 52 s ago4.71080, -74.07238', '38 m'])
  map.show(alone)
  expect(words(box)).toEqual(['Device, 3 s ago4.71100, -74.07210'])
})

it('keeps the elements of a label while its age counts', () => {
  const { box, map } = openInPage()
  const [before] = box.querySelectorAll('.map-tag b')
  map.show({ ...alone, device: { ...device, text: 'Device, 4 s ago' } })
  const [after] = box.querySelectorAll('.map-tag b')
  expect(after).toBe(before)
  expect(after?.textContent).toBe('Device, 4 s ago')
})

it('puts the words of the two on sides where they do not meet', () => {
  const sides = (marks: Marks) =>
    [...openInPage(marks).box.querySelectorAll('.map-tag-device > div, .map-tag-gateway > div')].map(
      (tag) => tag.className
    )
  expect(sides({ ...alone, gateway })).toEqual(['right above', 'left below'])
  expect(sides({ ...alone, gateway: { ...gateway, latitude: 4.7112, longitude: -74.0718 } })).toEqual([
    'left below',
    'right above'
  ])
})

it('thins a long way to what a screen can show, and keeps both ends', () => {
  const way = Array.from({ length: 20_000 }, (_, n): TrackPlace => [4.7 + n * 0.0001, -74])
  const thin = thinTrack(way, 5_000)
  expect(thin.length).toBeLessThanOrEqual(5_000)
  expect(thin.length).toBeGreaterThan(4_000)
  expect([thin[0], thin.at(-1)]).toEqual([way[0], way.at(-1)])
})

it('draws a vehicle that stands as one point, however long it stands', () => {
  const standing = Array.from({ length: 500 }, (_, n): TrackPlace => [4.7 + (n % 3) * 0.000004, -74])
  expect(thinTrack(standing, 5_000)).toHaveLength(1)
})

it('does not join a way over what nobody saw', () => {
  expect(partsOf([[1, 1], [2, 2], null, null, [3, 3]])).toEqual([
    [
      [1, 1],
      [2, 2]
    ],
    [[3, 3]]
  ])
})

it('writes no degree under what lies over the map', () => {
  const { box, map } = openInPage()
  const along = () => gridOf(box).filter((text) => /[EW]$/.test(text))
  expect(along().length).toBeGreaterThan(0)
  const cover = document.createElement('div')
  cover.className = 'corner'
  cover.getBoundingClientRect = () => ({ left: 0, right: 600, top: 360, bottom: 400 }) as DOMRect
  document.body.append(cover)
  map.zoom(-1)
  expect(along()).toEqual([])
  expect(gridOf(box).length).toBeGreaterThan(0)
  cover.remove()
  map.zoom(1)
  expect(along().length).toBeGreaterThan(0)
  map.close()
})

it('keeps room for the label at the left of a mark at the edge of what is shown', () => {
  const { box, map } = openInPage({ ...alone, gateway })
  map.showRoad([
    [gateway.latitude, gateway.longitude],
    [4.712, -73.9535]
  ])
  map.fit()
  const x = Number.parseFloat(box.querySelector<HTMLElement>('.map-tag-gateway')?.style.left ?? '')
  expect(x).toBeGreaterThanOrEqual(Math.floor(Math.min(186, box.clientWidth * 0.42)))
})
