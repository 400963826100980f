import type { Codec } from '@pixelmill/codecs/codec'
import { limits } from '@pixelmill/codecs/contract/limits'
import { readPixels } from '@pixelmill/codecs/pixels/from-bitmap'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { release } from '@pixelmill/codecs/pixels/release'
import { sharp } from '@pixelmill/codecs/sharp'
import type { Channels, Sharp } from 'sharp'
import { ssim } from './ssim.ts'
import { HALF_BLOCK, LEAST_SIDE, tiledPart } from './tiles.ts'

/** How similar an encoded file looks to the original picture. */
export interface Similarity {
  /** SSIM of a file of this codec; exactly 1 if every pixel is the same. */
  of(bytes: Buffer, codec: Codec): Promise<number>
  /**
   * What a quality promises in every format: the SSIM of plain JPEG at that quality on this picture, the worse of one in the picture's
   * own blocks and one shifted by half a block.
   */
  promised(quality: number): Promise<number>
  /** The latter alone, in half the time: never less than what is promised. */
  sufficient(quality: number): Promise<number>
  /** The same of a part that stands for the picture, on which levels are tried; undefined if it is small, animated or transparent. */
  readonly sampled?: (Pick<Similarity, 'of' | 'sufficient'> & { readonly pixels: () => Sharp }) | undefined
}

interface Shape {
  readonly grey: boolean
  readonly alpha: boolean
  readonly frames: number
  /** Milliseconds of each frame of an animation, as passed to the encoder. */
  readonly delay?: readonly number[] | undefined
}

/** What libvips writes for a frame without a delay, in milliseconds. */
const DEFAULT_DELAY = 100

/** Upper bound for pictures that are not equal, however close. */
const NEARLY_ONE = 1 - 1e-9

/** Decodes the original picture; fails here if its file is damaged. */
export async function similarityTo(pixels: Sharp, { grey, alpha, frames, delay }: Shape): Promise<Similarity> {
  const original = sample(await rasterOf(pixels.clone(), grey, alpha), BAND_ROWS, MEGAPIXELS)
  const part = frames > 1 || alpha || isSmall(original) ? undefined : tiledPart(original, TRIED_TILES)

  /** The encoded picture is not read again: its memory is given back. */
  function scoreOnce(original: Raster, encodedPicture: Raster): number {
    const similarity = similarityOf(original, encodedPicture)
    release(encodedPicture)
    return similarity
  }
  /** Of an animation, the frame shown at the time of each original frame; undefined if the frames do not correspond. */
  async function decodeFile(bytes: Buffer, codec: Codec): Promise<Raster | undefined> {
    const options = { animated: frames > 1, autoOrient: true, limitInputPixels: limits.pixels }
    const reader = codec.reader ?? codec.readerOf?.(bytes)
    if (reader) {
      const ownPixels = await readPixels(reader, bytes, frames)
      return ownPixels.frames === frames ? rasterOf(ownPixels.pixels, grey, alpha) : undefined
    }
    const image = sharp(bytes, options)
    const strip = await rasterOf(image, grey, alpha)
    if (frames === 1) return strip
    const { pages = 1, delay: others } = await image.metadata()
    // Equal numbers of frames correspond one to one whatever their delays: each format rounds delays in its own way.
    if (pages === frames) return strip
    const order = simultaneousFrames(delaysOf(frames, delay), delaysOf(pages, others))
    return order && restack(strip, pages, order)
  }
  return {
    async of(bytes, codec) {
      const encodedPicture = await decodeFile(bytes, codec)
      return encodedPicture ? scoreOnce(original, sample(encodedPicture, BAND_ROWS, MEGAPIXELS)) : 0
    },
    promised: async (quality) =>
      Math.min(await plainJpeg(original, grey, quality), await plainJpeg(offGrid(original), grey, quality)),
    sufficient: (quality) => plainJpeg(offGrid(original), grey, quality),
    sampled: part && {
      pixels: () => pipelineOf(part.onGrid),
      async of(bytes, codec) {
        const encodedPicture = await decodeFile(bytes, codec)
        return encodedPicture ? scoreOnce(part.onGrid, encodedPicture) : 0
      },
      sufficient: (quality) => plainJpeg(part.offGrid, grey, quality),
    },
  }
}

/** SSIM; exactly 1 if every pixel is the same, and 0 of pictures of different sizes. */
function similarityOf(original: Raster, encodedPicture: Raster): number {
  if (encodedPicture.width !== original.width || encodedPicture.height !== original.height) return 0
  return encodedPicture.channels === original.channels && Buffer.compare(original.data, encodedPicture.data) === 0
    ? 1
    : Math.min(ssim(original, encodedPicture), NEARLY_ONE)
}

const pipelineOf = ({ data, width, height, channels }: Raster): Sharp =>
  sharp(data, { raw: { width, height, channels: channels as Channels }, limitInputPixels: limits.pixels })

const delaysOf = (frames: number, delay: readonly number[] = []): readonly number[] =>
  Array.from({ length: frames }, (_, frame) => delay[frame] ?? DEFAULT_DELAY)

