import type { Sharp } from 'sharp'
import { type HeicWriter, heicToFinish } from '../codecs/heic/writers.ts'
import { codecs } from '../codecs/index.ts'
import { type Edited, encode } from '../image/encode.ts'
import type { Header } from '../image/header.ts'
import type { Image } from '../image/open.ts'
import type { Plan } from './task.ts'

/** The plan with a format that can be written here: HEIC falls back to JPEG, or to PNG with transparency. */
export function writable(plan: Plan, header: Header, writer: HeicWriter): Plan {
  if (plan.codec !== codecs.heic || writer === 'elheif') return plan
  if (writer === 'heif-enc') return { ...plan, codec: heicToFinish }
  return { ...plan, codec: header.alpha ? codecs.png : codecs.jpeg }
}

/** The fields of Edited for an operation that keeps format, depth and grey channel of its input. */
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
