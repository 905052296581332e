import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'

/** A JPEG of a slope from dark to light, left to right: which way is up can be seen on it. */
export function jpegPicture(width = 64, height = 48, shade: (x: number, y: number) => number = (x) => (255 * x) / Math.max(1, width - 1)): Buffer {
  return Buffer.from(jpeg.encode({ width, height, data: pointsOf(width, height, shade) }, 90).data)
}

export function pngPicture(width = 64, height = 48): Buffer {
  const png = new PNG({ width, height })
  pointsOf(width, height, (x) => (255 * x) / Math.max(1, width - 1)).copy(png.data)
  return PNG.sync.write(png)
}

function pointsOf(width: number, height: number, shade: (x: number, y: number) => number): Buffer {
  const data = Buffer.alloc(width * height * 4, 255)
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) data.fill(Math.round(shade(x, y)), 4 * (y * width + x), 4 * (y * width + x) + 3)
  return data
}

export interface WrittenExif {
  orientation?: number
  taken?: string
  offset?: string
  place?: { latitude: number; longitude: number }
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
  return withSegments(picture, [{ marker: 0xe1, content: Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiffOf(exif)]) }])
}

interface Field {
  tag: number
  type: number
  count: number
  content: Buffer
}

/** As cameras write it: a directory, one of the exposure and one of the satellites. */
export function tiffOf({ orientation = 1, taken, offset, place, isBigEndian = false }: WrittenExif): Buffer {
  const short = (n: number) => (isBigEndian ? Buffer.from([n >> 8, n & 255]) : Buffer.from([n & 255, n >> 8]))
  const long = (n: number) => {
    const buffer = Buffer.alloc(4)
    if (isBigEndian) buffer.writeUInt32BE(n)
    else buffer.writeUInt32LE(n)
    return buffer
  }
  const text = (tag: number, value: string): Field => ({ tag, type: 2, count: value.length + 1, content: Buffer.from(`${value}\0`, 'latin1') })
  const degrees = (tag: number, value: number): Field => {
    const [whole, minutes] = [Math.floor(value), Math.floor((value % 1) * 60)]
    const seconds = Math.round((((value % 1) * 60) % 1) * 60 * 10_000)
    return { tag, type: 5, count: 3, content: Buffer.concat([whole, 1, minutes, 1, seconds, 10_000].map(long)) }
  }
  const exposure = [...(taken ? [text(0x9003, taken)] : []), ...(offset ? [text(0x9011, offset)] : [])]
  const satellites = place
    ? [text(1, place.latitude < 0 ? 'S' : 'N'), degrees(2, Math.abs(place.latitude)), text(3, place.longitude < 0 ? 'W' : 'E'), degrees(4, Math.abs(place.longitude))]
    : []
  const sizeOf = (fields: Field[]) => 2 + fields.length * 12 + 4 + fields.reduce((sum, { content }) => sum + (content.length > 4 ? content.length : 0), 0)
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
