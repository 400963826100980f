import type { Codec } from '../codec.ts'
import { brandsOf } from '../isobmff/brands.ts'
import { written } from '../written.ts'
import { heicReader } from './reader.ts'

/** ISO/IEC 23008-12, annex B and 10.2: pictures and sequences coded by HEVC, and the brands that leave it open. */
const brands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1', 'mif2'])
const avifBrands = new Set(['avif', 'avis'])

function matches(head: Buffer): boolean {
  const named = brandsOf(head)
  return named.some((brand) => brands.has(brand)) && !named.some((brand) => avifBrands.has(brand))
}

export const heic: Codec = {
  name: 'heic',
  mime: 'image/heic',
  extension: 'heic',
  target: false,
  alpha: true,
  animated: false,
  deep: false,
  // HEVC level 6.2 stops at 8,912 × 35,651,584 pixels in all; both encoders write more.
  maxSide: 16_384,
  matches,
  reader: heicReader,
  encode: (pixels) => written(pixels.jpeg()),
  candidates: () => [],
}
