import jpeg from 'jpeg-js'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { preparePhoto, type PhotoInput, type PreparedPhoto } from '../../../../main/job/photos/preparePhoto.ts'
import {
  jpegPicture,
  pngOf,
  pngPicture,
  progressivePicture,
  tiffOf,
  withExif,
  withSegments
} from '../../../world/data/pictures.ts'
import { heicGrid } from '../../../world/heicGrid.ts'
import { tempFolder } from '../../../world/tempFolder.ts'

const here = { latitude: 40.41678, longitude: -3.70379 }
/** A home, 12 km from here. */
const elsewhere = { latitude: 40.52345, longitude: -3.74321 }
const keptAt = '2026-11-20T09:00:05.000Z'

function prepare(bytes: Uint8Array, more: Partial<PhotoInput> = {}) {
  return preparePhoto({ bytes, devicePlace: here, samePlaceM: 50, keptAt, takenAt: null, place: null, ...more })
}

async function prepared(bytes: Uint8Array, more: Partial<PhotoInput> = {}): Promise<PreparedPhoto> {
  const answer = await prepare(bytes, more)
  if (answer.outcome === 'refused') throw new Error(answer.reason.id)
  return answer.photo
}

const points = (bytes: Uint8Array) => jpeg.decode(bytes, { useTArray: true })
const hasText = (bytes: Uint8Array, text: string) => Buffer.from(bytes).includes(Buffer.from(text, 'latin1'))

/** What any program can read of it besides its pixels. */
const metadata = async (bytes: Uint8Array) => {
  const { orientation, exif, xmp, iptc, comments } = await sharp(bytes).metadata()
  return { orientation, exif: exif?.toString('latin1'), xmp, iptc, comments }
}
const owner = {
  marker: 0xe1,
  content: Buffer.concat([
    Buffer.from('Exif\0\0', 'latin1'),
    tiffOf({ orientation: 6, taken: '2026:11:20 09:58:00', offset: '+01:00', artist: 'Ana Owner' })
  ])
}

test('a picture is kept pixel by pixel with its orientation and time; the name of its owner is removed', async () => {
  const picture = withSegments(jpegPicture(), [owner])
  const photo = await prepared(picture)
  expect(Buffer.compare(points(photo.bytes).data, points(picture).data)).toBe(0)
  expect(photo).toMatchObject({
    mediaType: 'image/jpeg',
    width: 48,
    height: 64,
    takenAt: '2026-11-20T08:58:00.000Z',
    place: here,
    placeSource: 'device'
  })
  expect(hasText(photo.bytes, 'Ana')).toBe(false)
  expect(hasText(photo.bytes, '2026:11:20 09:58:00')).toBe(true)
  // Taken in again, nothing changes any more.
  expect(Buffer.compare((await prepared(photo.bytes)).bytes, photo.bytes)).toBe(0)
})

test('a time that is a name is removed too', async () => {
  const photo = await prepared(withExif(jpegPicture(), { taken: 'Ana Owner', offset: 'Owner' }))
  expect(hasText(photo.bytes, 'Owner')).toBe(false)
  expect(photo.takenAt).toBe(null)
})

test.for([false, true])(
  'the place of somewhere else is taken out, and not a point of the picture changes (big-endian: %s)',
  async (isBigEndian) => {
    const exif = { orientation: 3, taken: '2026:11:19 20:00:00', offset: '+01:00', place: elsewhere, isBigEndian }
    const picture = withExif(jpegPicture(), exif)
    const photo = await prepared(picture)
    expect(photo.bytes.length).toBeLessThan(picture.length)
    expect(Buffer.compare(points(photo.bytes).data, points(picture).data)).toBe(0)
    // It does not get the place of the device: it was taken elsewhere.
    expect(photo).toMatchObject({ place: null, placeSource: null, takenAt: '2026-11-19T19:00:00.000Z' })
    // Taken in again, it has its time and its side, and no place any more.
    expect(await prepared(photo.bytes)).toMatchObject({ takenAt: '2026-11-19T19:00:00.000Z', placeSource: 'device' })
    expect((await metadata(photo.bytes)).orientation).toBe(3)
  }
)

