import type { Sharp } from 'sharp'
import { type Edited, encode } from '../image/encode.ts'
import type { Image } from '../image/image.ts'
import type { Plan } from './operation.ts'

/** The fields of Edited for an operation that keeps the format, depth and greyness of its input. */
export const sameFormat = (image: Image, pixels: Sharp, { codec, alpha, width, height }: Plan, quality?: number): Edited => ({
  pixels,
  codec,
  quality,
  alpha,
  width,
  height,
  frames: image.frames,
  header: image.header,
  grey: image.header.grey,
  keepDepth: true,
})

export const encodeSameFormat = (image: Image, pixels: Sharp, plan: Plan) => encode(sameFormat(image, pixels, plan))
