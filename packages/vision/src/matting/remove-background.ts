import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { ALREADY_CUT, clearHidden, insideSize, OPAQUE } from '@pixelmill/codecs/pixels/raster'
import { readStrip } from '@pixelmill/codecs/pixels/strip'
import { applyMaps, surveyPicture } from '@pixelmill/kernels/matte'
import type { Sharp } from 'sharp'
import { matteMaps } from './matte-maps.ts'
import { segment } from './segment.ts'

/** Longest side for segmentation: a larger one takes longer and is not better. */
const SIDE = 256

/** A picture without its background: RGBA, fully transparent pixels 0. */
export interface CutOut extends Raster {
  /** How likely the result is right, 0–1; 1 for a picture that was already cut out and is left unchanged. */
  readonly confidence: number
}

/**
 * Makes the background transparent.
 * @param pixels a still picture, or an animation's first frame, in any colour space that sharp converts
 * @param least below this confidence, 0–1, the picture keeps its background
 */
export async function removeBackground(pixels: Sharp, least = 0): Promise<CutOut> {
  const { data, width, height } = await readStrip(pixels.ensureAlpha(), 1, false)
  const picture: Raster = { data: data as Uint8Array, width, height, channels: 4 }
  const { small, translucent } = surveyPicture(picture, insideSize(picture, SIDE), OPAQUE)
  const isCutOut = translucent > ALREADY_CUT * width * height
  const confidence = isCutOut ? 1 : cut(picture, small, least)
  if (translucent > 0) clearHidden(picture)
  return { ...picture, confidence }
}

function cut(picture: Raster, small: Raster, least: number): number {
  const { mask, confidence } = segment(small, picture.width / small.width)
  const opacity = mask.map((subject) => subject * 255)
  if (confidence >= least) applyMaps(picture, matteMaps(small, opacity))
  return confidence
}