test('a place beside the device stays, and is the place of the picture, also when it is taken in again', async () => {
  const place = { latitude: 40.4169, longitude: -3.7038 }
  const photo = await prepared(withExif(jpegPicture(), { place }))
  for (const one of [photo, await prepared(photo.bytes)]) {
    expect(one.placeSource).toBe('photo')
    expect(one.place?.latitude).toBeCloseTo(place.latitude, 6)
    expect(one.place?.longitude).toBeCloseTo(place.longitude, 6)
  }
})

test('where nobody knows where the device is, every place is taken out', async () => {
  const photo = await prepared(withExif(jpegPicture(), { place: here }), { devicePlace: null })
  expect(photo).toMatchObject({ place: null, placeSource: null })
  expect(await prepared(photo.bytes, { devicePlace: here })).toMatchObject({ placeSource: 'device' })
})

test('what programs and phones write beside the picture is taken out: texts, notes, second pictures', async () => {
  const second = withExif(jpegPicture(16, 16), { place: elsewhere })
  const picture = Buffer.concat([
    withSegments(jpegPicture(), [
      { marker: 0xe1, content: Buffer.from('http://ns.adobe.com/xap/1.0/\0<x exif:GPSLatitude="40,31.4N"/>') },
      { marker: 0xe2, content: Buffer.from('MPF\0second picture') },
      { marker: 0xed, content: Buffer.from('Photoshop 3.0\0City: Elsewhere') },
      { marker: 0xfe, content: Buffer.from('taken at home') }
    ]),
    second
  ])
  expect(Buffer.compare((await prepared(picture)).bytes, jpegPicture())).toBe(0)
})

test('a block of EXIF that cannot be read is taken out: it may name a place', async () => {
  const broken = tiffOf({ place: elsewhere })
  broken.writeUInt32LE(0xffffff, 4)
  const photo = await prepared(
    withSegments(jpegPicture(), [{ marker: 0xe1, content: Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), broken]) }])
  )
  expect(Buffer.compare(photo.bytes, jpegPicture())).toBe(0)
})

