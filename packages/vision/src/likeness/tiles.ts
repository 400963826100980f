import type { Raster } from '@pixelmill/codecs/pixels/raster'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { judgeOf, judgeOfParts } from './ssimulacra2/ssimulacra2.ts'

/** Parts of a picture that stand for all of it, so that levels of an encoder can be tried in a tenth of the time. */
export interface Sample extends Disposable {
  /** All tiles as one picture, one below the other, for an encoder; the picture itself if it is small. */
  readonly stacked: Raster
  /** Share of the picture's pixels that `stacked` has: 1 for a small picture. */
  readonly share: number
  /** SSIMULACRA2 of `stacked` after it was encoded and decoded: about that of the picture. */
  score(encodedStack: Raster): number
}

/** A superblock of AV1. At equal pixels, many small tiles say more of a picture than few large ones. */
const SIDE = 64
/**
 * A tile is coded with so many pixels more on each side, which are not scored: encoders predict less at its edges, and mix the colours
 * of neighbours. Scores of 16 tiles are then off by 0.5 to 1.0 points (standard deviations of 12 photographs: JPEG 1.0, AVIF 0.8,
 * WebP 0.5), without it by 1.6 to 2.4.
 */
const MARGIN = 8
const CODED_SIDE = SIDE + 2 * MARGIN
/** Macroblocks of WebP, and of JPEG at half chroma resolution: a tile is coded in the same blocks as in its picture. */
const GRID = 16
/** A picture of up to this many times the pixels of its tiles is not cut. */
const WORTH_CUTTING = 2

/**
 * Samples a picture evenly by detail, on which the loss of an encoder depends most.
 * @param frames of an animation, stacked vertically; no tile reaches over two
 */
export function sampleOf(picture: Raster, mostTiles: number, frames = 1): Sample {
  const { width, channels } = picture
  const pixels = width * picture.height
  if (frames === 1 && pixels <= WORTH_CUTTING * SIDE * SIDE * mostTiles) {
    const judge = judgeOf([picture])
    return { ...judge, stacked: picture, share: 1, score: (encodedStack) => judge.score([encodedStack]) }
  }
  const { frame, size, places } = tilesOf(picture, mostTiles, frames)
  const stack = { ...size, height: size.height * places.length }
  const inner: Size = { width: Math.min(SIDE, size.width), height: Math.min(SIDE, size.height) }
  const left = (size.width - inner.width) >> 1
  const top = (size.height - inner.height) >> 1
  const cut = (stackToCut: Raster) => places.map((_, nth) => partOf(stackToCut, { left, top: nth * size.height + top }, inner))
  const stackedTiles = { ...stack, channels, data: stackOf(picture, places, size) }
  const judge = judgeOfParts(cut(stackedTiles), frame)
  return {
    ...judge,
    stacked: stackedTiles,
    share: (stack.width * stack.height) / pixels,
    score: (encodedStack) => judge.score(cut(encodedStack)),
  }
}

/** Pixels of half a block of JPEG. */
export const HALF_BLOCK = 4
/** Of pictures from which whole tiles can be cut, shifted by half a block. */
export const LEAST_SIDE = SIDE + HALF_BLOCK

/** Tiles that stand for a picture, side by side in a nearly square one. */
export interface TiledPart {
  /** In the blocks of JPEG that the picture has. */
  readonly onGrid: Raster
  /** Each tile half a block further to the right and down. */
  readonly offGrid: Raster
}

/** @param picture of sides of at least `LEAST_SIDE`, whose tiles are chosen evenly by detail */
export function tiledPart(picture: Raster, mostTiles: number): TiledPart {
  const { width, height, channels } = picture
  const size: Size = { width: SIDE, height: SIDE }
  const places = byDetail(placesIn({ width: width - HALF_BLOCK, height: height - HALF_BLOCK }, 1, size), picture, size, mostTiles)
  const columns = Math.floor(Math.sqrt(places.length))
  const rows = Math.floor(places.length / columns)
  const shiftedBy = (shift: number): Raster => {
    const stride = columns * SIDE * channels
    const data = Buffer.allocUnsafe(rows * SIDE * stride)
    for (const [nth, { left, top }] of places.slice(0, rows * columns).entries()) {
      const tile = partOf(picture, { left: left + shift, top: top + shift }, size).data
      const to = Math.floor(nth / columns) * SIDE * stride + (nth % columns) * SIDE * channels
      const rowBytes = SIDE * channels
      for (let y = 0; y < SIDE; y++) data.set(tile.subarray(y * rowBytes, (y + 1) * rowBytes), to + y * stride)
    }
    return { width: columns * SIDE, height: rows * SIDE, channels, data }
  }
  return { onGrid: shiftedBy(0), offGrid: shiftedBy(HALF_BLOCK) }
}

const stackOf = (picture: Raster, places: readonly Place[], size: Size): Buffer =>
  Buffer.concat(places.map((place) => partOf(picture, place, size).data))

/** Scores encodings of a whole picture. */
export interface PictureJudge extends Disposable {
  /** @param encodedPicture of the same size, its frames stacked vertically */
  score(encodedPicture: Raster): number
}

/**
 * Describes a picture once for any number of scores.
 * @param frames of an animation, stacked vertically, which are scored as pictures of their own
 */
export function judgeOfPicture(picture: Raster, frames = 1): PictureJudge {
  const height = picture.height / frames
  const tops = Array.from({ length: frames }, (_, frame) => frame * height)
  const cut = (strip: Raster) => tops.map((top) => rowsOf(strip, top, height))
  const judge = judgeOf(cut(picture))
  return { ...judge, score: (encodedPicture) => judge.score(cut(encodedPicture)) }
}

function rowsOf({ data, width, channels }: Raster, top: number, height: number): Raster {
  const row = width * channels
  return { data: data.subarray(top * row, (top + height) * row), width, height, channels }
}

/** Tiles of one size that are spread evenly by detail. */
function tilesOf(picture: Raster, most: number, frames: number) {
  const frame = { width: picture.width, height: picture.height / frames }
  const size = { width: Math.min(CODED_SIDE, frame.width), height: Math.min(CODED_SIDE, frame.height) }
  return { frame, size, places: byDetail(placesIn(frame, frames, size), picture, size, most) }
}

interface Place {
  readonly left: number
  readonly top: number
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
function byDetail(places: readonly Place[], picture: Raster, size: Size, most: number): readonly Place[] {
  const count = Math.min(most, places.length)
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
