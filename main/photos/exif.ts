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
  /** It contains location data, readable or not. */
  hasPlace: boolean
}

const noExif: Exif = { orientation: 1, takenAt: null, takenText: null, offsetText: null, place: null, hasPlace: false }

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
  const takenText = textOf(view, exif.get(0x9003))
  const offsetText = textOf(view, exif.get(0x9011))
  return {
    ...noExif,
    orientation: orientation >= 1 && orientation <= 8 ? orientation : 1,
    takenText,
    offsetText,
    takenAt: timeOf(takenText, offsetText) ?? satelliteTime(view, gps, little),
    place: placeOf(view, gps, little),
    hasPlace: gpsAt !== undefined
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

function timeOf(taken: string | null, offset: string | null): string | null {
  const match = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(taken ?? '')
  if (!match || !/^([+-]\d\d:\d\d|Z)$/.test(offset ?? '')) return null
  return isoOrNothing(`${match[1]}-${match[2]}-${match[3]}T${match[4]}${offset}`)
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

/** A TIFF block with only the orientation and the time. */
export function plainExif({ orientation, takenText, offsetText }: Exif): Uint8Array {
  const texts = [
    [0x9003, takenText],
    [0x9011, offsetText]
  ].flatMap(([tag, text]) =>
    typeof text === 'string' ? [{ tag: Number(tag), bytes: Buffer.from(`${text}\0`, 'ascii') }] : []
  )
  const mainBytes = 2 + 2 * 12 + 4
  const exifAt = 8 + mainBytes
  const textsAt = exifAt + 2 + texts.length * 12 + 4
  const block = Buffer.alloc(textsAt + texts.reduce((sum, { bytes }) => sum + bytes.length, 0))
  block.write('II', 'ascii')
  block.writeUInt16LE(42, 2)
  block.writeUInt32LE(8, 4)
  block.writeUInt16LE(2, 8)
  writeEntry(block, 10, { tag: 0x0112, type: 3, count: 1, value: orientation })
  writeEntry(block, 22, { tag: 0x8769, type: 4, count: 1, value: exifAt })
  block.writeUInt16LE(texts.length, exifAt)
  let at = textsAt
  for (const [index, { tag, bytes }] of texts.entries()) {
    writeEntry(block, exifAt + 2 + index * 12, { tag, type: 2, count: bytes.length, value: at })
    bytes.copy(block, at)
    at += bytes.length
  }
  return block
}

/** A value of up to four bytes is in the entry itself, a longer one at the offset in it. */
function writeEntry(
  block: Buffer,
  at: number,
  { tag, type, count, value }: { tag: number; type: number; count: number; value: number }
): void {
  block.writeUInt16LE(tag, at)
  block.writeUInt16LE(type, at + 2)
  block.writeUInt32LE(count, at + 4)
  block.writeUInt32LE(value, at + 8)
}
