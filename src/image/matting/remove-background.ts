import type { Sharp } from 'sharp'
import type { Raster } from '../raster.ts'
import { clearHidden, insideSize, isCutOut, shrinkTo } from '../raster.ts'
import { readStrip } from '../strip.ts'
import { applyMaps } from './apply-maps.ts'
import { matteMaps } from './matte-maps.ts'
import { segment } from './segment.ts'

/** Longest side at which subject and background are told apart: more takes longer and finds no more. */
const SIDE = 256

/** A picture without its background: RGBA in rows, colour 0 where nothing is to be seen. */
export interface CutOut extends Raster {
  /** How likely the cut is right, 0–1; 1 for a picture that came with transparency and is left as it was. */
  readonly confidence: number
}

/**
 * @param pixels a still picture, of any colour space that sharp converts; an animation's first frame
 * @param least with less confidence than this, 0–1, the picture is handed back with its background: the cut is not made
 */
export async function removeBackground(pixels: Sharp, least = 0): Promise<CutOut> {
  const { data, width, height } = await readStrip(pixels.ensureAlpha(), 1, false)
  const picture: Raster = { data: data as Uint8Array, width, height, channels: 4 }
  const confidence = isCutOut(picture) ? 1 : cut(picture, least)
  clearHidden(picture)
  return { ...picture, confidence }
}

function cut(picture: Raster, least: number): number {
  const small = shrinkTo(picture, insideSize(picture, SIDE))
  const { mask, confidence } = segment(small)
  const opacity = mask.map((subject) => subject * 255)
  if (confidence >= least) applyMaps(picture, matteMaps(small, opacity))
  return confidence
}
