/** Pixels of a picture, red, green and blue of each, row by row. */
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

/** Of the whole picture; a covered lens has both near 0, a picture of one colour has no deviation. */
export function brightnessOf({ data }: Points): Brightness {
  const count = data.length / 3
  let [sum, squares] = [0, 0]
  for (let at = 0; at < data.length; at += 3) {
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
