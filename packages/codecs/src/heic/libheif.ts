import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { UnreadableError } from '../reader.ts'

/** An address in the memory of libheif's WebAssembly instance; 0 is none. */
export type Pointer = number

/** The functions used from libheif 1.23.2's C API. A `result` points to the struct heif_error that libheif writes. */
export interface Libheif {
  /** Replaced whenever the memory grows: never keep it across a call. */
  readonly HEAPU8: Uint8Array<ArrayBuffer>
  _malloc(bytes: number): Pointer
  _heif_context_alloc(): Pointer
  _heif_context_get_security_limits(context: Pointer): Pointer
  _heif_context_read_from_memory_without_copy(result: Pointer, context: Pointer, bytes: Pointer, size: number, options: 0): void
  _heif_context_get_primary_image_ID(result: Pointer, context: Pointer, id: Pointer): void
  _heif_context_is_top_level_image_ID(context: Pointer, id: number): number
  /** Writes up to `capacity` IDs, and returns how many it wrote. */
  _heif_context_get_list_of_top_level_image_IDs(context: Pointer, ids: Pointer, capacity: number): number
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
let compiledModule: WebAssembly.Module | undefined

/**
 * Creates an instance of libheif for one image, in 10 ms: corrupted memory cannot affect the next image, and the
 * memory, which WebAssembly never shrinks, is freed with the instance. Compiled at the first HEIC; most renderers need none.
 */
export function libheif(): Libheif {
  compiledModule ??= new WebAssembly.Module(readFileSync(require.resolve('libheif-js/libheif-wasm/libheif.wasm')))
  const module = compiledModule
  const factory = require('libheif-js/libheif-wasm/libheif.js') as Factory
  return factory({
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(module, imports)
      receive(instance)
      return instance.exports
    },
  })
}

/** Of enum heif_suberror_code. */
const LIMIT_EXCEEDED = 1000

/** An instance of libheif with helpers for out-parameters and struct results. Nothing is freed singly: the whole instance is discarded. */
export interface Calls {
  readonly lib: Libheif
  /** Allocates zeroed memory for out-parameters. */
  place(bytes: number): Pointer
  int(at: Pointer): number
  pointer(at: Pointer): Pointer
  bytes(at: Pointer, length: number): Uint8Array<ArrayBuffer>
  copyIn(bytes: Uint8Array): Pointer
  /**
   * Runs a function that returns struct heif_error { int code, subcode; const char* message }.
   * @throws UnreadableError
   */
  attempt(call: (result: Pointer) => void): void
}

export function openCalls(): Calls {
  const lib = libheif()
  const view = () => new DataView(lib.HEAPU8.buffer)
  const place = (bytes: number): Pointer => {
    const at = lib._malloc(bytes)
    if (at === 0) throw new Error(`libheif: cannot allocate ${bytes} bytes`)
    lib.HEAPU8.fill(0, at, at + bytes)
    return at
  }
  const result = place(12)
  const text = (at: Pointer): string => Buffer.from(lib.HEAPU8.subarray(at, lib.HEAPU8.indexOf(0, at))).toString('latin1')

  return {
    lib,
    place,
    int: (at) => view().getInt32(at, true),
    pointer: (at) => view().getUint32(at, true),
    bytes: (at, length) => lib.HEAPU8.subarray(at, at + length),
    copyIn(bytes) {
      const at = place(bytes.length)
      lib.HEAPU8.set(bytes, at)
      return at
    },
    attempt(call) {
      call(result)
      const code = view().getInt32(result, true)
      if (code === 0) return
      const cause = new Error(`libheif ${code}: ${text(view().getUint32(result + 8, true))}`)
      const isLimited = view().getInt32(result + 4, true) === LIMIT_EXCEEDED
      if (isLimited) throw new UnreadableError('it asks for more pixels, tiles or items than are possible here', { cause })
      throw new UnreadableError('its HEIF structure or its HEVC data is damaged, or of a kind that is not supported', { cause })
    },
  }
}
