import type { Sharp } from 'sharp'
import type { Codec } from '../codec.ts'
import { written } from '../written.ts'
import { heic } from './index.ts'

/**
 * Who writes HEIC: the program heif-enc (x265: any quality, a third of the time), elheif (kvazaar in WebAssembly: one
 * quality, nothing to install), or nobody, so that another format is sent instead.
 */
export const heicWriters = ['heif-enc', 'elheif', 'none'] as const
export type HeicWriter = (typeof heicWriters)[number]

const interim = (pixels: Sharp) => written(pixels.png({ compressionLevel: 1 }))

/** HEIC that heif-enc is still to write, outside the renderer, which may start no programs: until then it is a PNG. */
export const heicToFinish: Codec = {
  ...heic,
  finish: 'heif-enc',
  encode: interim,
  candidates: (pixels, { quality }) => (quality < 100 ? [() => interim(pixels.clone())] : []),
}
