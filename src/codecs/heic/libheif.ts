import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** An address in the memory of libheif's WebAssembly instance; 0 is none. */
export type Pointer = number

/** What we call of libheif 1.23.2's C API. A `result` is where libheif writes its struct heif_error. */
export interface Libheif {
  /** Replaced whenever the memory grows: never keep it across a call. */
  readonly HEAPU8: Uint8Array<ArrayBuffer>
  _malloc(bytes: number): Pointer
  _heif_context_alloc(): Pointer
  _heif_context_get_security_limits(context: Pointer): Pointer
  _heif_context_read_from_memory_without_copy(result: Pointer, context: Pointer, bytes: Pointer, size: number, options: 0): void
  _heif_context_get_primary_image_ID(result: Pointer, context: Pointer, id: Pointer): void
  _heif_context_is_top_level_image_ID(context: Pointer, id: number): number
  /** Writes as many IDs as there is room for, and returns how many it wrote. */
  _heif_context_get_list_of_top_level_image_IDs(context: Pointer, ids: Pointer, room: number): number
  _heif_context_get_image_handle(result: Pointer, context: Pointer, id: number, handle: Pointer): void
  _heif_context_has_sequence(context: Pointer): number
  _heif_context_get_track(context: Pointer, id: number): Pointer
  _heif_track_get_image_resolution(result: Pointer, track: Pointer, width: Pointer, height: Pointer): void
  _heif_track_has_alpha_channel(track: Pointer): number
  _heif_track_decode_next_image(
    result: Pointer,
    track: Pointer,
    image: Pointer,
    space: number,
    chroma: number,
    options: Pointer,
  ): void
  _heif_image_handle_get_width(handle: Pointer): number
  _heif_image_handle_get_height(handle: Pointer): number
  _heif_image_handle_has_alpha_channel(handle: Pointer): number
  _heif_image_handle_is_premultiplied_alpha(handle: Pointer): number
  _heif_image_handle_get_luma_bits_per_pixel(handle: Pointer): number
  _heif_image_handle_get_preferred_decoding_colorspace(result: Pointer, handle: Pointer, space: Pointer, chroma: Pointer): void
  _heif_image_handle_get_raw_color_profile_size(handle: Pointer): number
  _heif_image_handle_get_raw_color_profile(result: Pointer, handle: Pointer, profile: Pointer): void
  _heif_image_handle_get_nclx_color_profile(result: Pointer, handle: Pointer, profile: Pointer): void
  _heif_decode_image(result: Pointer, handle: Pointer, image: Pointer, space: number, chroma: number, options: Pointer): void
  _heif_image_get_width(image: Pointer, channel: number): number
  _heif_image_get_height(image: Pointer, channel: number): number
  _heif_image_get_bits_per_pixel_range(image: Pointer, channel: number): number
  _heif_image_get_plane_readonly(image: Pointer, channel: number, stride: Pointer): Pointer
  _heif_image_get_decoding_warnings(image: Pointer, first: number, errors: Pointer, count: number): number
}

interface EmscriptenHooks {
  /** Called in place of fetching and compiling. */
  instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void): WebAssembly.Exports
}
type Factory = (hooks: EmscriptenHooks) => Libheif

const require = createRequire(import.meta.url)
let compiled: WebAssembly.Module | undefined

/**
 * A new instance of libheif for each image, in 10 ms: what one image did to its memory cannot reach the next, and the
 * memory, which WebAssembly never gives back, goes with it. Loaded at the first HEIC; most renderers never see one.
 */
export function libheif(): Libheif {
  compiled ??= new WebAssembly.Module(readFileSync(require.resolve('libheif-js/libheif-wasm/libheif.wasm')))
  const module = compiled
  const factory = require('libheif-js/libheif-wasm/libheif.js') as Factory
  return factory({
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(module, imports)
      receive(instance)
      return instance.exports
    },
  })
}
