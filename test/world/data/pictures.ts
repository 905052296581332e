import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import { crc32, deflateSync } from 'node:zlib'

/** A JPEG of a slope from dark to light, left to right: which way is up can be seen on it. */
export function jpegPicture(
  width = 64,
  height = 48,
  shade: (x: number, y: number) => number = (x) => (255 * x) / Math.max(1, width - 1)
): Buffer {
  return Buffer.from(jpeg.encode({ width, height, data: pointsOf(width, height, shade) }, 90).data)
}

/**
 * A progressive JPEG whose colours are as large as its brightness, of equal blocks with one frequency each: sides that
 * can be divided by 8.
 */
export function progressivePicture(width: number, height: number): Buffer {
  const small = jpegPicture(8, 8, () => 128)
  const frame = small.indexOf(Buffer.from([0xff, 0xc0]))
  const head = Buffer.from(small.subarray(0, small.indexOf(Buffer.from([0xff, 0xda]))))
  head[frame + 1] = 0xc2
  head.writeUInt16BE(height, frame + 5)
  head.writeUInt16BE(width, frame + 7)
  const eighth = (width * height) / 64 / 8
  const scan = (says: number[], bits: string) =>
    Buffer.concat([
      Buffer.from([0xff, 0xda, 0, 2 + says.length, ...says]),
      Buffer.alloc(
        Math.ceil(eighth) * bits.length,
        Buffer.from(
          BigInt(`0b${bits.repeat(8)}`)
            .toString(16)
            .padStart(2 * bits.length, '0'),
          'hex'
        )
      )
    ])
  // No change of the mean of three colours; then for each colour a frequency of 1, and the end of the block.
  const scans = [
    scan([3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 0, 0], '000000'),
    ...[1, 2, 3].map((id) => scan([1, id, id === 1 ? 0x00 : 0x11, 1, 63, 0], id === 1 ? '0011010' : '01100'))
  ]
  return Buffer.concat([head, ...scans, Buffer.from([0xff, 0xd9])])
}

export function pngPicture(width = 64, height = 48): Buffer {
  const png = new PNG({ width, height })
  pointsOf(width, height, (x) => (255 * x) / Math.max(1, width - 1)).copy(png.data)
  return PNG.sync.write(png)
}

/** A PNG of any kind from the bytes of its rows, each with its filter. */
export function pngOf(
  form: {
    width: number
    height: number
    depth: number
    colour: number
    isInterlaced?: boolean
    palette?: Uint8Array
    transparent?: Uint8Array
  },
  rows: Uint8Array
): Buffer {
  const part = (type: string, content: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, form.depth, form.colour, 0, 0, form.isInterlaced ? 1 : 0])
  head.writeUInt32BE(form.width)
  head.writeUInt32BE(form.height, 4)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    part('IHDR', head),
    ...(form.palette ? [part('PLTE', form.palette)] : []),
    ...(form.transparent ? [part('tRNS', form.transparent)] : []),
    part('IDAT', deflateSync(rows, { level: 1 })),
    part('IEND', Buffer.alloc(0))
  ])
}

function pointsOf(width: number, height: number, shade: (x: number, y: number) => number): Buffer {
  const data = Buffer.alloc(width * height * 4, 255)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) data.fill(Math.round(shade(x, y)), 4 * (y * width + x), 4 * (y * width + x) + 3)
  return data
}

export interface WrittenExif {
  orientation?: number
  taken?: string
  offset?: string
  place?: { latitude: number; longitude: number }
  artist?: string
  /** Big-endian, as some cameras write. */
  isBigEndian?: boolean
}

/** A JPEG with these segments (marker and content) put in after its start. */
export function withSegments(picture: Buffer, segments: { marker: number; content: Buffer }[]): Buffer {
  const written = segments.map(({ marker, content }) => {
    const head = Buffer.alloc(4)
    head.writeUInt16BE(0xff00 | marker)
    head.writeUInt16BE(content.length + 2, 2)
    return Buffer.concat([head, content])
  })
  return Buffer.concat([picture.subarray(0, 2), ...written, picture.subarray(2)])
}

