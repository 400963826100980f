import type { Sharp } from 'sharp'
import { type EffortTable, effortFor } from '../effort.ts'
import type { Written } from '../written.ts'
import { type Indexed, indexedOf } from './indexed.ts'
import { readPalettePng } from './palette-png.ts'
import { rasterOf } from './raster.ts'
import { writeColours } from './write-colours.ts'
import { writeIndices, writeRuns } from './write-indices.ts'

/** libimagequant's, as for PNG: effort 7 takes four times as long as 4. */
const efforts: EffortTable = [
  [2.5, 7],
  [8, 4],
  [Infinity, 1],
]

/** Without loss and without runs, which not all programs read: by palette where 256 colours do. */
export async function writePlain(pixels: Sharp): Promise<Written> {
  const raster = await rasterOf(pixels)
  const indexed = indexedOf(raster)
  return { bytes: indexed ? writeIndices(indexed) : writeColours(raster), width: raster.width, height: raster.height }
}

/** The smallest file without loss. */
export async function writeSmallest(pixels: Sharp): Promise<Written> {
  const raster = await rasterOf(pixels)
  const indexed = indexedOf(raster)
  return { bytes: indexed ? smallest(indexed) : writeColours(raster), width: raster.width, height: raster.height }
}

/** The smallest file of the picture in the fewest colours that have this quality, 1–99; without loss if it is transparent. */
export async function writeQuantised(pixels: Sharp, quality: number, megapixels: number): Promise<Written> {
  const palette = { palette: true, quality, effort: effortFor(efforts, megapixels), compressionLevel: 0 }
  const indexed = readPalettePng(await pixels.clone().png(palette).toBuffer())
  if (!indexed) return writeSmallest(pixels)
  return { bytes: smallest(indexed), width: indexed.width, height: indexed.height }
}

function smallest(indexed: Indexed): Buffer {
  const plain = writeIndices(indexed)
  const runs = writeRuns(indexed, plain.length)
  return runs && runs.length < plain.length ? runs : plain
}
