import { createRequire } from 'node:module'
import type { Raster } from '../raster.ts'

const require = createRequire(import.meta.url)

/** Loaded at the first call: the API process imports the tasks' parameters, and computes no hash. */
const blurhash = (): typeof import('blurhash') => require('blurhash') as typeof import('blurhash')
const thumbhash = (): typeof import('thumbhash') => require('thumbhash') as typeof import('thumbhash')

/** ThumbHash takes pictures of at most 100 × 100 pixels. */
export const HASHED_SIDE = 100

/** The ThumbHash of RGBA pixels with sides of at most HASHED_SIDE, in Base64. */
export const thumbHashOf = ({ data, width, height }: Raster): string =>
  Buffer.from(thumbhash().rgbaToThumbHash(width, height, data)).toString('base64')

/** BlurHash components along the longer and the shorter side: the numbers that its documentation recommends. */
const [LONG, SHORT] = [4, 3]

/** The BlurHash of opaque RGBA pixels. */
export function blurHashOf({ data, width, height }: Raster): string {
  const [across, down] = width >= height ? [LONG, SHORT] : [SHORT, LONG]
  return blurhash().encode(new Uint8ClampedArray(data), width, height, across, down)
}