test('a PNG keeps its pixels and its time; texts and places are taken out', async () => {
  const chunk = (type: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(content.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const plain = pngPicture()
  const picture = Buffer.concat([
    plain.subarray(0, 33),
    chunk('tEXt', Buffer.from('Location\0Elsewhere')),
    chunk('eXIf', tiffOf({ place: elsewhere, taken: '2026:11:19 20:00:00', offset: '+01:00' })),
    plain.subarray(33)
  ])
  const photo = await prepared(picture)
  expect(photo).toMatchObject({ mediaType: 'image/png', place: null, takenAt: '2026-11-19T19:00:00.000Z' })
  expect(Buffer.compare(await sharp(photo.bytes).raw().toBuffer(), await sharp(plain).raw().toBuffer())).toBe(0)
  expect(hasText(photo.bytes, 'Elsewhere')).toBe(false)
  expect(await prepared(photo.bytes)).toMatchObject({ placeSource: 'device', takenAt: '2026-11-19T19:00:00.000Z' })
  expect(Buffer.compare((await prepared(plain)).bytes, plain)).toBe(0)
})

const named = {
  IFD0: { Artist: 'Ana Owner' },
  IFD2: { DateTimeOriginal: '2026:11:20 09:58:00', OffsetTimeOriginal: '+01:00' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '40/1 31/1 2442/100',
    GPSLongitudeRef: 'W',
    GPSLongitude: '3/1 44/1 3556/100'
  }
}
const slope = () => sharp(jpegPicture()).withExif(named)
/** The picture of the phone under another main brand; the picture inside is the same. */
function heicOf(brand: string): Buffer {
  const bytes = fs.readFileSync(new URL('phone.heic', import.meta.url))
  bytes.write(brand, 8, 'latin1')
  return bytes
}

test('an HEIC in tiles is put together from them, cut at its edges, upright', async () => {
  const upright = points((await prepared(heicGrid(1_100, 700))).bytes)
  expect(upright).toMatchObject({ width: 1_100, height: 700 })
  const at = ({ data, width }: typeof upright, x: number, y: number) => data[4 * (y * width + x)] ?? 0
  // Each tile gets brighter to the right and below, and begins again with the next one.
  for (const [x, y] of [
    [0, 0],
    [60, 30]
  ] as const)
    for (const [column, row] of [
      [1, 0],
      [0, 1],
      [2, 1]
    ] as const)
      expect(Math.abs(at(upright, x + 512 * column, y + 512 * row) - at(upright, x, y))).toBeLessThan(8)
  expect(at(upright, 500, 500) - at(upright, 520, 520)).toBeGreaterThan(100)
  const turned = points((await prepared(heicGrid(1_100, 700, 1))).bytes)
  expect(turned).toMatchObject({ width: 700, height: 1_100 })
  for (const [x, y] of [
    [10, 10],
    [600, 40],
    [1_090, 690]
  ] as const)
    expect(Math.abs(at(turned, y, 1_099 - x) - at(upright, x, y))).toBeLessThan(8)
})

test.for<[what: string, make: () => Promise<Buffer>]>([
  // Made from a picture with the same facts by another encoder of libheif.
  ['an HEIC of a phone', async () => fs.readFileSync(new URL('phone.heic', import.meta.url))],
  ...['heim', 'heis', 'hevm', 'hevs', 'mif1'].map((brand): [string, () => Promise<Buffer>] => [
    `an HEIC of the brand ${brand}`,
    async () => heicOf(brand)
  ]),
  ['a WebP', () => slope().webp({ quality: 95 }).toBuffer()],
  ['an AVIF', () => slope().avif({ quality: 90 }).toBuffer()]
])('%s is stored as a JPEG with its time, without its owner and a place elsewhere', async ([, make]) => {
  const picture = await make()
  expect(hasText(picture, 'Ana Owner')).toBe(true)
  const photo = await prepared(picture)
  expect(photo).toMatchObject({
    mediaType: 'image/jpeg',
    width: 64,
    height: 48,
    takenAt: '2026-11-20T08:58:00.000Z',
    place: null,
    placeSource: null
  })
  const stored = points(photo.bytes)
  expect(stored).toMatchObject({ width: 64, height: 48 })
  expect(stored.data[0]).toBeLessThan(20)
  expect(stored.data[4 * 63]).toBeGreaterThan(235)
  expect(hasText(photo.bytes, 'Owner')).toBe(false)
  expect(photo.brightness.mean).toBeGreaterThan(100)
  const { orientation, xmp, iptc, comments } = await metadata(photo.bytes)
  expect({ orientation, xmp, iptc, comments }).toEqual({ orientation: 1 })
  expect(await prepared(photo.bytes, { devicePlace: elsewhere })).toMatchObject({ placeSource: 'device' })
})

// The picture has a dark corner at the left of its top, and a light one at the right of its foot.
const corners = (x: number, y: number) => (x < 32 && y < 24 ? 0 : x >= 32 && y >= 24 ? 255 : 128)
test.for([1, 2, 3, 4, 5, 6, 7, 8])('the copy for reports is upright (EXIF orientation %i)', async (orientation) => {
  const picture = withExif(jpegPicture(64, 48, corners), { orientation })
  const [report, upright] = [
    points((await prepared(picture)).report),
    await sharp(picture).autoOrient().raw().toBuffer({ resolveWithObject: true })
  ]
  expect(report.width).toBe(upright.info.width)
  for (const [x, y] of [
    [6, 6],
    [report.width - 7, 6],
    [6, upright.info.height - 7],
    [report.width - 7, upright.info.height - 7]
  ] as const) {
    expect(
      Math.abs(
        (report.data[4 * (y * report.width + x)] ?? 0) -
          (upright.data[upright.info.channels * (y * report.width + x)] ?? 0)
      )
    ).toBeLessThan(12)
  }
})

const gradient = await sharp(jpegPicture(640, 480)).jpeg({ quality: 90 }).toBuffer()
const progressive = await sharp(jpegPicture(640, 480)).jpeg({ quality: 90, progressive: true }).toBuffer()
test.for<[what: string, picture: Buffer]>([
  ['a JPEG', gradient.subarray(0, -2)],
  ['a JPEG with half of its end mark', gradient.subarray(0, -1)],
  ['a progressive JPEG', progressive.subarray(0, -2)],
  ['a PNG', pngPicture(640, 480).subarray(0, -12)]
])('%s that lacks only its end mark is accepted, and stored with it', async ([, picture]) => {
  const photo = await prepared(picture)
  expect(photo).toMatchObject({ width: 640, height: 480 })
  expect(await prepared(photo.bytes)).toMatchObject({ width: 640, height: 480 })
  await sharp(photo.bytes, { failOn: 'warning' }).raw().toBuffer()
})

test('a header as some phones write it, with scan parameters that a JPEG of one scan ignores, is no reason to refuse a picture', async () => {
  const picture = Buffer.from(gradient)
  const scan = picture.indexOf(Buffer.from([0xff, 0xda]))
  picture[scan + 2 + picture.readUInt16BE(scan + 2) - 2] = 0
  await expect(sharp(picture, { failOn: 'warning' }).raw().toBuffer()).rejects.toThrow('SOS')
  expect(await prepared(picture)).toMatchObject({ width: 640, height: 480 })
})

test('the copy for reports is a JPEG of at most 2560 points without EXIF, the right way up, with a line at its foot', async () => {
  const photo = await prepared(withExif(jpegPicture(3000, 600), { orientation: 6, place: here }))
  const report = points(photo.report)
  expect(report.width).toBe(512)
  expect(report.height).toBeGreaterThan(2560)
  expect(report.height).toBeLessThan(2600)
  expect(hasText(photo.report, 'Exif')).toBe(false)
  const brightness = (x: number, y: number) => report.data[4 * (y * report.width + x)] ?? 0
  // The dark side was at the left; turned by a quarter it is at the top.
  expect(brightness(256, 10)).toBeLessThan(30)
  expect(brightness(256, 2500)).toBeGreaterThan(220)
  // The line: light letters on black, and both are there.
  const foot = Array.from({ length: report.width }, (_, x) => brightness(x, report.height - 8))
  expect(Math.min(...foot)).toBeLessThan(40)
  expect(Math.max(...foot)).toBeGreaterThan(180)
})

test('time and place at the foot are those of the picture: another time, another line', async () => {
  const foot = async (more: Partial<PhotoInput>) => {
    const report = points((await prepared(jpegPicture(800, 40), more)).report)
    return Buffer.from(report.data.subarray(4 * report.width * 41)).toString('base64')
  }
  const plain = await foot({})
  expect(await foot({})).toBe(plain)
  expect(await foot({ keptAt: '2026-11-20T09:00:06.000Z' })).not.toBe(plain)
  expect(await foot({ takenAt: '2026-11-20T08:00:00.000Z' })).not.toBe(plain)
  expect(await foot({ devicePlace: null })).not.toBe(plain)
})

test('a picture of a vehicle camera has the time and the place that the gateway says', async () => {
  const given = { takenAt: '2026-11-20T08:59:00.000Z', place: elsewhere }
  expect(await prepared(jpegPicture(), given)).toMatchObject({
    takenAt: given.takenAt,
    place: elsewhere,
    placeSource: 'given'
  })
})

test('a covered lens is dark all over; any other picture is not', async () => {
  expect((await prepared(jpegPicture(64, 48, () => 3))).brightness).toMatchObject({
    mean: expect.closeTo(3, 0),
    spread: expect.closeTo(0, 0)
  })
  const { mean, spread } = (await prepared(jpegPicture())).brightness
  expect(mean).toBeGreaterThan(100)
  expect(spread).toBeGreaterThan(50)
})

const whole = jpegPicture()
/** Its tile says another size than it has. */
function heicOfOneTile(width: number, height: number): Buffer {
  const picture = heicGrid(512, 512)
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  const last = picture.lastIndexOf('ispe', undefined, 'latin1')
  size.copy(picture, last + 8)
  size.copy(picture, picture.length - 8)
  return picture
}

const claims = (width: number, height: number) => {
  const picture = Buffer.from(whole)
  const frame = picture.indexOf(Buffer.from([0xff, 0xc0]))
  picture.writeUInt16BE(height, frame + 5)
  picture.writeUInt16BE(width, frame + 7)
  return picture
}
const pngClaims = (width: number, height: number) => {
  const picture = Buffer.from(pngPicture())
  picture.writeUInt32BE(width, 16)
  picture.writeUInt32BE(height, 20)
  picture.writeUInt32BE(crc32(picture.subarray(12, 29)), 29)
  return picture
}
const webpClaims = async (width: number, height: number) => {
  const picture = await sharp(jpegPicture()).webp().toBuffer()
  const frame = picture.indexOf(Buffer.from([0x9d, 0x01, 0x2a]))
  picture.writeUInt16LE(width, frame + 3)
  picture.writeUInt16LE(height, frame + 5)
  return picture
}
test.for<[what: string, bytes: Buffer | Promise<Buffer>, ...reasons: string[]]>([
  ['nothing at all', Buffer.alloc(0), 'photos.unknownForm'],
  ['text', Buffer.from('a picture'), 'photos.unknownForm'],
  ['a sound', Buffer.from('RIFF\0\0\0\0WAVEfmt '), 'photos.unknownForm'],
  ['a page that calls itself one', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'photos.unknownForm'],
  ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;'), 'photos.unknownForm'],
  ['a TIFF', sharp(jpegPicture()).tiff().toBuffer(), 'photos.unknownForm'],
  ['a WebP of nothing', Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'photos.unreadable'],
  ['an HEIC of nothing', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), 'photos.unreadable'],
  [
    'an HEIC of one tile that claims more points than are held at once',
    heicOfOneTile(8_064, 6_048),
    'photos.tooManyPoints'
  ],
  ['half of an HEIC', fs.readFileSync(new URL('phone.heic', import.meta.url)).subarray(0, 1_000), 'photos.unreadable'],
  [
    'half of a WebP',
    sharp(jpegPicture(640, 480))
      .webp()
      .toBuffer()
      .then((picture) => picture.subarray(0, picture.length / 2)),
    'photos.unreadable'
  ],
  ['a JPEG of which half is missing', gradient.subarray(0, gradient.length / 2), 'photos.truncated'],
  ['a progressive JPEG of which half is missing', progressive.subarray(0, progressive.length / 2), 'photos.truncated'],
  ['the first three bytes of one', whole.subarray(0, 3), 'photos.unreadable'],
  ['a PNG without its end', pngPicture().subarray(0, 60), 'photos.unreadable', 'photos.truncated'],
  ['a PNG whose points are missing', pngClaims(2_000, 2_000), 'photos.unreadable'],
  [
    'a PNG whose last row is missing',
    pngClaims(pngPicture().readUInt32BE(16), pngPicture().readUInt32BE(20) + 1),
    'photos.unreadable'
  ],
  ['a large PNG whose points are missing', pngClaims(4_000, 3_000), 'photos.unreadable'],
  ['a JPEG that claims more points than any camera makes', claims(65_000, 65_000), 'photos.tooManyPoints'],
  ['a PNG that claims more points than any camera makes', pngClaims(60_000, 60_000), 'photos.tooManyPoints'],
  ['a WebP that claims more points than any camera makes', webpClaims(16_000, 16_000), 'photos.tooManyPoints'],
  ['a WebP whose points are missing', webpClaims(3_000, 3_000), 'photos.unreadable'],
  ['a JPEG whose points are missing', claims(7_000, 7_000), 'photos.truncated'],
  ['a PNG of more points than are held at once', pngClaims(16_000, 12_501), 'photos.tooManyPoints'],
  [
    'an interlaced PNG of more points than are held at once',
    pngOf({ width: 5_000, height: 5_001, depth: 8, colour: 2, isInterlaced: true }, Buffer.alloc(10)),
    'photos.tooManyPoints'
  ],
  [
    'a PNG of a colour that does not exist',
    pngOf({ width: 2, height: 2, depth: 8, colour: 5 }, Buffer.alloc(10)),
    'photos.unreadable'
  ],
  ['a JPEG of no height', claims(64, 0), 'photos.unreadable'],
  ['a file that is too large', Buffer.concat([whole, Buffer.alloc(48_000_000)]), 'photos.tooLarge']
])('%s is refused in words', async ([, bytes, ...reasons]) => {
  const answer = await prepare(await bytes)
  expect(answer.outcome).toBe('refused')
  expect(reasons).toContain(answer.outcome === 'refused' && answer.reason.id)
})

test('a file that is too large to be stored is stored smaller', async () => {
  const noise = await sharp(randomBytes(3 * 3_400 * 3_400), { raw: { width: 3_400, height: 3_400, channels: 3 } })
    .jpeg({ quality: 98, chromaSubsampling: '4:4:4' })
    .toBuffer()
  expect(noise.length).toBeGreaterThan(16_000_000)
  const photo = await prepared(noise)
  expect(photo.bytes.length).toBeLessThan(16_000_000)
  expect(photo).toMatchObject({ mediaType: 'image/jpeg', width: 3_400, height: 3_400 })
})

type LargePicture = [
  what: string,
  make: () => Buffer | Promise<Buffer>,
  is: { width: number; height: number; mean?: number }
]

const plainPng = (width: number, height: number) =>
  pngOf({ width, height, depth: 8, colour: 0 }, Buffer.alloc(height * (width + 1)))

const largest: readonly LargePicture[] = [
  ['an HEIC of 48 million points of a phone', () => heicGrid(8_064, 6_048), { width: 8_064, height: 6_048 }],
  ['an HEIC of 24 million points of a phone', () => heicGrid(5_712, 4_284), { width: 5_712, height: 4_284 }],
  ['a JPEG of the main camera of a phone', () => greyPicture(9_248, 6_936), { width: 9_248, height: 6_936, mean: 128 }],
  ['a JPEG of 200 million points', () => greyPicture(16_320, 12_240), { width: 16_320, height: 12_240, mean: 128 }],
  [
    'a JPEG of 200 million points on its side',
    () => withExif(greyPicture(16_320, 12_240), { orientation: 6 }),
    { width: 12_240, height: 16_320, mean: 128 }
  ],
  [
    'a PNG of 49 million points',
    () =>
      pngOf(
        { width: 7_000, height: 7_000, depth: 8, colour: 2 },
        Buffer.alloc(7_000 * 21_001, Buffer.concat([Buffer.from([2]), Buffer.alloc(21_000, Buffer.from([7, 3, 1]))]))
      ),
    { width: 7_000, height: 7_000 }
  ]
]

const worst: readonly LargePicture[] = [
  ['a PNG of 200 million points', () => plainPng(16_320, 12_240), { width: 16_320, height: 12_240, mean: 0 }],
  // Its colours are as large as its brightness, and all of it is in memory until the last scan.
  ['a progressive JPEG of 26 million points', () => progressivePicture(5_096, 5_096), { width: 5_096, height: 5_096 }],
  // Nothing of it is plain: its copy for reports is as large as one can be.
  [
    'a PNG of 25 million points of noise',
    () => pngOf({ width: 5_000, height: 5_000, depth: 4, colour: 0 }, noiseRows(5_000, 2_501)),
    { width: 5_000, height: 5_000 }
  ],
  [
    'a PNG of 5 million points of coloured noise',
    () => pngOf({ width: 2_560, height: 2_048, depth: 8, colour: 2 }, noiseRows(2_048, 7_681)),
    { width: 2_560, height: 2_048 }
  ],
  [
    'an interlaced PNG of 25 million points',
    () =>
      sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: '#000' } })
        .png({ progressive: true, compressionLevel: 1 })
        .toBuffer(),
    { width: 5_000, height: 5_000 }
  ],
  [
    'a WebP of 25 million points',
    () =>
      sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: '#888' } })
        .webp({ effort: 0 })
        .toBuffer(),
    { width: 5_000, height: 5_000 }
  ],
  [
    'an AVIF of 12 million points',
    () =>
      sharp({ create: { width: 4_032, height: 3_024, channels: 3, background: '#888' } })
        .avif({ effort: 0 })
        .toBuffer(),
    { width: 4_032, height: 3_024 }
  ]
]

