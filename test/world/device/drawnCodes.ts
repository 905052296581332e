import { writeFileSync } from 'node:fs'
import { BarcodeFormat, DataMatrixWriter, QRCodeWriter } from '@zxing/library'

/** Grey values, a byte each, row by row. */
export interface Drawing {
  pixels: Uint8ClampedArray<ArrayBuffer>
  width: number
  height: number
}

/** Widths of bars and spaces of Code 128 (ISO/IEC 15417), in order of their values; the last one is the stop. */
const code128 =
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112'.split(
    ' '
  )
const startB = 104
const stop = 106

/** Bars (true) of a text in Code 128, code set B. */
export function encodeCode128(text: string): boolean[] {
  const values = [...text].map((letter) => letter.charCodeAt(0) - 32)
  const check = values.reduce((sum, value, index) => sum + value * (index + 1), startB) % 103
  return [startB, ...values, check, stop].flatMap((value) =>
    [...(code128[value] ?? '')].flatMap((width, index) => Array<boolean>(Number(width)).fill(index % 2 === 0))
  )
}

const code39: Readonly<Record<string, string>> = {
  '0': 'nnnwwnwnn',
  '1': 'wnnwnnnnw',
  '2': 'nnwwnnnnw',
  '3': 'wnwwnnnnn',
  '4': 'nnnwwnnnw',
  '5': 'wnnwwnnnn',
  '6': 'nnwwwnnnn',
  '7': 'nnnwnnwnw',
  '8': 'wnnwnnwnn',
  '9': 'nnwwnnwnn',
  '*': 'nwnnwnwnn',
  A: 'wnnnnwnnw',
  B: 'nnwnnwnnw',
  C: 'wnwnnwnnn',
  D: 'nnnnwwnnw',
  E: 'wnnnwwnnn',
  F: 'nnwnwwnnn',
  G: 'nnnnnwwnw',
  H: 'wnnnnwwnn',
  J: 'nnnnwwwnn',
  K: 'wnnnnnnww',
  L: 'nnwnnnnww',
  M: 'wnwnnnnwn',
  N: 'nnnnwnnww',
  P: 'nnwnwnnwn',
  R: 'wnnnnnwwn',
  S: 'nnwnnnwwn',
  T: 'nnnnwnwwn',
  U: 'wwnnnnnnw',
  V: 'nwwnnnnnw',
  W: 'wwwnnnnnn',
  X: 'nwnnwnnnw',
  Y: 'wwnnwnnnn',
  Z: 'nwwnwnnnn'
}

/** Bars (true) of digits and letters of a VIN in Code 39. */
export function encodeCode39(digits: string): boolean[] {
  return [...`*${digits}*`].flatMap((letter) => [
    ...[...(code39[letter] ?? '')].flatMap((width, index) =>
      Array<boolean>(width === 'w' ? 3 : 1).fill(index % 2 === 0)
    ),
    false
  ])
}

function blank(width: number, height: number): Drawing {
  return { pixels: new Uint8ClampedArray(width * height).fill(235), width, height }
}

function paint(drawing: Drawing, left: number, top: number, width: number, height: number): void {
  for (let y = top; y < top + height; y++)
    drawing.pixels.fill(25, y * drawing.width + left, y * drawing.width + left + width)
}

/** A label with bars in its middle. */
export function drawBars(bars: boolean[], { width = 640, height = 480, barWidth = 2 } = {}): Drawing {
  const drawing = blank(width, height)
  const left = Math.floor((width - bars.length * barWidth) / 2)
  bars.forEach((isBar, index) => {
    if (isBar) paint(drawing, left + index * barWidth, Math.floor(height / 3), barWidth, Math.floor(height / 3))
  })
  return drawing
}

/** A label with a QR or DataMatrix code in its middle. */
export function drawSquare(
  text: string,
  kind: 'qr' | 'dataMatrix',
  { width = 640, height = 480, dotWidth = 6 } = {}
): Drawing {
  const dots =
    kind === 'qr'
      ? new QRCodeWriter().encode(text, BarcodeFormat.QR_CODE, 1, 1, new Map())
      : new DataMatrixWriter().encode(text, BarcodeFormat.DATA_MATRIX, 1, 1, new Map())
  const drawing = blank(width, height)
  const left = Math.floor((width - dots.getWidth() * dotWidth) / 2)
  const top = Math.floor((height - dots.getHeight() * dotWidth) / 2)
  for (let y = 0; y < dots.getHeight(); y++) {
    for (let x = 0; x < dots.getWidth(); x++)
      if (dots.get(x, y)) paint(drawing, left + x * dotWidth, top + y * dotWidth, dotWidth, dotWidth)
  }
  return drawing
}

/** A film for the stand-in camera of Chromium (`--use-file-for-fake-video-capture`): YUV4MPEG2, one drawing a frame. */
export function writeFilm(path: string, drawings: Drawing[], framesPerSecond = 10): void {
  const [first] = drawings
  if (!first) throw new Error('A film needs a drawing.')
  const colourless = Buffer.alloc((first.width * first.height) / 2, 128)
  const frames = drawings.flatMap(({ pixels }) => [Buffer.from('FRAME\n'), Buffer.from(pixels), colourless])
  writeFileSync(
    path,
    Buffer.concat([
      Buffer.from(`YUV4MPEG2 W${first.width} H${first.height} F${framesPerSecond}:1 Ip A1:1 C420jpeg\n`),
      ...frames
    ])
  )
}
