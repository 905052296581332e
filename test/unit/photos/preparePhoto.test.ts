import jpeg from 'jpeg-js'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { preparePhoto, type PhotoInput, type PreparedPhoto } from '../../../main/photos/preparePhoto.ts'
import {
  jpegPicture,
  pngOf,
  pngPicture,
  progressivePicture,
  tiffOf,
  withExif,
  withSegments
} from '../../support/pictures.ts'
import { tempFolder } from '../../support/tempFolder.ts'

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

test('a picture that names no place is kept byte for byte', async () => {
  const picture = withExif(jpegPicture(), { orientation: 6, taken: '2026:11:20 09:58:00', offset: '+01:00' })
  const photo = await prepared(picture)
  expect(Buffer.compare(photo.bytes, picture)).toBe(0)
  expect(photo).toMatchObject({
    mediaType: 'image/jpeg',
    width: 48,
    height: 64,
    takenAt: '2026-11-20T08:58:00.000Z',
    place: here,
    placeSource: 'device'
  })
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
    expect(hasText(photo.bytes, '2026:11:19')).toBe(true)
  }
)

test('a place beside the device stays, and is the place of the picture', async () => {
  const picture = withExif(jpegPicture(), { place: { latitude: 40.4169, longitude: -3.7038 } })
  const photo = await prepared(picture)
  expect(Buffer.compare(photo.bytes, picture)).toBe(0)
  expect(photo.placeSource).toBe('photo')
  expect(photo.place?.latitude).toBeCloseTo(40.4169, 4)
  expect(photo.place?.longitude).toBeCloseTo(-3.7038, 4)
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
  const photo = await prepared(picture)
  for (const text of ['GPSLatitude', 'MPF', 'Elsewhere', 'taken at home'])
    expect(hasText(photo.bytes, text)).toBe(false)
  expect(Buffer.compare(photo.bytes, jpegPicture())).toBe(0)
})

test('a block of EXIF that cannot be read is taken out: it may name a place', async () => {
  const broken = tiffOf({ place: elsewhere })
  broken.writeUInt32LE(0xffffff, 4)
  const photo = await prepared(
    withSegments(jpegPicture(), [{ marker: 0xe1, content: Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), broken]) }])
  )
  expect(Buffer.compare(photo.bytes, jpegPicture())).toBe(0)
})

test('texts and the EXIF block of a PNG are taken out as well', async () => {
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
    chunk('eXIf', tiffOf({ place: elsewhere })),
    plain.subarray(33)
  ])
  const photo = await prepared(picture)
  expect(Buffer.compare(photo.bytes, plain)).toBe(0)
  expect(photo).toMatchObject({ mediaType: 'image/png', place: null })
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
test.for([
  ['nothing at all', Buffer.alloc(0), 'photos.neitherJpegNorPng'],
  ['text', Buffer.from('a picture'), 'photos.neitherJpegNorPng'],
  ['a picture of another form', Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 'photos.neitherJpegNorPng'],
  [
    'a page that calls itself one',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'photos.neitherJpegNorPng'
  ],
  ['a JPEG without its end', whole.subarray(0, whole.length - 40), 'photos.truncated'],
  ['the first two bytes of one', whole.subarray(0, 2), 'photos.truncated'],
  ['a PNG without its end', pngPicture().subarray(0, 60), 'photos.truncated'],
  ['a PNG whose points are missing', pngClaims(2_000, 2_000), 'photos.unreadable'],
  [
    'a PNG whose last row is missing',
    pngClaims(pngPicture().readUInt32BE(16), pngPicture().readUInt32BE(20) + 1),
    'photos.unreadable'
  ],
  ['a large PNG whose points are missing', pngClaims(4_000, 3_000), 'photos.unreadable'],
  ['a JPEG that claims more points than any camera makes', claims(65_000, 65_000), 'photos.tooManyPoints'],
  ['a PNG that claims more points than any camera makes', pngClaims(60_000, 60_000), 'photos.tooManyPoints'],
  ['a JPEG whose points are missing', claims(7_000, 7_000), 'photos.unreadable'],
  ['a PNG of more points than are held at once', pngClaims(8_000, 6_251), 'photos.tooManyPoints'],
  [
    'an interlaced PNG of more points than are held at once',
    pngOf({ width: 4_000, height: 3_001, depth: 8, colour: 2, isInterlaced: true }, Buffer.alloc(10)),
    'photos.tooManyPoints'
  ],
  [
    'a PNG of a colour that does not exist',
    pngOf({ width: 2, height: 2, depth: 8, colour: 5 }, Buffer.alloc(10)),
    'photos.unreadable'
  ],
  ['a JPEG of no height', claims(64, 0), 'photos.unreadable'],
  ['a file that is too large', Buffer.concat([whole, Buffer.alloc(16_000_000)]), 'photos.tooLarge']
] as const)('%s is refused in words', async ([, bytes, reason]) => {
  expect(await prepare(bytes)).toMatchObject({ outcome: 'refused', reason: { id: reason } })
})

type LargePicture = [what: string, make: () => Buffer, is: { width: number; height: number; mean?: number }]

const largest: readonly LargePicture[] = [
  ['a JPEG of 49 million points', () => greyPicture(8_192, 5_968), { width: 8_192, height: 5_968, mean: 128 }],
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
  // Its colours are as large as its brightness, and all of it is in memory until the last scan.
  ['a progressive JPEG of 26 million points', () => progressivePicture(5_112, 5_112), { width: 5_112, height: 5_112 }],
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
  ]
]

test.for(largest)('%s needs less than 270 MB, with all of Node', (one) => expectLittleMemory(one))
test.for(worst)('%s needs less than 270 MB, with all of Node', { tags: ['long'] }, (one) => expectLittleMemory(one))

function expectLittleMemory([, picture, is]: LargePicture): void {
  const file = path.join(tempFolder(), 'large')
  fs.writeFileSync(file, picture())
  const program = `
    const { preparePhoto } = await import(${JSON.stringify(new URL('../../../main/photos/preparePhoto.ts', import.meta.url).href)})
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
  expect(said.peakMb).toBeLessThan(270)
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

test('a JPEG cut or changed at any place is taken or refused, and never brings anything down', async () => {
  for (let at = 0; at < whole.length; at += 31) {
    expect(['prepared', 'refused']).toContain((await prepare(whole.subarray(0, at))).outcome)
    const changed = Buffer.from(whole)
    changed[at] = 0xff - (changed[at] ?? 0)
    expect(['prepared', 'refused']).toContain((await prepare(changed)).outcome)
  }
})
