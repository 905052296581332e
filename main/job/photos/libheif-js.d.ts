declare module 'libheif-js/wasm-bundle.js' {
  /**
   * The C functions of libheif 1.19 (heif.h). Addresses are numbers; a function that returns an error writes it to the
   * first one.
   */
  export interface Libheif {
    /** New after each call that needed more memory. */
    readonly HEAPU8: Uint8Array
    readonly HEAPU32: Uint32Array
    _malloc(size: number): number
    _free(at: number): void
    _heif_context_alloc(): number
    _heif_context_free(context: number): void
    _heif_context_read_from_memory_without_copy(
      error: number,
      context: number,
      file: number,
      size: number,
      options: number
    ): void
    _heif_context_get_primary_image_handle(error: number, context: number, handleAt: number): void
    _heif_image_handle_get_width(handle: number): number
    _heif_image_handle_get_height(handle: number): number
    _heif_image_handle_get_image_tiling(error: number, handle: number, isTransformed: number, tilingAt: number): void
    _heif_image_handle_release(handle: number): void
    _heif_decode_image(
      error: number,
      handle: number,
      imageAt: number,
      colours: number,
      form: number,
      options: number
    ): void
    _heif_image_handle_decode_image_tile(
      error: number,
      handle: number,
      imageAt: number,
      colours: number,
      form: number,
      options: number,
      column: number,
      row: number
    ): void
    _heif_image_get_width(image: number, channel: number): number
    _heif_image_get_height(image: number, channel: number): number
    _heif_image_get_plane_readonly(image: number, channel: number, strideAt: number): number
    _heif_image_release(image: number): void
  }
  const libheif: Libheif
  export default libheif
}