export function withExif(picture: Buffer, exif: WrittenExif): Buffer {
  return withSegments(picture, [
    { marker: 0xe1, content: Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiffOf(exif)]) }
  ])
}

interface Field {
  tag: number
  type: number
  count: number
  content: Buffer
}

/** As cameras write it: a directory, one of the exposure and one of the satellites. */
export function tiffOf({ orientation = 1, taken, offset, place, artist, isBigEndian = false }: WrittenExif): Buffer {
  const short = (n: number) => (isBigEndian ? Buffer.from([n >> 8, n & 255]) : Buffer.from([n & 255, n >> 8]))
  const long = (n: number) => {
    const buffer = Buffer.alloc(4)
    if (isBigEndian) buffer.writeUInt32BE(n)
    else buffer.writeUInt32LE(n)
    return buffer
  }
  const text = (tag: number, value: string): Field => ({
    tag,
    type: 2,
    count: value.length + 1,
    content: Buffer.from(`${value}\0`, 'latin1')
  })
  const degrees = (tag: number, value: number): Field => {
    const [whole, minutes] = [Math.floor(value), Math.floor((value % 1) * 60)]
    const seconds = Math.round((((value % 1) * 60) % 1) * 60 * 10_000)
    return { tag, type: 5, count: 3, content: Buffer.concat([whole, 1, minutes, 1, seconds, 10_000].map(long)) }
  }
  const exposure = [...(taken ? [text(0x9003, taken)] : []), ...(offset ? [text(0x9011, offset)] : [])]
  const satellites = place
    ? [
        text(1, place.latitude < 0 ? 'S' : 'N'),
        degrees(2, Math.abs(place.latitude)),
        text(3, place.longitude < 0 ? 'W' : 'E'),
        degrees(4, Math.abs(place.longitude))
      ]
    : []
  const sizeOf = (fields: Field[]) =>
    2 + fields.length * 12 + 4 + fields.reduce((sum, { content }) => sum + (content.length > 4 ? content.length : 0), 0)
  const directory = (at: number, fields: Field[]): Buffer => {
    let after = at + 2 + fields.length * 12 + 4
    const far: Buffer[] = []
    const entries = fields.map(({ tag, type, count, content }) => {
      const isNear = content.length <= 4
      const value = isNear ? Buffer.concat([content, Buffer.alloc(4 - content.length)]) : long(after)
      if (!isNear) {
        far.push(content)
        after += content.length
      }
      return Buffer.concat([short(tag), short(type), long(count), value])
    })
    return Buffer.concat([short(fields.length), ...entries, long(0), ...far])
  }
  const pointer = (tag: number, at: number): Field => ({ tag, type: 4, count: 1, content: long(at) })
  const main = (exposureAt: number, satellitesAt: number): Field[] => [
    { tag: 0x0112, type: 3, count: 1, content: short(orientation) },
    ...(artist ? [text(0x013b, artist)] : []),
    ...(exposure.length > 0 ? [pointer(0x8769, exposureAt)] : []),
    ...(satellites.length > 0 ? [pointer(0x8825, satellitesAt)] : [])
  ]
  const exposureAt = 8 + sizeOf(main(0, 0))
  const satellitesAt = exposureAt + (exposure.length > 0 ? sizeOf(exposure) : 0)
  return Buffer.concat([
    Buffer.from(isBigEndian ? 'MM' : 'II', 'latin1'),
    short(42),
    long(8),
    directory(8, main(exposureAt, satellitesAt)),
    ...(exposure.length > 0 ? [directory(exposureAt, exposure)] : []),
    ...(satellites.length > 0 ? [directory(satellitesAt, satellites)] : [])
  ])
}