test.for(largest)('%s needs less than 300 MB, with all of Node', (one) => expectLittleMemory(one))
test.for(worst)('%s needs less than 300 MB, with all of Node', { tags: ['long'] }, (one) => expectLittleMemory(one))
// Not as phones write it: the decoder needs it whole, and its memory stays until its thread ends.
test('an HEIC of one tile of 24 million points needs less than 350 MB, with all of Node', () =>
  expectLittleMemory(
    ['', () => fs.readFileSync(new URL('phone-24mp.heic', import.meta.url)), { width: 5_712, height: 4_284 }],
    350
  ))

async function expectLittleMemory([, picture, is]: LargePicture, mostMb = 300): Promise<void> {
  const file = path.join(tempFolder(), 'large')
  fs.writeFileSync(file, await picture())
  const program = `
    const { preparePhoto } = await import(${JSON.stringify(new URL('../../../../main/job/photos/preparePhoto.ts', import.meta.url).href)})
    const bytes = (await import('node:fs')).readFileSync(${JSON.stringify(file)})
    const answer = await preparePhoto({ bytes, devicePlace: null, samePlaceM: 50, keptAt: '2026-11-20T09:00:05.000Z', takenAt: null, place: null })
    // On Linux maxRSS also counts the test process itself, of which this one is a copy until it loads its program.
    const status = process.platform === 'linux' ? (await import('node:fs')).readFileSync('/proc/self/status', 'utf8') : ''
    const peakKb = Number(/^VmHWM:\\s+(\\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS)
    console.log(JSON.stringify({ outcome: answer.outcome, reason: answer.reason, width: answer.photo?.width, height: answer.photo?.height, mean: answer.photo?.brightness.mean, peakMb: peakKb / 1_024 }))`
  const said = JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  ) as { peakMb: number }
  expect(said).toMatchObject({ outcome: 'prepared', ...is })
  expect(said.peakMb).toBeLessThan(mostMb)
}

