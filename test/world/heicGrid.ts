import { readFileSync } from 'node:fs'

const side = 512

/**
 * A picture of an iPhone: HEIC in equal tiles of 512 points, as large as these; the same tile everywhere, cut at the
 * right and below. It is shown turned to the left by so many quarters.
 */
export function heicGrid(width: number, height: number, quarters = 0): Buffer {
  const { settings, picture } = tile()
  const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)]
  const grid = Buffer.from([0, 1, rows - 1, columns - 1, ...u32(width), ...u32(height)])
  const ftyp = box('ftyp', ascii('heic'), u32(0), ascii('mif1heic'))
  /** The tiles are the items 1 to n, which share their data; the picture is the one after them. */
  const tiles = Array.from({ length: columns * rows }, (_, n) => n + 1)
  const whole = tiles.length + 1
  const meta = (dataAt: number) =>
    full('meta', 0, [
      full('hdlr', 0, [u32(0), ascii('pict'), u32(0), u32(0), u32(0), [0]]),
      full('pitm', 0, [u16(whole)]),
      full('iinf', 0, [
        u16(whole),
        ...tiles.map((item) => full('infe', 0x02_000001, [u16(item), u16(0), ascii('hvc1'), [0]])),
        full('infe', 0x02_000000, [u16(whole), u16(0), ascii('grid'), [0]])
      ]),
      full('iref', 0, [box('dimg', u16(whole), u16(tiles.length), ...tiles.map(u16))]),
      box(
        'iprp',
        box(
          'ipco',
          settings,
          full('ispe', 0, [u32(side), u32(side)]),
          full('ispe', 0, [u32(width), u32(height)]),
          box('irot', [quarters])
        ),
        full('ipma', 0, [
          u32(whole),
          ...tiles.flatMap((item): Part[] => [u16(item), [2, 0x81, 2]]),
          ...[u16(whole), [2, 3, 0x84]]
        ])
      ),
      full('iloc', 0, [
        [0x44, 0],
        u16(whole),
        ...tiles.flatMap((item): Part[] => [u16(item), u16(0), u16(1), u32(dataAt), u32(picture.length)]),
        ...[u16(whole), u16(0), u16(1), u32(dataAt + picture.length), u32(grid.length)]
      ])
    ])
  return Buffer.concat([ftyp, meta(ftyp.length + meta(0).length + 8), box('mdat', picture, grid)])
}

/** The HEVC stream of one tile as the parts of an HEIC. */
function tile(): { settings: Buffer; picture: Buffer } {
  const stream = readFileSync(new URL('../job/unit/photos/phone-tile.hevc', import.meta.url))
  const units = stream
    .toString('latin1')
    .split(/\0{2,3}\x01/)
    .slice(1)
    .map((unit) => Buffer.from(unit, 'latin1'))
  const kindOf = (unit: Buffer) => ((unit[0] ?? 0) >> 1) & 63
  const sets = units.filter((unit) => kindOf(unit) >= 32 && kindOf(unit) <= 34)
  const sequence =
    sets
      .find((unit) => kindOf(unit) === 33)
      ?.toString('latin1')
      .replaceAll('\0\0\x03', '\0\0') ?? ''
  const settings = box(
    'hvcC',
    [1],
    ascii(sequence.slice(3, 15)),
    [0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f, sets.length],
    ...sets.flatMap((unit): Part[] => [[0x80 | kindOf(unit)], u16(1), u16(unit.length), unit])
  )
  const pictures = units.filter((unit) => kindOf(unit) < 32)
  return { settings, picture: join(pictures.flatMap((unit): Part[] => [u32(unit.length), unit])) }
}

type Part = Uint8Array | readonly number[]
const ascii = (text: string) => Buffer.from(text, 'latin1')
const u16 = (value: number) => [value >> 8, value & 255]
const u32 = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]
const join = (parts: readonly Part[]) => Buffer.concat(parts.map((part) => Buffer.from(part)))
const box = (name: string, ...parts: Part[]) => {
  const content = join(parts)
  return Buffer.concat([Buffer.from(u32(content.length + 8)), ascii(name), content])
}
const full = (name: string, versionAndFlags: number, parts: readonly Part[]) =>
  box(name, u32(versionAndFlags), ...parts)
