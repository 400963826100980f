import type { Codec } from '../codec.ts'
import { bmpReader } from './reader.ts'
import { matchesBmp } from './signature.ts'
import { writePlain, writeSmallest } from './write-bmp.ts'

export const bmp: Codec = {
  name: 'bmp',
  mime: 'image/bmp',
  extension: 'bmp',
  target: false,
  alpha: true,
  animated: false,
  deep: false,
  // The format counts to 2^31; libvips stops here.
  maxSide: 10_000_000,
  matches: matchesBmp,
  reader: bmpReader,
  encode: (pixels) => writePlain(pixels),
  lossy: () => false,
  candidates: (pixels, { quality, megapixels }) => [() => writeSmallest(pixels, quality, megapixels)],
}
