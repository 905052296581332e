import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { zxyToTileId } from 'pmtiles'

type Point = readonly [x: number, y: number]
interface Shape {
  kind: 'line' | 'polygon'
  points: readonly Point[]
  tags: Readonly<Record<string, string>>
}
type Layers = Readonly<Record<string, readonly Shape[]>>

export interface PmtilesWish {
  latitude: number
  longitude: number
  maxZoom?: number
  version?: number
  /** 1: vector tiles; 2: pictures. */
  tileType?: number
  attribution?: string
}

const extent = 4096

/**
 * A PMTiles file (version 3) of the streets of no town: at each zoom the square around a place, at the closest one its
 * neighbours too, each with ground, water, a park, ways and buildings. Some kilobytes, written byte by byte as the
 * specification says, so that nothing of what reads it has a hand in it.
 */
export function makePmtiles({
  latitude,
  longitude,
  maxZoom = 15,
  version = 3,
  tileType = 1,
  attribution = '<a>© Map Owner One</a>'
}: PmtilesWish): Buffer {
  const squares = new Map<number, Buffer>()
  for (let z = 0; z <= maxZoom; z += 1) {
    const [x, y] = squareOf(latitude, longitude, z)
    const around = z === maxZoom && z > 0 ? [-1, 0, 1] : [0]
    for (const dx of around)
      for (const dy of around) squares.set(zxyToTileId(z, x + dx, y + dy), gzipSync(encodeTile(town)))
  }
  const entries = [...squares].sort(([a], [b]) => a - b)
  const root = gzipSync(encodeDirectory(entries.map(([id, tile]) => ({ id, length: tile.length }))))
  const description = gzipSync(JSON.stringify({ name: 'Town One', attribution, vector_layers: [] }))
  const tiles = Buffer.concat(entries.map(([, tile]) => tile))
  const header = Buffer.alloc(127)
  header.write('PMTiles', 'latin1')
  header[7] = version
  let offset = header.length
  for (const [at, length] of [
    [8, root.length],
    [24, description.length],
    [40, 0],
    [56, tiles.length]
  ] as const) {
    header.writeBigUInt64LE(BigInt(offset), at)
    header.writeBigUInt64LE(BigInt(length), at + 8)
    offset += length
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(BigInt(entries.length), at)
  header.set([1, 2, 2, tileType, 0, maxZoom], 96)
  return Buffer.concat([header, root, description, tiles])
}

export function writePmtiles(file: string, wish: PmtilesWish): void {
  writeFileSync(file, makePmtiles(wish))
}

function squareOf(latitude: number, longitude: number, z: number): [number, number] {
  const sine = Math.sin((latitude * Math.PI) / 180)
  return [
    Math.floor((longitude / 360 + 0.5) * 2 ** z),
    Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** z)
  ]
}

const box = (west: number, north: number, east: number, south: number): Point[] => [
  [west, north],
  [east, north],
  [east, south],
  [west, south]
]
const steps = [256, 768, 1280, 1792, 2304, 2816, 3328, 3840]

const town: Layers = {
  earth: [{ kind: 'polygon', points: box(0, 0, extent, extent), tags: { kind: 'earth' } }],
  landuse: [{ kind: 'polygon', points: box(2304, 2304, 2816, 2816), tags: { kind: 'park' } }],
  water: [{ kind: 'polygon', points: box(0, 0, 600, 900), tags: { kind: 'lake', name: 'Lake One' } }],
  roads: [
    ...steps.flatMap((at): Shape[] => [
      {
        kind: 'line',
        points: [
          [0, at],
          [extent, at]
        ],
        tags: { kind: 'minor_road', name: `Street ${at}` }
      },
      {
        kind: 'line',
        points: [
          [at, 0],
          [at, extent]
        ],
        tags: { kind: 'minor_road', name: `Street ${at + 1}` }
      }
    ]),
    {
      kind: 'line',
      points: [
        [0, 2048],
        [extent, 2048]
      ],
      tags: { kind: 'major_road', name: 'Main Street' }
    }
  ],
  buildings: steps.flatMap((x) =>
    steps.map((y): Shape => ({
      kind: 'polygon',
      points: box(x + 90, y + 90, x + 300, y + 330),
      tags: { kind: 'building' }
    }))
  )
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let left = value
  while (left > 127) {
    bytes.push((left % 128) + 128)
    left = Math.floor(left / 128)
  }
  return [...bytes, left]
}

/**
 * Number of entries; ids, each from the one before; how many squares in a row; lengths; where each begins (0: after the
 * last).
 */
function encodeDirectory(entries: readonly { id: number; length: number }[]): Buffer {
  let last = 0
  const ids = entries.map(({ id }) => {
    const step = id - last
    last = id
    return step
  })
  const numbers = [
    entries.length,
    ...ids,
    ...entries.map(() => 1),
    ...entries.map(({ length }) => length),
    ...entries.map((_, index) => (index === 0 ? 1 : 0))
  ]
  return Buffer.from(numbers.flatMap(varint))
}

const field = (number: number, bytes: readonly number[]) => [
  ...varint(number * 8 + 2),
  ...varint(bytes.length),
  ...bytes
]
const textBytes = (text: string) => [...Buffer.from(text)]
const zigzag = (value: number) => (value < 0 ? -value * 2 - 1 : value * 2)

/** A vector tile (version 2 of its specification). */
function encodeTile(layers: Layers): Buffer {
  return Buffer.from(Object.entries(layers).flatMap(([name, shapes]) => field(3, encodeLayer(name, shapes))))
}

function encodeLayer(name: string, shapes: readonly Shape[]): number[] {
  const keys = [...new Set(shapes.flatMap(({ tags }) => Object.keys(tags)))]
  const values = [...new Set(shapes.flatMap(({ tags }) => Object.values(tags)))]
  const features = shapes.flatMap(({ kind, points, tags }) => {
    const numbers = Object.entries(tags).flatMap(([key, value]) => [
      ...varint(keys.indexOf(key)),
      ...varint(values.indexOf(value))
    ])
    return field(2, [
      ...field(2, numbers),
      ...varint(3 * 8),
      ...varint(kind === 'line' ? 2 : 3),
      ...field(4, geometryOf(kind, points))
    ])
  })
  return [
    ...field(1, textBytes(name)),
    ...features,
    ...keys.flatMap((key) => field(3, textBytes(key))),
    ...values.flatMap((value) => field(4, field(1, textBytes(value)))),
    ...varint(5 * 8),
    ...varint(extent),
    ...varint(15 * 8),
    ...varint(2)
  ]
}

function geometryOf(kind: Shape['kind'], points: readonly Point[]): number[] {
  let [lastX, lastY] = [0, 0]
  const steps = points.map(([x, y]) => {
    const step = [zigzag(x - lastX), zigzag(y - lastY)]
    ;[lastX, lastY] = [x, y]
    return step
  })
  const [first = [], ...rest] = steps
  const numbers = [1 + 8, ...first, 2 + rest.length * 8, ...rest.flat(), ...(kind === 'polygon' ? [7 + 8] : [])]
  return numbers.flatMap(varint)
}
