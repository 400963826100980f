import type { Raster } from '@pixelmill/codecs/pixels/raster'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { judgeOf } from './ssimulacra2/ssimulacra2.ts'

/** Parts of a picture that stand for all of it, so that an encoder can be judged in a tenth of the time. */
export interface Sample {
  /** All tiles as one picture, one below the other, for an encoder; the picture itself if it is small. */
  readonly stacked: Raster
  /** Share of the picture's pixels that `stacked` has: 1 for a small picture. */
  readonly share: number
  /** SSIMULACRA2 of the whole picture, estimated from `stacked` after it was encoded and decoded. */
  score(encodedStack: Raster): number
}

/** Two superblocks of AV1, and enough for all scales of SSIMULACRA2. */
const SIDE = 128
/** With 20 tiles, 84 to 95 % of 64 pictures came within 2 of the asked score, with 12 tiles 75 to 95 %: docs/design/quality.md. */
const MOST_TILES = 20
/** Macroblocks of WebP, and of JPEG at half chroma resolution: a tile is coded in the same blocks as in its picture. */
const GRID = 16
/** Pixels at the edges of a tile that are not judged: encoders smooth them with the next tile. */
const MARGIN = 4
/** Below this side a tile has no margin. */
const LEAST_WITH_MARGIN = 64
/** Tiles score lower than their picture: the median over 73 pictures in JPEG, WebP and AVIF. */
const TILES_BELOW_PICTURE = 0.45

interface Place {
  readonly left: number
  readonly top: number
}

/**
 * Samples a picture evenly by detail, on which the loss of an encoder depends most.
 * @param frames of an animation, stacked vertically; no tile reaches over two
 */
export function sampleOf(picture: Raster, frames = 1): Sample {
  const { width, channels } = picture
  const pixels = width * picture.height
  if (frames === 1 && pixels <= SIDE * SIDE * MOST_TILES) {
    const judge = judgeOf([picture])
    return { stacked: picture, share: 1, score: (encodedStack) => judge.score([encodedStack]) }
  }
  const frame = { width, height: picture.height / frames }
  const size = { width: Math.min(SIDE, frame.width), height: Math.min(SIDE, frame.height) }
  const places = byDetail(placesIn(frame, frames, size), picture, size)
  const margin = Math.min(size.width, size.height) < LEAST_WITH_MARGIN ? 0 : MARGIN
  const inner = { width: size.width - 2 * margin, height: size.height - 2 * margin }
  const stack = { ...size, height: size.height * places.length }
  const cut = (stackToCut: Raster) =>
    places.map((_, nth) => partOf(stackToCut, { left: margin, top: nth * size.height + margin }, inner))
  const data = Buffer.concat(places.map((place) => partOf(picture, place, size).data))
  const stackedTiles = { ...stack, channels, data }
  const judge = judgeOf(cut(stackedTiles))
  return {
    stacked: stackedTiles,
    share: (stack.width * stack.height) / pixels,
    score: (encodedStack) => Math.min(100, judge.score(cut(encodedStack)) + TILES_BELOW_PICTURE),
  }
}

/** Where tiles fit without overlap, in all frames. */
function placesIn(frame: Size, frames: number, size: Size): readonly Place[] {
  const columns = startsIn(frame.width, size.width)
  const rows = startsIn(frame.height, size.height)
  const tops = Array.from({ length: frames }, (_, nth) => rows.map((top) => nth * frame.height + top)).flat()
  return tops.flatMap((top) => columns.map((left) => ({ left, top })))
}

/** Evenly spread over a length, on the grid. */
function startsIn(length: number, side: number): readonly number[] {
  const count = Math.floor(length / side)
  const gap = count > 1 ? (length - side) / (count - 1) : 0
  return Array.from({ length: count }, (_, nth) => Math.floor((nth * gap) / GRID) * GRID)
}

/** Sorts places by detail and takes every nth, so that flat and busy parts have their shares. */
function byDetail(places: readonly Place[], picture: Raster, size: Size): readonly Place[] {
  const count = Math.min(MOST_TILES, places.length)
  const byDetailLevel = places
    .map((place) => ({ ...place, detail: detailOf(picture, place, size) }))
    .sort((one, other) => one.detail - other.detail)
  return Array.from({ length: count }, (_, nth) => byDetailLevel[Math.floor(((nth + 0.5) * places.length) / count)] as Place)
}

/** Rows of which one is looked at. */
const ROWS = 4

/** How much neighbours in a row differ; in green, which contributes most to brightness. */
function detailOf({ data, width, channels }: Raster, { left, top }: Place, size: Size): number {
  const channel = channels < 3 ? 0 : 1
  let sum = 0
  for (let y = top; y < top + size.height; y += ROWS) {
    const first = (y * width + left) * channels + channel
    let before = data[first] as number
    for (let at = first + channels; at < first + size.width * channels; at += channels) {
      const value = data[at] as number
      sum += Math.abs(value - before)
      before = value
    }
  }
  return sum
}

function partOf({ data, width, channels }: Raster, { left, top }: Place, size: Size): Raster {
  const row = size.width * channels
  const part = new Uint8Array(row * size.height)
  for (let y = 0; y < size.height; y++) {
    const from = ((top + y) * width + left) * channels
    part.set(data.subarray(from, from + row), y * row)
  }
  return { ...size, channels, data: part }
}
