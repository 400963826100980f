import { cutOut, placeOn, withoutBars } from '@pixelmill/codecs/pixels/bars'
import { readStrip } from '@pixelmill/codecs/pixels/strip'
import type { Sharp } from 'sharp'
import { SALIENCE_SIDE, salienceOf } from './salience.ts'
import type { SalienceMap } from './subject.ts'

/** The salience map of a still picture, with sides of at most SALIENCE_SIDE. Bars around a picture are not salient. */
export async function salienceMapOf(pixels: Sharp): Promise<SalienceMap> {
  const small = pixels.resize({ width: SALIENCE_SIDE, height: SALIENCE_SIDE, fit: 'inside', withoutEnlargement: true })
  const strip = await readStrip(small, 1, false)
  const raster = { ...strip, data: Uint8Array.from(strip.data) }
  const box = withoutBars(raster)
  const salience = salienceOf(cutOut(raster, box))
  const { width, height } = strip
  const levels = Uint8Array.from(salience, (share) => Math.round(share * 255))
  return { width, height, data: placeOn(levels, box, strip) }
}
