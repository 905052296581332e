import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { takeApart } from '../../../main/photos/pictureParts.ts'
import { readPng } from '../../../main/photos/readPng.ts'
import { createRandom } from '../../../simulator/random.ts'
import { pngOf } from '../../support/pictures.ts'

async function read(picture: Uint8Array): Promise<number[][]> {
  const parts = takeApart(picture)
  if (parts.kind !== 'png') throw new Error('No PNG')
  const rows: number[][] = []
  await readPng(parts.parts, (row, y) => {
    expect(y).toBe(rows.length)
    rows.push([...row])
  })
  return rows
}

/** What another decoder gives, on white paper. */
function readElsewhere(picture: Buffer): number[][] {
  const { width, height, data } = PNG.sync.read(picture)
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: 3 * width }, (_one, n) => {
      const at = 4 * (y * width + Math.floor(n / 3))
      return Math.round(255 + ((data[at + (n % 3)]! - 255) * data[at + 3]!) / 255)
    })
  )
}

const apart = (some: number[][], others: number[][]): number =>
  Math.max(...some.flatMap((row, y) => row.map((value, n) => Math.abs(value - others[y]![n]!))))

const palette = Uint8Array.from({ length: 768 }, (_, n) => (n * 37) % 256)
const [width, height] = [13, 25]
test.for([
  ['grey of 1 bit', 1, 0, {}],
  ['grey of 2 bits', 2, 0, {}],
  ['grey of 4 bits', 4, 0, {}],
  ['grey', 8, 0, {}],
  ['grey of 16 bits', 16, 0, {}],
  ['grey, one of it transparent', 4, 0, { transparent: Uint8Array.from([0, 5]) }],
  ['three colours', 8, 2, {}],
  ['three colours of 16 bits', 16, 2, {}],
  ['a palette of 1 bit', 1, 3, { palette: palette.subarray(0, 6) }],
  ['a palette of 4 bits', 4, 3, { palette: palette.subarray(0, 48) }],
  ['a palette, some of it transparent', 8, 3, { palette, transparent: Uint8Array.from({ length: 200 }, (_, n) => n) }],
  ['grey with opacity', 8, 4, {}],
  ['three colours with opacity', 8, 6, {}],
  ['three colours with opacity of 16 bits', 16, 6, {}]
] as const)(
  'has the points that another decoder gives it, with every filter: %s',
  async ([name, depth, colour, more]) => {
    const values = [1, 0, 3, 1, 2, 0, 4][colour]!
    const rowBytes = Math.ceil((width * values * depth) / 8)
    const random = createRandom(name.length + depth)
    // Any bytes are rows, whatever their filter.
    const rows = Uint8Array.from({ length: (rowBytes + 1) * height }, (_, at) =>
      at % (rowBytes + 1) === 0 ? Math.floor(at / (rowBytes + 1)) % 5 : Math.floor(random() * 256)
    )
    const picture = pngOf({ width, height, depth, colour, ...more }, rows)
    expect(apart(await read(picture), readElsewhere(picture))).toBeLessThanOrEqual(1)
  }
)

test('one colour of three is transparent only where all three agree', async () => {
  const rows = Uint8Array.from([0, 10, 20, 30, 10, 20, 31])
  expect(
    await read(
      pngOf({ width: 2, height: 1, depth: 8, colour: 2, transparent: Uint8Array.from([0, 10, 0, 20, 0, 30]) }, rows)
    )
  ).toEqual([[255, 255, 255, 10, 20, 31]])
})

test('an interlaced one is read as a whole', async () => {
  const picture = pngOf(
    { width: 1, height: 1, depth: 8, colour: 2, isInterlaced: true },
    Uint8Array.from([0, 10, 20, 30])
  )
  expect(await read(picture)).toEqual([[10, 20, 30]])
})

test('a filter that does not exist, missing rows and a changed part are broken', async () => {
  const form = { width: 2, height: 2, depth: 8, colour: 0 }
  const whole = Uint8Array.from([0, 1, 2, 0, 3, 4])
  expect(await read(pngOf(form, whole))).toEqual([
    [1, 1, 1, 2, 2, 2],
    [3, 3, 3, 4, 4, 4]
  ])
  // More than its rows is not read.
  expect(await read(pngOf(form, Uint8Array.from([...whole, 9, 9])))).toHaveLength(2)
  await expect(read(pngOf(form, Uint8Array.from([5, 1, 2, 0, 3, 4])))).rejects.toThrow('No such filter')
  await expect(read(pngOf(form, whole.subarray(0, 5)))).rejects.toThrow('Pixels are missing')
  const coloured = pngOf({ ...form, colour: 3, palette: palette.subarray(0, 15) }, whole)
  expect(await read(coloured)).toHaveLength(2)
  coloured[41 + 3]! ^= 1
  await expect(read(coloured)).rejects.toThrow('A changed part')
})