/** The SSIM of a picture as plain JPEG, with chroma at half resolution at every quality, as WebP has no other. */
async function plainJpeg(raster: Raster, grey: boolean, quality: number): Promise<number> {
  const plain = pipelineOf(raster)
    .removeAlpha()
    .toColourspace(grey ? 'b-w' : 'srgb')
  const jpeg = await plain.jpeg({ quality, chromaSubsampling: '4:2:0' }).toBuffer()
  const encodedPicture = await rasterOf(sharp(jpeg), grey, false)
  const similarity = ssim(raster, encodedPicture)
  release(encodedPicture)
  return Math.min(similarity, NEARLY_ONE)
}

const BLOCKS_AT_LEAST = 4

/**
 * The picture without its first rows and columns. One that was a JPEG before loses nothing when it is encoded in the same
 * blocks at the same quality, which would set a similarity that no other format reaches at a reasonable size.
 */
function offGrid(raster: Raster): Raster {
  if (Math.min(raster.width, raster.height) < BLOCKS_AT_LEAST * 2 * HALF_BLOCK) return raster
  const { data, channels } = raster
  const width = raster.width - HALF_BLOCK
  const height = raster.height - HALF_BLOCK
  const row = (y: number) => ((y + HALF_BLOCK) * raster.width + HALF_BLOCK) * channels
  const rows = Array.from({ length: height }, (_, y) => data.subarray(row(y), row(y) + width * channels))
  return { data: Buffer.concat(rows), width, height, channels }
}

/** Decodes to 8 bits a channel; composed on middle grey, since the colour of transparent pixels does not matter. */
async function rasterOf(image: Sharp, grey: boolean, alpha: boolean): Promise<Raster> {
  const inColour = image.toColourspace(grey ? 'b-w' : 'srgb')
  const pixelsToRead = alpha ? inColour.ensureAlpha() : inColour.removeAlpha()
  const { data, info } = await pixelsToRead.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  if (alpha) composeOnGrey(data, info.channels)
  return { data, width: info.width, height: info.height, channels: info.channels }
}

function composeOnGrey(data: Buffer, channels: number): void {
  for (let at = 0; at < data.length; at += channels) {
    const opacity = data[at + channels - 1] ?? 255
    if (opacity === 255) continue
    for (let channel = at; channel < at + channels - 1; channel++) {
      data[channel] = Math.round(((data[channel] ?? 0) * opacity + 128 * (255 - opacity)) / 255)
    }
  }
}

/** Browsers show a frame with a delay of at most `least` for `instead`; libvips writes it so into WebP. */
const BRIEF = { least: 10, instead: 100 } as const

/** Milliseconds from the start to the beginning of each frame, and to the end of the last one. */
function momentsOf(delays: readonly number[]): readonly number[] {
  const moments = [0]
  for (const delay of delays) moments.push((moments.at(-1) ?? 0) + (delay > BRIEF.least ? delay : BRIEF.instead))
  return moments
}

/**
 * For each frame of an animation, the index of the other animation's frame that is shown at the same time: an encoder may
 * merge equal frames into a longer one, or all into a still. Undefined if the other changes at different times.
 * @param delays milliseconds of each frame
 * @param others milliseconds of each frame of the other
 */
export function simultaneousFrames(delays: readonly number[], others: readonly number[]): readonly number[] | undefined {
  if (others.length === 1) return delays.map(() => 0)
  const own = momentsOf(delays)
  const changes = momentsOf(others)
  const ownTimes = new Set(own)
  if (own.at(-1) !== changes.at(-1) || !changes.every((moment) => ownTimes.has(moment))) return undefined
  return own.slice(0, -1).map((moment) => changes.findLastIndex((change) => change <= moment))
}

/** The frames of a strip in another order; frames may repeat. */
export function restack({ data, width, height, channels }: Raster, frames: number, order: readonly number[]): Raster {
  const bytes = data.length / frames
  const stackedFrames = Buffer.concat(order.map((frame) => data.subarray(frame * bytes, (frame + 1) * bytes)))
  return { data: stackedFrames, width, height: (height / frames) * order.length, channels }
}

/** Enough of a picture to judge an encoder; SSIM over more would take longer than encoding. */
const MEGAPIXELS = 8
/** libjpeg's limit is 65,500. */
const MAX_ROWS = 65_000
/** A multiple of the 16 rows that JPEG codes together, so that bands do not cut through its blocks. */
const BAND_ROWS = 64

/** A level is tried on tiles that have 0.4 megapixels together. */
const TRIED_TILES = 100
/** Up to here, trying levels on the picture itself costs about as much. */
const SMALL_MEGAPIXELS = 0.8

const isSmall = ({ width, height }: Raster): boolean =>
  (width * height) / 1e6 < SMALL_MEGAPIXELS || Math.min(width, height) < LEAST_SIDE

/** Evenly spaced bands of a large raster, stacked; a small one is returned whole. */
function sample(raster: Raster, rows: number, megapixels: number): Raster {
  const { data, width, height, channels } = raster
  const every = Math.max(Math.ceil((width * height) / 1e6 / megapixels), Math.ceil(height / MAX_ROWS))
  if (every === 1) return raster
  const band = rows * width * channels
  const count = Math.ceil(height / rows / every)
  const bands = Array.from({ length: count }, (_, index) => data.subarray(index * every * band, index * every * band + band))
  const sampledRows = Buffer.concat(bands)
  return { data: sampledRows, width, height: sampledRows.length / (width * channels), channels }
}
