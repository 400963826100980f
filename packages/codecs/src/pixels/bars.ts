import type { Raster } from './raster.ts'
import type { Size } from './size.ts'
import type { Box } from './trim.ts'

/** A bar differs from its own colour by no more than this in any channel, in levels of 255: JPEG leaves no more on an even bar. */
const EVEN = 14
/** Of the picture's lines beside a bar, this share of the pixels has another colour: a subject on an even ground does not begin so. */
const LEAST_ABRUPT = 0.5
/** So does this share near both ends of these lines, where a straight side of a subject on an even ground ends. */
const END = 0.06
const LEAST_AT_ENDS = 0.3
/** The lines beside a bar that are looked at, as its edge may be soft by a line, and the next ones as dark as the bar. */
const BESIDE = 3
/** A frame around all sides is not deeper than this, as a share of the side; a wider one is the ground of a rectangular subject. */
const MOST_FRAME = 0.08

/**
 * The picture without the even bars that make another shape of it: above and below (letterbox), left and right (pillarbox), or
 * a thin frame. All of the picture if there are none.
 * @param raster a small picture: RGB or grey
 */
export function withoutBars(raster: Raster): Box {
  const { width, height } = raster
  const rows = linesOf(raster, true)
  const columns = linesOf(raster, false)
  const [above, below] = barsOf(rows, raster)
  const [before, after] = barsOf(columns, raster)
  const isFrame = Math.max(above, below) <= MOST_FRAME * height && Math.max(before, after) <= MOST_FRAME * width
  if (above && before && !isFrame) return { left: 0, top: 0, width, height }
  return { left: before, top: above, width: width - before - after, height: height - above - below }
}

/** A part of a picture. */
export function cutOut({ data, width: whole, channels }: Raster, { left, top, width, height }: Box): Raster {
  const part = new Uint8Array(width * height * channels)
  for (let row = 0; row < height; row++) {
    const from = ((top + row) * whole + left) * channels
    part.set(data.subarray(from, from + width * channels), row * width * channels)
  }
  return { data: part, width, height, channels }
}

/** The values of a part's pixels as those of the whole picture; 0 elsewhere. */
export function placeOn(part: Uint8Array, { left, top, width, height }: Box, size: Size): Uint8Array {
  const whole = new Uint8Array(size.width * size.height)
  for (let row = 0; row < height; row++) {
    whole.set(part.subarray(row * width, (row + 1) * width), (top + row) * size.width + left)
  }
  return whole
}

/** The rows or columns of a picture: the pixels of each are `across` apart. */
interface Lines {
  readonly count: number
  readonly length: number
  readonly down: number
  readonly across: number
}

const linesOf = ({ width, height }: Raster, areRows: boolean): Lines =>
  areRows ? { count: height, length: width, down: width, across: 1 } : { count: width, length: height, down: 1, across: width }

/** The depths of the bars at the first and at the last line; both are 0 unless there are two, of one colour. */
function barsOf(lines: Lines, raster: Raster): readonly [first: number, last: number] {
  const none = [0, 0] as const
  const { count } = lines
  const first = (at: number) => at
  const last = (at: number) => count - 1 - at
  const colour = medianOf(lines, 0, raster)
  const depths = [first, last].map((lineAt) => barDepth(lines, lineAt, colour, raster)) as [number, number]
  return depths.every((depth) => depth > 0) && depths[0] + depths[1] < count ? depths : none
}

/** The depth of the bar that begins at an edge, its soft last line included; 0 if what begins there does not end like a bar. */
function barDepth(lines: Lines, lineAt: (at: number) => number, colour: Colour, raster: Raster): number {
  let depth = 0
  const unlikeAt = (line: number) => unlikeAlong(lines, [lineAt(line)], colour, raster)
  while (depth < lines.count && shareOf(unlikeAt(depth)) <= MOST_STAINED) depth++
  if (depth === 0 || depth + BESIDE > lines.count) return 0
  const beside = Array.from({ length: BESIDE }, (_, at) => lineAt(depth + at))
  const unlike = unlikeAlong(lines, beside, colour, raster)
  const end = Math.max(1, Math.round(END * lines.length))
  const atEnds = Math.min(shareOf(unlike.subarray(0, end)), shareOf(unlike.subarray(-end)))
  return shareOf(unlike) >= LEAST_ABRUPT && atEnds >= LEAST_AT_ENDS ? depth + 1 : 0
}

/** Share of a bar's line that may be uneven. */
const MOST_STAINED = 0.01

/** 1 for each pixel along some lines whose colour is not the bar's in at least one of the lines. */
function unlikeAlong({ length, down, across }: Lines, some: readonly number[], colour: Colour, raster: Raster): Uint8Array {
  return Uint8Array.from({ length }, (_, at) =>
    some.some((line) => isUnlike(raster, line * down + at * across, colour)) ? 1 : 0,
  )
}

const shareOf = (marks: Uint8Array): number => marks.reduce((sum, mark) => sum + mark, 0) / marks.length

type Colour = readonly number[]

function isUnlike({ data, channels }: Raster, pixel: number, colour: Colour): boolean {
  return colour.some((level, channel) => Math.abs((data[pixel * channels + channel] as number) - level) > EVEN)
}

/** The median of each channel along a line. */
function medianOf({ length, down, across }: Lines, line: number, { data, channels }: Raster): Colour {
  return Array.from({ length: Math.min(3, channels) }, (_, channel) => {
    const levels = Uint8Array.from({ length }, (_, at) => data[(line * down + at * across) * channels + channel] as number)
    return levels.sort()[length >> 1] as number
  })
}
