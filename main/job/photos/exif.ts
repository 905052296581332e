/** The EXIF data of a picture that matter here. */
export interface Exif {
  /** 1 to 8, as in EXIF; 1: upright. */
  orientation: number
  /** Only with a known zone: an offset, or satellite time. */
  takenAt: string | null
  /** As it stands there, `2026:11:20 09:00:00`. */
  takenText: string | null
  offsetText: string | null
  place: { latitude: number; longitude: number } | null
}

const noExif: Exif = { orientation: 1, takenAt: null, takenText: null, offsetText: null, place: null }

interface Entry {
  type: number
  count: number
  at: number
}

const sizes: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8 }

/** Reads the TIFF block of EXIF. Undefined for an invalid one. */
export function readExif(tiff: Uint8Array): Exif | undefined {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  try {
    return parse(view)
  } catch (error) {
    // Everything is read through the view, which throws RangeError beyond its end.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function parse(view: DataView): Exif | undefined {
  const order = view.getUint16(0)
  if (order !== 0x4949 && order !== 0x4d4d) return undefined
  const little = order === 0x4949
  if (view.getUint16(2, little) !== 42) return undefined
  const main = readDirectory(view, view.getUint32(4, little), little)
  const pointer = (tag: number) => {
    const entry = main.get(tag)
    return entry && view.getUint32(entry.at, little)
  }
  const exifAt = pointer(0x8769)
  const gpsAt = pointer(0x8825)
  const exif = exifAt === undefined ? new Map<number, Entry>() : readDirectory(view, exifAt, little)
  const gps = gpsAt === undefined ? new Map<number, Entry>() : readDirectory(view, gpsAt, little)
  const orientationEntry = main.get(0x0112)
  const orientation = orientationEntry ? view.getUint16(orientationEntry.at, little) : 1
  const takenText = textLike(/^\d{4}:\d\d:\d\d \d\d:\d\d:\d\d$/, textOf(view, exif.get(0x9003)))
  const offsetText = textLike(/^([+-]\d\d:\d\d|Z)$/, textOf(view, exif.get(0x9011)))
  return {
    ...noExif,
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    takenText,
    offsetText,
    takenAt: timeOf(takenText, offsetText) ?? satelliteTime(view, gps, little),
    place: placeOf(view, gps, little)
  }
}

function readDirectory(view: DataView, at: number, little: boolean): Map<number, Entry> {
  const entries = new Map<number, Entry>()
  const count = view.getUint16(at, little)
  for (let index = 0; index < count; index += 1) {
    const start = at + 2 + index * 12
    const type = view.getUint16(start + 2, little)
    const n = view.getUint32(start + 4, little)
    const bytes = (sizes[type] ?? 1) * n
    entries.set(view.getUint16(start, little), {
      type,
      count: n,
      at: bytes <= 4 ? start + 8 : view.getUint32(start + 8, little)
    })
  }
  return entries
}

function textOf(view: DataView, entry: Entry | undefined): string | null {
  if (!entry || entry.type !== 2 || entry.count > 100) return null
  let text = ''
  for (let index = 0; index < entry.count; index += 1) {
    const code = view.getUint8(entry.at + index)
    if (code === 0) break
    text += String.fromCharCode(code)
  }
  return text.trim() || null
}

/** Any other text may be a name. */
const textLike = (form: RegExp, text: string | null): string | null => (text !== null && form.test(text) ? text : null)

function timeOf(taken: string | null, offset: string | null): string | null {
  if (taken === null || offset === null) return null
  return isoOrNothing(`${taken.slice(0, 10).replaceAll(':', '-')}T${taken.slice(11)}${offset}`)
}

function isoOrNothing(text: string): string | null {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

function rationals(view: DataView, entry: Entry | undefined, little: boolean): number[] | null {
  if (!entry || entry.type !== 5 || entry.count !== 3) return null
  return [0, 1, 2].map(
    (index) => view.getUint32(entry.at + index * 8, little) / view.getUint32(entry.at + index * 8 + 4, little)
  )
}

function satelliteTime(view: DataView, gps: Map<number, Entry>, little: boolean): string | null {
  const day = /^(\d{4}):(\d\d):(\d\d)$/.exec(textOf(view, gps.get(0x1d)) ?? '')
  const time = rationals(view, gps.get(7), little)
  if (!day || !time?.every(Number.isFinite)) return null
  const [h = 0, min = 0, s = 0] = time
  const ms = Date.parse(`${day[1]}-${day[2]}-${day[3]}T00:00:00Z`) + ((h * 60 + min) * 60 + s) * 1000
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null
}

function placeOf(view: DataView, gps: Map<number, Entry>, little: boolean): Exif['place'] {
  const latitude = degrees(rationals(view, gps.get(2), little), textOf(view, gps.get(1)), ['N', 'S'])
  const longitude = degrees(rationals(view, gps.get(4), little), textOf(view, gps.get(3)), ['E', 'W'])
  if (latitude === null || longitude === null || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null
  return { latitude, longitude }
}

function degrees(parts: number[] | null, side: string | null, [positive, negative]: [string, string]): number | null {
  if (!parts?.every(Number.isFinite) || (side !== positive && side !== negative)) return null
  const [deg = 0, min = 0, s = 0] = parts
  return (deg + min / 60 + s / 3600) * (side === negative ? -1 : 1)
}

/** A TIFF block with only the orientation, the time, and this location (null: none). */
export function plainExif({ orientation, takenText, offsetText }: Exif, place: Exif['place']): Uint8Array {
  const text = (tag: number, value: string | null): Field[] =>
    value === null ? [] : [{ tag, type: 2, count: value.length + 1, content: Buffer.from(`${value}\0`, 'latin1') }]
  const number = (tag: number, type: 3 | 4, value: number): Field => {
    const content = Buffer.alloc(4)
    content.writeUInt32LE(value)
    return { tag, type, count: 1, content }
  }
  const times = [...text(0x9003, takenText), ...text(0x9011, offsetText)]
  const gps = place
    ? [
        ...text(1, place.latitude < 0 ? 'S' : 'N'),
        degreesField(2, place.latitude),
        ...text(3, place.longitude < 0 ? 'W' : 'E'),
        degreesField(4, place.longitude)
      ]
    : []
  const main = (timesAt: number, gpsAt: number) => [
    number(0x0112, 3, orientation),
    ...(times.length > 0 ? [number(0x8769, 4, timesAt)] : []),
    ...(gps.length > 0 ? [number(0x8825, 4, gpsAt)] : [])
  ]
  const timesAt = 8 + directory(0, main(0, 0)).length
  const gpsAt = timesAt + (times.length > 0 ? directory(0, times).length : 0)
  const parts = [
    directory(8, main(timesAt, gpsAt)),
    ...(times.length > 0 ? [directory(timesAt, times)] : []),
    ...(gps.length > 0 ? [directory(gpsAt, gps)] : [])
  ]
  return Buffer.concat([Buffer.from('II*\0\b\0\0\0', 'latin1'), ...parts])
}

interface Field {
  tag: number
  type: number
  count: number
  content: Buffer
}

/** Degrees, minutes and seconds, the last in ten-thousandths. */
function degreesField(tag: number, value: number): Field {
  const parts = Math.round(Math.abs(value) * 36_000_000)
  const content = Buffer.alloc(24)
  for (const [index, one] of [
    Math.floor(parts / 36_000_000),
    1,
    Math.floor(parts / 600_000) % 60,
    1,
    parts % 600_000,
    10_000
  ].entries())
    content.writeUInt32LE(one, 4 * index)
  return { tag, type: 5, count: 3, content }
}

/** A value of up to four bytes is in the entry itself, a longer one after the entries. */
function directory(at: number, fields: readonly Field[]): Buffer {
  const head = Buffer.alloc(2 + fields.length * 12 + 4)
  head.writeUInt16LE(fields.length)
  const far: Buffer[] = []
  let farAt = at + head.length
  for (const [index, { tag, type, count, content }] of fields.entries()) {
    const entry = 2 + index * 12
    head.writeUInt16LE(tag, entry)
    head.writeUInt16LE(type, entry + 2)
    head.writeUInt32LE(count, entry + 4)
    if (content.length <= 4) content.copy(head, entry + 8)
    else {
      head.writeUInt32LE(farAt, entry + 8)
      far.push(content)
      farAt += content.length
    }
  }
  return Buffer.concat([head, ...far])
}
