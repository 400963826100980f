import { limits } from '../contract/limits.ts'
import type { Codec } from './codec.ts'
import { stripJpeg } from './strip/jpeg.ts'
import { written } from './written.ts'

/** Above this quality the eye sees chroma at half resolution on saturated edges. */
const FULL_CHROMA_QUALITY = 90

const options = (quality: number = limits.quality.default) => ({
  quality,
  chromaSubsampling: quality >= FULL_CHROMA_QUALITY ? '4:4:4' : '4:2:0',
})

export const jpeg: Codec = {
  name: 'jpeg',
  mime: 'image/jpeg',
  extension: 'jpg',
  target: true,
  alpha: false,
  animated: false,
  deep: false,
  reducesWhileDecoding: true,
  // The format counts to 65,535; libjpeg stops here.
  maxSide: 65_500,
  matches: (head) => head.length >= 3 && head.readUIntBE(0, 3) === 0xffd8ff,
  encode: (pixels, { quality }) => written(pixels.jpeg(options(quality))),
  // mozjpeg: 12–22 % fewer bytes than the plain encoder for 2–5 times its time, which only optimize is asked to spend.
  candidates: (pixels, { quality }) => [() => written(pixels.clone().jpeg({ ...options(quality), mozjpeg: true }))],
  strip: stripJpeg,
}
