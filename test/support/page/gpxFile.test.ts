import { isPlace } from '../../../preload/base/maps/position.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RoadPoint } from '../../../preload/contract/gateway/vehicles/vehicleRoad.ts'
import { trackGpx } from '../../../renderer/support/vehicle/track/trackFile.ts'

/**
 * What gpx.xsd 1.1 says of the parts that a track uses: their order, the lexical form of each value, and the bounds of
 * a position.
 */
const children: Readonly<Record<string, readonly string[]>> = {
  gpx: ['metadata', 'wpt', 'rte', 'trk', 'extensions'],
  trk: ['name', 'cmt', 'desc', 'src', 'link', 'number', 'type', 'extensions', 'trkseg'],
  trkseg: ['trkpt', 'extensions'],
  trkpt: ['ele', 'time'],
  name: [],
  src: [],
  time: []
}
/** xsd:decimal has no exponent. */
const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)$/
const dateTime = /^-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/

function checkElement(element: Element): void {
  const allowed = children[element.tagName]
  expect(allowed, element.tagName).toBeDefined()
  const places = [...element.children].map((child) => allowed?.indexOf(child.tagName) ?? -1)
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
  if (element.tagName === 'time') expect(element.textContent).toMatch(dateTime)
  if (element.tagName === 'trkpt') {
    const [latitude = '', longitude = ''] = ['lat', 'lon'].map((name) => element.getAttribute(name) ?? '')
    for (const text of [latitude, longitude]) expect(text).toMatch(decimal)
    expect(Math.abs(Number(latitude))).toBeLessThanOrEqual(90)
    expect(Number(longitude)).toBeGreaterThanOrEqual(-180)
    expect(Number(longitude)).toBeLessThan(180)
  }
  for (const child of element.children) checkElement(child)
}

const coordinate = (most: number) =>
  fc.oneof(
    fc.double({ min: -most, max: most, noNaN: true }),
    fc.constantFrom(0, -0, 2e-7, -5e-7, 9e-7, most, -most, 471_100)
  )
const point = fc.tuple(
  fc.integer({ min: 0, max: 4e12 }),
  coordinate(90),
  coordinate(180),
  fc.constant(null),
  fc.constant(null),
  fc.boolean()
) as fc.Arbitrary<RoadPoint>

test('any track is GPX 1.1 by its schema, also beside the equator and on both sides of 180 degrees', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.array(point, { maxLength: 12 }),
      (vehicle, gateway) => {
        const gpx = new DOMParser().parseFromString(trackGpx({ vehicle, gateway, device: [] }), 'application/xml')
        expect(gpx.querySelector('parsererror')).toBeNull()
        const root = gpx.documentElement
        expect([
          root.tagName,
          root.getAttribute('version'),
          root.getAttribute('creator'),
          root.getAttribute('xmlns')
        ]).toEqual(['gpx', '1.1', 'Fitter', 'http://www.topografix.com/GPX/1/1'])
        checkElement(root)
        expect(gpx.querySelectorAll('trkpt')).toHaveLength(
          gateway.filter(([, latitude, longitude]) => isPlace(latitude, longitude)).length
        )
      }
    )
  )
})
