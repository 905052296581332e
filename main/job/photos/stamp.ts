import { placeText } from '../../../preload/base/maps/position.ts'
import type { Points } from './points.ts'

/** Five by seven dots each, row by row from the top; a set bit is a dot, the highest of the five at the left. */
const letters: Readonly<Record<string, readonly number[]>> = {
  '0': [14, 17, 19, 21, 25, 17, 14],
  '1': [4, 12, 4, 4, 4, 4, 14],
  '2': [14, 17, 1, 2, 4, 8, 31],
  '3': [31, 2, 4, 2, 1, 17, 14],
  '4': [2, 6, 10, 18, 31, 2, 2],
  '5': [31, 16, 30, 1, 1, 17, 14],
  '6': [6, 8, 16, 30, 17, 17, 14],
  '7': [31, 1, 2, 4, 8, 8, 8],
  '8': [14, 17, 17, 14, 17, 17, 14],
  '9': [14, 17, 17, 15, 1, 2, 12],
  '-': [0, 0, 0, 31, 0, 0, 0],
  ':': [0, 12, 12, 0, 12, 12, 0],
  '.': [0, 0, 0, 0, 0, 12, 12],
  ',': [0, 0, 0, 0, 12, 4, 8],
  U: [17, 17, 17, 17, 17, 17, 14],
  T: [31, 4, 4, 4, 4, 4, 4],
  C: [14, 17, 16, 16, 16, 17, 14]
}
const letterWidth = 5
const letterHeight = 7

/** The text at the bottom: time in UTC and position, the same in every language. */
export function stampText(at: string, place: { latitude: number; longitude: number } | null): string {
  const when = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`
  return place ? `${when}   ${placeText(place)}` : when
}

/** The picture with these lines below it, in its width; the picture itself is not covered. */
export function stampPhoto({ width, height, data }: Points, text: string): Points {
  // As large as fits, but not larger than a printed date.
  const dot = Math.max(
    1,
    Math.min(Math.floor(width / ((text.length + 2) * (letterWidth + 1))), Math.round(width / 500))
  )
  const band = (letterHeight + 6) * dot
  const out = new Uint8Array(width * (height + band) * 3)
  out.set(data)
  const top = height + 3 * dot
  for (const [index, letter] of [...text].entries()) {
    const left = (1 + index) * (letterWidth + 1) * dot
    for (const [row, bits] of (letters[letter] ?? []).entries()) {
      for (let column = 0; column < letterWidth; column += 1) {
        if (bits & (1 << (letterWidth - 1 - column)))
          fill({ width, data: out }, { left: left + column * dot, top: top + row * dot, dot })
      }
    }
  }
  return { width, height: height + band, data: out }
}

function fill(
  { width, data }: { width: number; data: Uint8Array },
  { left, top, dot }: { left: number; top: number; dot: number }
): void {
  for (let y = top; y < top + dot; y += 1) {
    for (let x = left; x < Math.min(left + dot, width); x += 1)
      data.fill(255, 3 * (y * width + x), 3 * (y * width + x) + 3)
  }
}
