import type { Sharp } from 'sharp'
import { type Codec, type Written, writeFile } from '../codec.ts'
import { mapInIsobmff } from '../hdr/in-isobmff.ts'
import { imageFormats } from '../image-formats.ts'
import { brandsOf } from '../isobmff/boxes.ts'
import { pointsIn } from '../isobmff/code-points.ts'
import { completedIsobmff } from '../isobmff/completed.ts'
import { isobmffExcess } from '../isobmff/excess.ts'
import { sequenceTiming } from '../isobmff/sequence-timing.ts'
import { stripIsobmff } from '../isobmff/strip.ts'
import { isobmffContainer } from '../metadata/containers/isobmff.ts'
import { isMapInIsobmff } from '../metadata/gain-maps.ts'
import { isManifestInIsobmff } from '../metadata/manifests.ts'
import { heicReader } from './reader.ts'
import { estimatedBytes, writeHeic, writeSmallerHeic } from './write-heic.ts'

/** ISO/IEC 23008-12, annex B and 10.2: pictures and sequences coded by HEVC, and the brands that leave it open. */
const brands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1', 'mif2'])
const avifBrands = new Set(['avif', 'avis'])

function matches(head: Buffer): boolean {
  const fileBrands = brandsOf(head)
  return fileBrands.some((brand) => brands.has(brand)) && !fileBrands.some((brand) => avifBrands.has(brand))
}

/** Bytes of the file that contain the brands. */
const HEAD = 64

/** The SSIM of elheif's output, 0.9797 on twelve photographs, is that of JPEG at 75. */
const OWN_QUALITY = 80

export const heic: Codec = {
  ...imageFormats.heic,
  name: 'heic',
  alpha: true,
  animated: false,
  deep: false,
  // x265's limit; a grid of tiles could be larger.
  maxSide: 16_384,
  matches,
  excess: isobmffExcess,
  completed: completedIsobmff,
  reader: heicReader,
  strip: stripIsobmff,
  transferOf: (bytes) => pointsIn(bytes)?.transfer,
  encode: (pixels) => writeHeic(pixels),
  lossy: () => true,
  photographIn: () => true,
  timingOf: sequenceTiming,
  moreInside: (bytes) => (brandsOf(bytes.subarray(0, HEAD)).includes('msf1') ? 'first_frame_only' : undefined),
  // Its only quality looks like JPEG's 75; if more is requested, the file is left unchanged.
  candidates: (pixels, { quality }) => (quality <= OWN_QUALITY ? [(toBeat) => writeSmallerHeic(pixels.clone(), toBeat)] : []),
  improvedQuality: 90,
  // Decoded by libheif in WebAssembly; AVIF has libvips' loader.
  cost: { decoding: 0.045, encoding: 0.35, optimizing: 0.4 },
  container: isobmffContainer,
  isManifestIn: isManifestInIsobmff,
  gainMap: {
    isIn: isMapInIsobmff,
    find: mapInIsobmff,
    write: async (map) => (await writeHeic(map)).bytes,
    brands: 'heic\0\0\0\0mif1heicmiaf',
  },
  writer: ({ heicWriter }) => ({ elheif: heic, 'heif-enc': heicToFinish, none: undefined })[heicWriter],
}

const interim = (pixels: Sharp) => writeFile(pixels.png({ compressionLevel: 1 }))

/** From this quality on, files of x265 have at least a third of the size of elheif's. */
const COMPARABLE_QUALITY = 50
const SHARE_OF_ELHEIF = 1 / 3

/** Undefined when heif-enc cannot write a smaller file, which would take many seconds to find out by trying. */
async function interimIfSmaller(pixels: Sharp, quality: number, toBeat: number): Promise<Written | undefined> {
  const isFutile = quality >= COMPARABLE_QUALITY && (await estimatedBytes(pixels.clone())) * SHARE_OF_ELHEIF > toBeat
  return isFutile ? undefined : interim(pixels.clone())
}

/** HEIC by heif-enc, which runs outside the renderer, since that may start no programs. The renderer writes a PNG for it. */
export const heicToFinish: Codec = {
  ...heic,
  finish: 'heif-enc',
  encode: interim,
  candidates: (pixels, { quality }) => (quality < 100 ? [(toBeat) => interimIfSmaller(pixels, quality, toBeat)] : []),
}
