import { rgbSpaceOf } from '../icc/cicp.ts'
import { profileOf } from '../icc/profile-of.ts'
import type { Calls } from './calls.ts'
import type { Pointer } from './libheif.ts'
import type { Picture } from './picture.ts'

/** struct heif_color_profile_nclx: where some of its fields stand. */
const field = { primaries: 4, transfer: 8, fullRange: 16 } as const

/** Bytes 16–19 of an ICC profile name the space of its colours (ICC.1:2022, 7.2.6). */
const isRgb = (icc: Buffer): boolean => icc.toString('latin1', 16, 20) === 'RGB '

/** Whether its box says that black is 16 and white 235 of 8 bits, which libheif passes over where there is no colour. */
export function hasLimitedGrey({ calls, handle, grey }: Picture): boolean {
  if (handle === undefined || !grey) return false
  const nclx = nclxOf(calls, handle)
  return nclx !== undefined && calls.bytes(nclx + field.fullRange, 1)[0] === 0
}

function nclxOf({ lib, place, pointer, int }: Calls, handle: Pointer): Pointer | undefined {
  const [result, out] = [place(12), place(4)]
  lib._heif_image_handle_get_nclx_color_profile(result, handle, out)
  return int(result) === 0 ? pointer(out) : undefined
}

/** The ICC profile that the decoded colours are in: the file's own, or one made from its code points; none is sRGB. */
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
