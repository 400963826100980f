import type { Sharp } from 'sharp'
import { readStrip } from '../strip.ts'
import { SALIENCE_SIDE, salienceOf } from './salience.ts'
import type { SalienceMap } from './subject.ts'

/** The salience map of a still picture, with sides of at most SALIENCE_SIDE. */
export async function salienceMapOf(pixels: Sharp): Promise<SalienceMap> {
  const small = pixels.resize({ width: SALIENCE_SIDE, height: SALIENCE_SIDE, fit: 'inside', withoutEnlargement: true })
  const strip = await readStrip(small, 1, false)
  const salience = salienceOf({ ...strip, data: Uint8Array.from(strip.data) })
  const { width, height } = strip
  return { width, height, data: Uint8Array.from(salience, (share) => Math.round(share * 255)) }
}
