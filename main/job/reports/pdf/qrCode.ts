import { encode } from 'uqr'

/** A QR code as the path of an SVG picture, with its quiet zone. */
export interface QrCode {
  /** Width and height, in modules. */
  size: number
  path: string
}

/** More bytes do not fit into a code of this correction level. */
const mostBytes = 2_953

/** A text as a QR code; null when it is too long for one. */
export function drawQrCode(text: string): QrCode | null {
  if (Buffer.byteLength(text) > mostBytes) return null
  const { size, data } = encode(text, { ecc: 'L', border: 4 })
  return {
    size,
    path: data
      .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${String(x)} ${String(y)}h1v1h-1z`] : [])))
      .join('')
  }
}
