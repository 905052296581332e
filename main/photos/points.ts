/** Points of a picture, red, green, blue and opacity of each, row by row. */
export interface Points {
  width: number
  height: number
  data: Uint8Array
}

/** How bright a picture is, 0 to 255: the mean, and how far its points lie from it. */
export interface Brightness {
  mean: number
  spread: number
}

/**
 * The picture at most so large, the right way up and without transparency. Each point is the mean of those that it stands
 * for, so that small letters stay readable.
 */
export function shrink(points: Points, longestSide: number, orientation: number): Points {
  const scale = Math.min(1, longestSide / Math.max(points.width, points.height))
  const width = Math.max(1, Math.round(points.width * scale))
  const height = Math.max(1, Math.round(points.height * scale))
  const isTurned = orientation >= 5
  const out: Points = { width: isTurned ? height : width, height: isTurned ? width : height, data: new Uint8Array(width * height * 4) }
  const columns = Array.from({ length: width }, (_, x) => span(x, width, points.width))
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = span(y, height, points.height)
    for (const [x, [left, right]] of columns.entries()) {
      const to = 4 * placeOf({ x, y, width, height, orientation }, out.width)
      writeMean(points, { left, right, top, bottom }, out.data, to)
    }
  }
  return out
}

function span(at: number, of: number, from: number): [number, number] {
  const start = Math.floor((at * from) / of)
  return [start, Math.max(start + 1, Math.floor(((at + 1) * from) / of))]
}

function writeMean({ width, data }: Points, { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number }, out: Uint8Array, to: number): void {
  let red = 0
  let green = 0
  let blue = 0
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const from = 4 * (y * width + x)
      const opacity = data[from + 3] ?? 255
      // What shows through is white, as paper is.
      red += 255 + (((data[from] ?? 0) - 255) * opacity) / 255
      green += 255 + (((data[from + 1] ?? 0) - 255) * opacity) / 255
      blue += 255 + (((data[from + 2] ?? 0) - 255) * opacity) / 255
    }
  }
  const count = (right - left) * (bottom - top)
  out[to] = Math.round(red / count)
  out[to + 1] = Math.round(green / count)
  out[to + 2] = Math.round(blue / count)
  out[to + 3] = 255
}

/** Where a point goes: EXIF says by one number how the camera was held. */
function placeOf({ x, y, width, height, orientation }: { x: number; y: number; width: number; height: number; orientation: number }, outWidth: number): number {
  const right = width - 1 - x
  const bottom = height - 1 - y
  switch (orientation) {
    case 2: return y * outWidth + right
    case 3: return bottom * outWidth + right
    case 4: return bottom * outWidth + x
    case 5: return x * outWidth + y
    case 6: return x * outWidth + bottom
    case 7: return right * outWidth + bottom
    case 8: return right * outWidth + y
    default: return y * outWidth + x
  }
}

/** Of the whole picture; a covered lens has both near 0, a picture of one colour has no spread. */
export function brightnessOf({ data }: Points): Brightness {
  const count = data.length / 4
  let [sum, squares] = [0, 0]
  for (let at = 0; at < data.length; at += 4) {
    const luma = 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)
    sum += luma
    squares += luma * luma
  }
  const mean = sum / count
  return { mean: Math.round(mean * 10) / 10, spread: Math.round(Math.sqrt(Math.max(0, squares / count - mean * mean)) * 10) / 10 }
}
