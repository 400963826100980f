import { profileOf } from '../icc-profile.ts'
import { sampleTable } from '../pixels/sample-table.ts'
import { type Bitmap, type PictureHeader, type Reader, UnreadableError, unpremultiply } from '../reader.ts'
import { rgbSpaceOf } from '../rgb-space.ts'
import { withWideApertures } from './aperture.ts'
import type { Calls, Pointer } from './libheif.ts'
import { openPicture, type Picture } from './picture.ts'

async function header(file: Buffer): Promise<PictureHeader> {
  const { width, height, alpha, grey, bitDepth } = openPicture(file)
  return { width, height, alpha, grey, bitDepth, deep: bitDepth > 8 }
}

async function decode(file: Buffer): Promise<Bitmap> {
  const picture = openPicture(withWideApertures(file))
  const { bits, ...pixels } = decodePixels(picture)
  if (hasLimitedGrey(picture)) stretchGrey({ ...pixels, bits })
  if (picture.premultiplied && pixels.channels === 4) unpremultiply(pixels.data, pixels.channels)
  const icc = profileFor(picture)
  return icc ? { ...pixels, icc } : pixels
}

/** Reads HEIC with libheif and libde265 in WebAssembly. Thumbnails, depth maps and further pictures are ignored. */
export const heicReader: Reader = { header, decode }

/** enum heif_chroma: interleaved, 8 bits or 16 little-endian. */
const chroma = { rgb: 10, rgba: 11, rgb16: 14, rgba16: 15 } as const
/** enum heif_channel. */
const INTERLEAVED = 10
/** enum heif_suberror_code: the `colr` box and the HEVC data name different colours; the box is right (ISO/IEC 23000-22). */
const COLOURS_DISAGREE = 152
/** Bytes of struct heif_error { int code, subcode; const char* message }. */
const ERROR_BYTES = 12

export interface Pixels {
  readonly width: number
  readonly height: number
  readonly channels: 3 | 4
  readonly data: Uint8Array | Uint16Array
  /** Bits a channel as coded; `data` has 8 or 16. */
  readonly bits: number
}

/**
 * Decodes a picture with its rotation, mirroring and cropping applied (irot, imir, clap).
 * @throws UnreadableError
 */
export function decodePixels(picture: Picture): Pixels {
  const { calls, alpha } = picture
  const deep = picture.bitDepth > 8
  const { lib, place, int } = calls
  const image = picture.decode(deep ? (alpha ? chroma.rgba16 : chroma.rgb16) : alpha ? chroma.rgba : chroma.rgb)
  // A grid with missing tiles decodes without error, with a warning for each.
  if (warnings(calls, image).some((subcode) => subcode !== COLOURS_DISAGREE))
    throw new UnreadableError('parts of its picture are missing')
  const width = lib._heif_image_get_width(image, INTERLEAVED)
  const height = lib._heif_image_get_height(image, INTERLEAVED)
  // For example an aperture that exceeds the picture. All later code relies on the header's size.
  if (width !== picture.width || height !== picture.height) throw new UnreadableError('its picture has another size than it says')
  const strideAt = place(4)
  const plane = lib._heif_image_get_plane_readonly(image, INTERLEAVED, strideAt)
  const stride = int(strideAt)
  const channels = alpha ? 4 : 3
  const rowBytes = width * channels * (deep ? 2 : 1)
  if (plane === 0 || stride < rowBytes) throw new UnreadableError('it has no pixels')
  const bytes = Buffer.allocUnsafeSlow(rowBytes * height)
  for (let y = 0; y < height; y++) bytes.set(calls.bytes(plane + y * stride, rowBytes), y * rowBytes)
  if (!deep) return { width, height, channels, data: bytes, bits: 8 }
  const data = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)
  const bits = lib._heif_image_get_bits_per_pixel_range(image, INTERLEAVED)
  stretch(data, bits)
  return { width, height, channels, data, bits }
}

/** The subcodes of libheif's decoding warnings. */
function warnings({ lib, place, int }: Calls, image: Pointer): readonly number[] {
  const count = lib._heif_image_get_decoding_warnings(image, 0, 0, 0)
  const errors = place(count * ERROR_BYTES)
  lib._heif_image_get_decoding_warnings(image, 0, errors, count)
  return Array.from({ length: count }, (_, index) => int(errors + index * ERROR_BYTES + 4))
}

/** From 0–1023 (10 bits) or 0–4095 (12 bits) to 0–65,535. */
function stretch(data: Uint16Array, bits: number): void {
  const factor = 65_535 / (2 ** bits - 1)
  const fullRange = sampleTable(65_536, (sample) => Math.round(sample * factor))
  for (let at = 0; at < data.length; at++) data[at] = fullRange[data[at] as number] as number
}

/** Expands limited to full range, in place; alpha has full range already. */
function stretchGrey({ data, channels, bits }: Pixels): void {
  const full = data.BYTES_PER_ELEMENT === 1 ? 255 : 65_535
  const unit = (full * 2 ** (bits - 8)) / (2 ** bits - 1)
  const black = 16 * unit
  const white = 235 * unit
  const fullRange = sampleTable(full + 1, (sample) =>
    Math.min(full, Math.max(0, Math.round(((sample - black) * full) / (white - black)))),
  )
  for (let at = 0; at < data.length; at += channels)
    for (let channel = at; channel < at + 3; channel++) data[channel] = fullRange[data[channel] as number] as number
}

/** Offsets in struct heif_color_profile_nclx. */
const field = { primaries: 4, transfer: 8, fullRange: 16 } as const

/** Bytes 16–19 of an ICC profile are its colour space (ICC.1:2022, 7.2.6). */
const isRgb = (icc: Buffer): boolean => icc.toString('latin1', 16, 20) === 'RGB '

/** Whether the `colr` box specifies limited range, which libheif ignores for monochrome pictures. */
export function hasLimitedGrey({ calls, handle, grey }: Picture): boolean {
  if (handle === undefined || !grey) return false
  const nclx = nclxOf(calls, handle)
  return nclx !== undefined && calls.bytes(nclx + field.fullRange, 1)[0] === 0
}

function nclxOf({ lib, place, pointer, int }: Calls, handle: Pointer): Pointer | undefined {
  const result = place(12)
  const out = place(4)
  lib._heif_image_handle_get_nclx_color_profile(result, handle, out)
  return int(result) === 0 ? pointer(out) : undefined
}

/** The ICC profile of the decoded pixels: embedded, or made from the code points; undefined for sRGB. */
export function profileFor({ calls, handle }: Picture): Buffer | undefined {
  if (handle === undefined) return undefined
  const { lib, place, bytes, int } = calls
  const size = lib._heif_image_handle_get_raw_color_profile_size(handle)
  if (size > 0) {
    const at = place(size)
    calls.attempt((result) => lib._heif_image_handle_get_raw_color_profile(result, handle, at))
    const icc = Buffer.from(bytes(at, size))
    return isRgb(icc) ? icc : undefined
  }
  const nclx = nclxOf(calls, handle)
  if (nclx === undefined) return undefined
  const space = rgbSpaceOf({ primaries: int(nclx + field.primaries), transfer: int(nclx + field.transfer) })
  return space && profileOf(space)
}
