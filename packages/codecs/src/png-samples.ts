import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createDeflate, deflateSync, type ZlibOptions } from 'node:zlib'
import { filteredRows, type SampleRows } from '@pixelmill/kernels/png'
import type { Effort } from './codec.ts'
import type { Raster } from './pixels/raster.ts'
import { colourType, pngFile } from './png-file.ts'
import { type EffortTable, effortFor } from './scales.ts'

/**
 * A PNG of 8 bits a channel without a palette. Filters take a third off most pictures and add a fifth to some drawings; a few rows are
 * compressed both ways to tell which. The figures are in docs/design/encoders.md.
 * @param speed the level of zlib, by default that of the best bytes for their time; at the effort `fast` only equal bytes are looked for
 */
export async function pngOfSamples(raster: Samples, speed: Speed = {}): Promise<Buffer> {
  const { width, height, channels } = raster
  const deflatedRows = await deflatedRowsOf(raster, speed)
  return pngFile({ width, height, bits: 8, colourType: colourTypes[channels] }, [], deflatedRows)
}

/** The rows of a part of an animation, compressed as those of a picture. */
export const deflateSamples = async (raster: Samples, level?: number): Promise<Buffer> =>
  Buffer.concat(await deflatedRowsOf(raster, { level }))

async function deflatedRowsOf(raster: Samples, { level, effort }: Speed): Promise<readonly Buffer[]> {
  const { width, height, channels, data } = raster
  const samples = { data, rows: height, rowBytes: width * channels, pixelBytes: channels }
  const { filters, isNoisy } = trial(samples)
  const options = { memLevel: 9, ...(level === undefined ? usualOptions({ filters, isNoisy }, raster, effort) : { level }) }
  return compress(bands(samples, filters), options)
}

interface Speed {
  readonly level?: number | undefined
  readonly effort?: Effort | undefined
}

/** 8 bits a channel: grey or colour, perhaps with alpha. */
export interface Samples extends Raster {
  readonly channels: 1 | 2 | 3 | 4
}

const colourTypes = { 1: colourType.grey, 2: colourType.greyAlpha, 3: colourType.colour, 4: colourType.colourAlpha } as const

/** zlib's levels for grain, in which there is little to find: 5 takes two fifths more time than 4 for 1.5 % fewer bytes. */
const noisyLevels: EffortTable = [
  [0.5, 5],
  [Infinity, 4],
]

/** A level less than without filters takes a third less time for 2 % more bytes. */
const DRAWN_LEVELS = { filtered: 5, plain: 6 } as const

function usualOptions({ filters, isNoisy }: Trial, { width, height }: Raster, effort: Effort = 'balanced'): ZlibOptions {
  // Of drawings more is repeated than the byte before.
  if (effort === 'fast') return isNoisy || filters ? { level: 1, strategy: constants.Z_RLE } : { level: 1 }
  if (effort === 'small') return { level: 9, ...(isNoisy && { strategy: constants.Z_FILTERED }) }
  if (!isNoisy) return { level: filters ? DRAWN_LEVELS.filtered : DRAWN_LEVELS.plain }
  return { level: effortFor(noisyLevels, (width * height) / 1e6), strategy: constants.Z_FILTERED }
}

interface Trial {
  readonly filters: boolean
  /** Of each filtered byte more than a sixth remains, as in photographs. */
  readonly isNoisy: boolean
}

/** Groups of rows that are tried: most of what a row repeats stands in the one above. */
const TRIAL_GROUPS = 4
const MOST_TRIAL_ROWS = 16
/** Of all groups. Half as many again save 0.6 % of the bytes of drawings, and cost photographs half a millisecond. */
const TRIAL_BYTES = 32_768
const NOISY = 1 / 6

function trial(samples: SampleRows): Trial {
  const { rows, rowBytes } = samples
  const rowsOfGroup = Math.min(MOST_TRIAL_ROWS, Math.max(2, Math.floor(TRIAL_BYTES / TRIAL_GROUPS / rowBytes)))
  const isWhole = rows <= TRIAL_GROUPS * rowsOfGroup
  const starts = isWhole ? [0] : Array.from({ length: TRIAL_GROUPS }, (_, group) => middle(rows, group) - (rowsOfGroup >> 1))
  const count = isWhole ? rows : rowsOfGroup
  const rowsWith = (filter: typeof plainRows) => Buffer.concat(starts.map((start) => filter(samples, start, count)))
  const filteredSample = rowsWith(filteredRows)
  const compressedBytes = (rows: Buffer) => deflateSync(rows, { level: 1 }).length
  const least = compressedBytes(filteredSample)
  return { filters: least < compressedBytes(rowsWith(plainRows)), isNoisy: least > NOISY * filteredSample.length }
}

/** The row in the middle of a group's share of the picture. */
const middle = (rows: number, group: number): number => Math.floor(((group + 0.5) * rows) / TRIAL_GROUPS)

/** Rows behind the number of no filter. */
function plainRows({ data, rowBytes }: SampleRows, first: number, count: number): Uint8Array {
  const rows = new Uint8Array(count * (1 + rowBytes))
  for (let row = 0; row < count; row++)
    rows.set(data.subarray((first + row) * rowBytes, (first + row + 1) * rowBytes), row * (1 + rowBytes) + 1)
  return rows
}

/** Bytes that are filtered before they are compressed: a picture of 512 pixels in two or three parts, a large one never whole. */
const BAND_BYTES = 262_144

function* bands(samples: SampleRows, filters: boolean): Generator<Uint8Array> {
  const rows = Math.max(1, Math.floor(BAND_BYTES / samples.rowBytes))
  for (let first = 0; first < samples.rows; first += rows) {
    const count = Math.min(rows, samples.rows - first)
    yield filters ? filteredRows(samples, first, count) : plainRows(samples, first, count)
  }
}

async function compress(rows: Iterable<Uint8Array>, options: ZlibOptions): Promise<readonly Buffer[]> {
  const parts: Buffer[] = []
  await pipeline(Readable.from(rows), createDeflate({ ...options, chunkSize: BAND_BYTES }), async (output) => {
    for await (const part of output) parts.push(part as Buffer)
  })
  return parts
}
