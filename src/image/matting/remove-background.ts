import type { Sharp } from 'sharp'
import type { Raster } from '../ssim.ts'
import { readStrip } from '../strip.ts'
import { applyMatte } from './apply-matte.ts'
import { matteMaps } from './matte-maps.ts'
import { segment } from './segment.ts'
import { shrink } from './shrink.ts'

/** Longest side at which subject and background are told apart: more takes longer and finds no more. */
const SIDE = 256
/** More transparent pixels than this share: somebody has cut the picture out already. */
const ALREADY_CUT = 0.01
/** A pixel less opaque than this is transparent, be it a little. */
const OPAQUE = 250

/** A picture without its background: RGBA in rows, colour 0 where nothing is to be seen. */
export interface CutOut extends Raster {
  /** How likely the cut is right, 0–1; 1 for a picture that came with transparency and is left as it was. */
  readonly confidence: number
}

/** @param pixels a still picture, of any colour space that sharp converts */
export async function removeBackground(pixels: Sharp): Promise<CutOut> {
  const { data, width, height } = await readStrip(pixels.ensureAlpha(), 1, false)
  const picture: Raster = { data: data as Uint8Array, width, height, channels: 4 }
  if (isCutOut(picture)) return { ...hidden(picture), confidence: 1 }
  const small = shrink(picture, SIDE)
  const { mask, confidence } = segment(small)
  applyMatte(picture, matteMaps(small, mask))
  return { ...hidden(picture), confidence }
}

function isCutOut({ data, width, height }: Raster): boolean {
  let transparent = 0
  for (let at = 3; at < data.length; at += 4) if ((data[at] as number) < OPAQUE) transparent++
  return transparent > ALREADY_CUT * width * height
}

/** Clears the colours that cannot be seen: they would give away the background, and cost bytes. */
function hidden(picture: Raster): Raster {
  const { data } = picture
  for (let at = 3; at < data.length; at += 4) if (data[at] === 0) data[at - 3] = data[at - 2] = data[at - 1] = 0
  return picture
}
