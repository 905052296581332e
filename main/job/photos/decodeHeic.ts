import type { Libheif } from 'libheif-js/wasm-bundle.js'

/** Pixels with 3 bytes each; `stride`: the bytes of a row. */
export interface HeicPixels {
  data: Uint8Array
  width: number
  height: number
  stride: number
}

/**
 * A picture that is one tile is whole in the decoder's memory, three times: more pixels than these need more than 300
 * MB.
 */
export const largestSingleTile = 25_000_000

export class TooLargeTile extends Error {}

const rgb = 1
const interleavedRgb = 10
const interleavedChannel = 10

/**
 * The pixels of an HEIC, upright. Phones write tiles, which are decoded one after the other, so that the decoder never
 * holds the whole picture. One tile alone is used where the decoder put it: a copy would need as much again.
 */
export async function decodeHeic<T>(bytes: Uint8Array, use: (pixels: HeicPixels) => Promise<T>): Promise<T> {
  const { default: heif } = await import('libheif-js/wasm-bundle.js')
  const file = heif._malloc(bytes.length)
  /** An error of three words, and the results of a call. */
  const error = heif._malloc(16)
  const result = heif._malloc(64)
  const context = heif._heif_context_alloc()
  const word = (at: number): number => heif.HEAPU32[at >> 2] ?? 0
  const succeed = (): void => {
    if (word(error) !== 0) throw new Error(`The decoder answers ${word(error)}, ${word(error + 4)}`)
  }
  let handle = 0
  try {
    heif.HEAPU8.set(bytes, file)
    heif._heif_context_read_from_memory_without_copy(error, context, file, bytes.length, 0)
    succeed()
    heif._heif_context_get_primary_image_handle(error, context, result)
    succeed()
    handle = word(result)
    const width = heif._heif_image_handle_get_width(handle)
    const height = heif._heif_image_handle_get_height(handle)
    heif._heif_image_handle_get_image_tiling(error, handle, 1, result)
    succeed()
    const [columns = 1, rows = 1, tileWidth = 0, tileHeight = 0, tiledWidth, tiledHeight, top, left] = Array.from(
      { length: 8 },
      (_, n) => word(result + 4 + 4 * n)
    )
    const isTiled = columns * rows > 1 && tiledWidth === width && tiledHeight === height && top === 0 && left === 0
    if (!isTiled) {
      if (width * height > largestSingleTile) throw new TooLargeTile()
      heif._heif_decode_image(error, handle, result, rgb, interleavedRgb, 0)
      succeed()
      return await usePixels(heif, word(result), error, use)
    }
    const data = Buffer.allocUnsafeSlow(width * height * 3)
    for (let tile = 0; tile < columns * rows; tile += 1) {
      const [column, row] = [tile % columns, Math.floor(tile / columns)]
      heif._heif_image_handle_decode_image_tile(error, handle, result, rgb, interleavedRgb, 0, column, row)
      succeed()
      const [left, top] = [column * tileWidth, row * tileHeight]
      await usePixels(heif, word(result), error, async (pixels) => {
        const rowBytes = 3 * Math.min(pixels.width, width - left)
        for (let y = 0; y < Math.min(pixels.height, height - top); y += 1)
          data.set(
            pixels.data.subarray(y * pixels.stride, y * pixels.stride + rowBytes),
            3 * ((top + y) * width + left)
          )
      })
    }
    try {
      return await use({ data, width, height, stride: 3 * width })
    } finally {
      // At once: the collector of garbage would let the next work begin beside it.
      data.buffer.transfer(0)
    }
  } finally {
    if (handle !== 0) heif._heif_image_handle_release(handle)
    heif._heif_context_free(context)
    for (const at of [file, error, result]) heif._free(at)
  }
}

/** The pixels are a view of the decoder's own memory, until the image is released. */
async function usePixels<T>(
  heif: Libheif,
  image: number,
  strideAt: number,
  use: (pixels: HeicPixels) => Promise<T>
): Promise<T> {
  try {
    const width = heif._heif_image_get_width(image, interleavedChannel)
    const height = heif._heif_image_get_height(image, interleavedChannel)
    const at = heif._heif_image_get_plane_readonly(image, interleavedChannel, strideAt)
    const stride = heif.HEAPU32[strideAt >> 2] ?? 0
    if (at === 0 || stride < 3 * width) throw new Error('Its pixels cannot be decoded')
    return await use({ data: heif.HEAPU8.subarray(at, at + stride * height), width, height, stride })
  } finally {
    heif._heif_image_release(image)
  }
}
