declare module 'libheif-js/wasm-bundle.js' {
  export interface HeifImage {
    handle: unknown
    free(): void
  }
  interface Libheif {
    HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] }
    heif_colorspace: { heif_colorspace_RGB: unknown }
    heif_chroma: { heif_chroma_interleaved_RGB: unknown }
    /** The pixels are a view of the decoder's own memory, until the image is released; with a code, it failed. */
    heif_js_decode_image2(
      handle: unknown,
      colours: unknown,
      form: unknown
    ): {
      code?: unknown
      image: unknown
      channels: { width: number; height: number; stride: number; data: Uint8Array }[]
    }
    heif_image_release(image: unknown): void
  }
  const libheif: Libheif
  export default libheif
}
