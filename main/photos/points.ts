/** Pixels of a picture, red, green, blue and opacity of each, row by row. */
export interface Points {
  width: number
  height: number
  data: Uint8Array
}

/** The brightness of a picture, 0 to 255: mean and deviation. */
export interface Brightness {
  mean: number
  spread: number
}

/**
 * Makes a smaller picture from rows, so that the large one need not be in memory.
 * @param from Size of the incoming rows. @param to Size of the result before rotation, which is not larger. @param
 * orientation As in EXIF.
 */
export function shrinkPoints(
  from: { width: number; height: number },
  to: { width: number; height: number },
  orientation: number
) {
  const { width, height } = to
  const isTurned = orientation >= 5
  const out: Points = {
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    data: new Uint8Array(width * height * 4)
  }
  const starts = Uint32Array.from({ length: width + 1 }, (_, x) => Math.floor((x * from.width) / width))
  const sums = new Float64Array(width * 3)
  let taken = 0
  let y = 0
  let top = 0

  function endRow(bottom: number): void {
    for (let x = 0; x < width; x += 1) {
      const at = 4 * placeOf({ x, y, width, height, orientation }, out.width)
      const count = (starts[x + 1]! - starts[x]!) * (bottom - top)
      for (let colour = 0; colour < 3; colour += 1) out.data[at + colour] = Math.round(sums[3 * x + colour]! / count)
      out.data[at + 3] = 255
    }
    sums.fill(0)
    y += 1
    top = bottom
  }

  return {
    /** The next row: red, green and blue of each point. */
    takeRow(row: ArrayLike<number>): void {
      for (let x = 0; x < width; x += 1) {
        for (let at = 3 * starts[x]!; at < 3 * starts[x + 1]!; at += 3) {
          sums[3 * x]! += row[at]!
          sums[3 * x + 1]! += row[at + 1]!
          sums[3 * x + 2]! += row[at + 2]!
        }
      }
      taken += 1
      if (taken === Math.floor(((y + 1) * from.height) / height)) endRow(taken)
    },
    /** Upright; each pixel is the mean of those it replaces, so that small letters stay readable. */
    end: (): Points => out
  }
}

/** The size of a picture with at most this length, and not larger than the original. */
export function sizeWithin(
  { width, height }: { width: number; height: number },
  longestSide: number
): { width: number; height: number } {
  const scale = Math.min(1, longestSide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/** The target of a pixel: EXIF encodes the camera's orientation in one number. */
function placeOf(
  { x, y, width, height, orientation }: { x: number; y: number; width: number; height: number; orientation: number },
  outWidth: number
): number {
  const right = width - 1 - x
  const bottom = height - 1 - y
  switch (orientation) {
    case 2:
      return y * outWidth + right
    case 3:
      return bottom * outWidth + right
    case 4:
      return bottom * outWidth + x
    case 5:
      return x * outWidth + y
    case 6:
      return x * outWidth + bottom
    case 7:
      return right * outWidth + bottom
    case 8:
      return right * outWidth + y
    default:
      return y * outWidth + x
  }
}

/** Of the whole picture; a covered lens has both near 0, a picture of one colour has no deviation. */
export function brightnessOf({ data }: Points): Brightness {
  const count = data.length / 4
  let [sum, squares] = [0, 0]
  for (let at = 0; at < data.length; at += 4) {
    const luma = 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)
    sum += luma
    squares += luma * luma
  }
  const mean = sum / count
  return {
    mean: Math.round(mean * 10) / 10,
    spread: Math.round(Math.sqrt(Math.max(0, squares / count - mean * mean)) * 10) / 10
  }
}
