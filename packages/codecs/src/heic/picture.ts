import { limits } from '../contract/limits.ts'
import { UnreadableError } from '../reader.ts'
import { type Calls, openCalls, type Pointer } from './libheif.ts'

/** enum heif_colorspace. */
export const colorspace = { rgb: 1, monochrome: 2 } as const

/** The picture to decode: the primary item, or the first frame of the first track. */
export interface Picture {
  readonly calls: Calls
  readonly width: number
  readonly height: number
  readonly alpha: boolean
  readonly premultiplied: boolean
  readonly grey: boolean
  readonly bitDepth: number
  /** struct heif_image_handle*; undefined for a frame of a track, which has no profile and no transformations. */
  readonly handle: Pointer | undefined
  /** Runs the decoder into an image of the chroma (enum heif_chroma) and returns it. */
  decode(chroma: number): Pointer
}

/** Tiles of a grid: 80 megapixels are 306 of the usual 512 × 512. Items: each tile is one, and so are its parts. */
const MAX_TILES = 4_096
const MAX_ITEMS = 8_192

/** Offsets in struct heif_security_limits of libheif 1.23 (version 4 of the struct). */
const field = { imagePixels: 8, tiles: 16, items: 28 } as const

/**
 * Parses the boxes of a file; no pixel is decoded.
 * @throws UnreadableError
 */
export function openPicture(file: Buffer): Picture {
  const calls = openCalls()
  const { lib } = calls
  const context = lib._heif_context_alloc()
  limit(calls, lib._heif_context_get_security_limits(context))
  const bytes = calls.copyIn(file)
  calls.attempt((result) => lib._heif_context_read_from_memory_without_copy(result, context, bytes, file.length, 0))
  return lib._heif_context_has_sequence(context) && !hasPrimary(calls, context)
    ? firstFrame(calls, context)
    : primaryItem(calls, context)
}

function limit({ lib }: Calls, at: Pointer): void {
  const view = new DataView(lib.HEAPU8.buffer)
  // Above the service's own limit, which is checked on the header with a clearer message; the margin is for overhanging tiles.
  view.setBigUint64(at + field.imagePixels, BigInt(limits.pixels + limits.pixels / 4), true)
  view.setBigUint64(at + field.tiles, BigInt(MAX_TILES), true)
  view.setUint32(at + field.items, MAX_ITEMS, true)
}

function hasPrimary({ lib, place, int }: Calls, context: Pointer): boolean {
  const result = place(12)
  lib._heif_context_get_primary_image_ID(result, context, place(4))
  return int(result) === 0
}

function primaryItem(calls: Calls, context: Pointer): Picture {
  const { lib, place, pointer, int, attempt } = calls
  const out = place(4)
  const chroma = place(4)
  const handle = mainHandle(calls, context)
  attempt((result) => lib._heif_image_handle_get_preferred_decoding_colorspace(result, handle, out, chroma))
  return {
    calls,
    width: lib._heif_image_handle_get_width(handle),
    height: lib._heif_image_handle_get_height(handle),
    alpha: lib._heif_image_handle_has_alpha_channel(handle) !== 0,
    premultiplied: lib._heif_image_handle_is_premultiplied_alpha(handle) !== 0,
    grey: int(out) === colorspace.monochrome,
    // -1 where the file does not say it.
    bitDepth: Math.max(8, lib._heif_image_handle_get_luma_bits_per_pixel(handle)),
    handle,
    decode(chroma) {
      attempt((result) => lib._heif_decode_image(result, handle, out, colorspace.rgb, chroma, 0))
      return pointer(out)
    },
  }
}

/** The primary item; when that is a thumbnail, the picture that it belongs to. */
function mainHandle({ lib, place, int, pointer, attempt }: Calls, context: Pointer): Pointer {
  const id = place(4)
  const out = place(4)
  attempt((result) => lib._heif_context_get_primary_image_ID(result, context, id))
  if (!lib._heif_context_is_top_level_image_ID(context, int(id))) {
    if (lib._heif_context_get_list_of_top_level_image_IDs(context, id, 1) === 0) throw new UnreadableError('it holds no picture')
  }
  attempt((result) => lib._heif_context_get_image_handle(result, context, int(id), out))
  return pointer(out)
}

/** Image sequences without a primary item, as burst cameras and the Nokia conformance files write them. */
function firstFrame(calls: Calls, context: Pointer): Picture {
  const { lib, place, pointer, attempt } = calls
  const width = place(2)
  const height = place(2)
  const out = place(4)
  // Track 0 asks for the first visual one.
  const track = lib._heif_context_get_track(context, 0)
  if (track === 0) throw new UnreadableError('it holds no picture')
  attempt((result) => lib._heif_track_get_image_resolution(result, track, width, height))
  const short = (at: Pointer) => new DataView(lib.HEAPU8.buffer).getUint16(at, true)
  return {
    calls,
    width: short(width),
    height: short(height),
    alpha: lib._heif_track_has_alpha_channel(track) !== 0,
    premultiplied: false,
    grey: false,
    bitDepth: 8,
    handle: undefined,
    decode(chroma) {
      attempt((result) => lib._heif_track_decode_next_image(result, track, out, colorspace.rgb, chroma, 0))
      return pointer(out)
    },
  }
}
