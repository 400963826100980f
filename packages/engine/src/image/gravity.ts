import type { Size } from '@pixelmill/codecs/pixels/size'
import { placingAround } from '@pixelmill/vision/salience/crop-around'
import { salienceMapOf } from '@pixelmill/vision/salience/map'
import { salientSubject } from '@pixelmill/vision/salience/salient-subject'
import type { Sharp } from 'sharp'
import { type Corner, type compass, cornerFor, type FocalPoint } from './compass.ts'

/** Part of a picture by a side or corner, by its most salient part, or by a point that comes as near to the middle as possible. */
export type Gravity = keyof typeof compass | 'subject' | FocalPoint

/**
 * Where a window lies in a picture.
 * @param still a pipeline of the picture, or of its first frame, which is read only for `subject`
 */
export async function windowAt(from: Size, window: Size, gravity: Gravity, still: () => Promise<Sharp>): Promise<Corner> {
  if (gravity !== 'subject') return cornerFor(from, window, gravity)
  const map = await salienceMapOf(await still())
  const { x, y } = placingAround(from, salientSubject(map, from))(window)
  return { left: x, top: y }
}
