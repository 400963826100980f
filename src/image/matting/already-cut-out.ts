import type { Raster } from '../ssim.ts'

/** More transparent pixels than this share of all: somebody has cut the picture out already. */
const ALREADY_CUT = 0.01
/** A pixel less opaque than this is transparent, be it a little; lossy formats leave some of the opaque ones just below 255. */
const OPAQUE = 250

/**
 * Whether a picture came with transparency that is worth keeping: more than 1 % of its pixels are not opaque. It has no
 * background to remove then, and nobody needs to be asked for one.
 * @param picture one without alpha, which never is, or RGBA in rows
 */
export function isCutOut({ data, width, height, channels }: Raster): boolean {
  if (channels !== RGBA) return false
  let transparent = 0
  for (let at = 3; at < data.length; at += RGBA) if ((data[at] as number) < OPAQUE) transparent++
  return transparent > ALREADY_CUT * width * height
}

/**
 * Sets the colours that cannot be seen to 0, in place: they would give away the background, and cost bytes.
 * @param picture RGBA in rows
 */
export function clearHidden({ data }: Raster): void {
  for (let at = 3; at < data.length; at += RGBA) if (data[at] === 0) data[at - 3] = data[at - 2] = data[at - 1] = 0
}

const RGBA = 4
