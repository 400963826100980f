import { rgbSpaceOf } from '../icc/cicp.ts'
import { profileOf } from '../icc/profile-of.ts'
import type { Picture } from './picture.ts'

/** struct heif_color_profile_nclx: where two of its fields stand. */
const field = { primaries: 4, transfer: 8 } as const

/** Bytes 16–19 of an ICC profile name the space of its colours (ICC.1:2022, 7.2.6). */
const isRgb = (icc: Buffer): boolean => icc.toString('latin1', 16, 20) === 'RGB '

/** The ICC profile that the decoded colours are in: the file's own, or one made from its code points; none is sRGB. */
export function profileFor({ calls, handle }: Picture): Buffer | undefined {
  if (handle === undefined) return undefined
  const { lib, place, bytes, pointer, int } = calls
  const size = lib._heif_image_handle_get_raw_color_profile_size(handle)
  if (size > 0) {
    const at = place(size)
    calls.attempt((result) => lib._heif_image_handle_get_raw_color_profile(result, handle, at))
    const icc = Buffer.from(bytes(at, size))
    return isRgb(icc) ? icc : undefined
  }
  const [result, out] = [place(12), place(4)]
  lib._heif_image_handle_get_nclx_color_profile(result, handle, out)
  if (int(result) !== 0) return undefined
  const nclx = pointer(out)
  const space = rgbSpaceOf({ primaries: int(nclx + field.primaries), transfer: int(nclx + field.transfer) })
  return space && profileOf(space)
}
