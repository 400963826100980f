import type { Sharp } from 'sharp'
import type { Codec, Written } from '../codec.ts'
import { imageFormats } from '../image-formats.ts'
import { samplesOf } from '../samples.ts'
import { MAGIC } from './layout.ts'
import { qoiReader } from './reader.ts'
import { writeQoi } from './write-qoi.ts'

/** Lossless, and written in one pass: there is nothing that a quality or an effort could change. */
async function encode(pixels: Sharp): Promise<Written> {
  const samples = await samplesOf(pixels)
  return { bytes: writeQoi(samples), width: samples.width, height: samples.height }
}

/** The Quite OK Image Format, version 1.0: fast, lossless, without metadata. */
export const qoi: Codec = {
  ...imageFormats.qoi,
  name: 'qoi',
  alpha: true,
  animated: false,
  deep: false,
  // The format allows 2^32; this is libvips' limit.
  maxSide: 10_000_000,
  matches: (head) => head.toString('latin1', 0, MAGIC.length) === MAGIC,
  reader: qoiReader,
  encode,
  encodeExactly: encode,
  lossy: () => false,
  candidates: (pixels) => [() => encode(pixels.clone())],
  isMostlyFlat: true,
  cost: { decoding: 0.02, encoding: 0.02, optimizing: 0.03 },
}
