import type { Sharp } from 'sharp'
import type { Codec, Written } from '../codec.ts'
import { imageFormats } from '../image-formats.ts'
import { bitmapDensity } from '../metadata/density.ts'
import { samplesOf } from '../samples.ts'
import { type EffortTable, effortFor } from '../scales.ts'
import { isBareDib } from './bare.ts'
import { matchesBmp } from './header.ts'
import { type Indexed, indexedOf, readPalettePng } from './pixels.ts'
import { bmpReader } from './reader.ts'
import { writeColours, writeIndices, writeRuns } from './write-file.ts'

export const bmp: Codec = {
  ...imageFormats.bmp,
  name: 'bmp',
  alpha: true,
  animated: false,
  deep: false,
  // The format allows 2^31; this is libvips' limit.
  maxSide: 10_000_000,
  matches: (head) => matchesBmp(head) || isBareDib(head),
  reader: bmpReader,
  encode: (pixels) => writePlain(pixels),
  lossy: () => false,
  candidates: (pixels, { quality, megapixels }) => [() => writeSmallest(pixels, quality, megapixels)],
  isMostlyFlat: true,
  cost: { decoding: 0.02, encoding: 0.02, optimizing: 0.05 },
  density: bitmapDensity,
}

/** libimagequant's, as for PNG: effort 7 takes four times as long as 4. */
const efforts: EffortTable = [
  [2.5, 7],
  [8, 4],
  [Infinity, 1],
]

/** Lossless, without runs, which not all programs read; with a palette for up to 256 colours. */
async function writePlain(pixels: Sharp): Promise<Written> {
  const samples = await samplesOf(pixels)
  const indexedPicture = indexedOf(samples)
  return {
    bytes: indexedPicture ? writeIndices(indexedPicture) : writeColours(samples),
    width: samples.width,
    height: samples.height,
  }
}

/** The smallest file: lossless, or quantised to this quality if it is below 100 and all pixels are opaque. */
async function writeSmallest(pixels: Sharp, quality: number, megapixels: number): Promise<Written> {
  const { opaque, ...exact } = await writeExact(pixels.clone())
  if (!opaque || quality === 100) return exact
  const bytes = await writeQuantised(pixels.clone().removeAlpha(), quality, megapixels)
  return bytes.length < exact.bytes.length ? { ...exact, bytes } : exact
}

async function writeExact(pixels: Sharp): Promise<Written & { readonly opaque: boolean }> {
  const samples = await samplesOf(pixels)
  const indexedPicture = indexedOf(samples)
  const bytes = indexedPicture ? smallest(indexedPicture) : writeColours(samples)
  return { bytes, width: samples.width, height: samples.height, opaque: samples.alpha === undefined }
}

async function writeQuantised(pixels: Sharp, quality: number, megapixels: number): Promise<Buffer> {
  const palette = { palette: true, quality, effort: effortFor(efforts, megapixels), compressionLevel: 0 }
  return smallest(readPalettePng(await pixels.png(palette).toBuffer()))
}

function smallest(picture: Indexed): Buffer {
  const plain = writeIndices(picture)
  const runs = writeRuns(picture, plain.length)
  return runs && runs.length < plain.length ? runs : plain
}
