import jpeg from 'jpeg-js'
import { expect, test } from 'vitest'
import { takeApart } from '../../../main/photos/pictureParts.ts'
import type { Points } from '../../../main/photos/points.ts'
import { readJpeg } from '../../../main/photos/readJpeg.ts'
import { writeJpeg } from '../../../main/photos/writeJpeg.ts'

/** The same picture in each run: `shade` gives red, green and blue of a place. */
function picture(width: number, height: number, shade: (x: number, y: number) => [number, number, number]): Points {
  const data = new Uint8Array(4 * width * height)
  for (let n = 0; n < width * height; n += 1) data.set([...shade(n % width, Math.floor(n / width)), 255], 4 * n)
  return { width, height, data }
}
function noise(width: number, height: number, seed = 1): Points {
  let state = seed
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 24
  return picture(width, height, () => [next(), next(), next()])
}
const smooth = (width: number, height: number) =>
  picture(width, height, (x, y) => [128 + 100 * Math.sin(x / 9), 128 + 100 * Math.cos(y / 7), (x + y) % 256])
const decode = (bytes: Uint8Array) => jpeg.decode(bytes, { useTArray: true })

/** How far the values of two pictures are apart on average. */
function meanApart(one: Uint8Array, other: Uint8Array): number {
  let sum = 0
  for (const [n, value] of one.entries()) sum += Math.abs(value - other[n]!)
  return sum / one.length
}

test.for<[string, Points]>([
  ['one point', noise(1, 1)],
  ['less than a block', noise(7, 5)],
  ['whole blocks of noise', noise(64, 48)],
  ['noise whose last blocks are cut', noise(203, 131)],
  ['a smooth picture', smooth(300, 200)],
  ['black beside white', picture(64, 64, (x, y) => (((x >> 3) + (y >> 3)) % 2 === 0 ? [0, 0, 0] : [255, 255, 255]))],
  [
    'single points on plain ground',
    picture(64, 64, (x, y) => (x % 8 === 7 && y % 8 === 7 ? [255, 0, 0] : [10, 10, 10]))
  ],
  // The 17th frequency alone: sixteen zeros have a code of their own.
  [
    'one wave',
    picture(64, 64, (x, y) => {
      const value =
        128 + 90 * Math.cos(((2 * (x % 8) + 1) * 3 * Math.PI) / 16) * Math.cos(((2 * (y % 8) + 1) * 2 * Math.PI) / 16)
      return [value, value, value]
    })
  ],
  ['one colour', picture(40, 40, () => [200, 30, 90])]
])('%s is as true as from a known encoder, and as small', ([, points]) => {
  const written = writeJpeg(points)
  const known = jpeg.encode(points, 85).data
  expect(decode(written)).toMatchObject({ width: points.width, height: points.height })
  expect(meanApart(decode(written).data, points.data)).toBeLessThanOrEqual(
    meanApart(decode(known).data, points.data) + 1
  )
  expect(Math.abs(written.length - known.length) / known.length).toBeLessThan(0.02)
})

test('wherever its last byte ends, Fitter reads all of it', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const parts = takeApart(writeJpeg(noise(9, 17, seed)))
    if (parts.kind !== 'jpeg') throw new Error('No JPEG')
    let rows = 0
    readJpeg(parts.parts, 1, () => (rows += 1))
    expect(rows).toBe(17)
  }
})

test('a picture that is larger than its first bytes comes out whole', () => {
  const points = noise(1_000, 700)
  const written = writeJpeg(points)
  expect(written.length).toBeGreaterThan(1_000_000)
  expect(meanApart(decode(written).data, points.data)).toBeLessThan(12)
})