/** Rows of a PNG that begin with 0, which stands for "not filtered". */
function noiseRows(count: number, rowBytes: number): Buffer {
  const rows = randomBytes(count * rowBytes)
  for (let n = 0; n < count; n += 1) rows[n * rowBytes] = 0
  return rows
}

/** A JPEG of one grey, made of as many equal blocks as it needs: sides that can be divided by 8. */
function greyPicture(width: number, height: number): Buffer {
  const small = jpegPicture(8, 8, () => 128)
  const frame = small.indexOf(Buffer.from([0xff, 0xc0]))
  const scan = small.indexOf(Buffer.from([0xff, 0xda]))
  const head = Buffer.from(small.subarray(0, scan + 2 + small.readUInt16BE(scan + 2)))
  head.writeUInt16BE(height, frame + 5)
  head.writeUInt16BE(width, frame + 7)
  // No change of brightness and its end, then the same for two of colour: 00 1010, 00 00, 00 00; four times in 7 bytes.
  const four = Buffer.from(
    (0b00101000000000n * (1n + (1n << 14n) + (1n << 28n) + (1n << 42n))).toString(16).padStart(14, '0'),
    'hex'
  )
  return Buffer.concat([head, Buffer.alloc((width * height * 7) / 256, four), Buffer.from([0xff, 0xd9])])
}

test.for([
  ['JPEG', () => whole],
  ['PNG', () => pngPicture()],
  ['WebP', () => slope().webp().toBuffer()],
  ['AVIF', () => slope().avif().toBuffer()],
  ['HEIC', () => fs.readFileSync(new URL('phone.heic', import.meta.url))]
] as const)(
  'a picture (%s) cut or changed at any place is taken or refused, and never brings anything down',
  async ([, make]) => {
    const whole = await make()
    for (let at = 0; at < whole.length; at += 31) {
      expect(['prepared', 'refused']).toContain((await prepare(whole.subarray(0, at))).outcome)
      const changed = Buffer.from(whole)
      changed[at] = 0xff - (changed[at] ?? 0)
      expect(['prepared', 'refused']).toContain((await prepare(changed)).outcome)
    }
  }
)
