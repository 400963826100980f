import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { clearHidden, insideSize, OPAQUE, shrinkTo } from '@pixelmill/codecs/pixels/raster'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { applyMaps, positionIn, surveyPicture } from '@pixelmill/kernels/matte'
import { matteMaps } from './matte-maps.ts'

/** The opacity of each pixel: 0–1 in a Float32Array, 0–255 in a Uint8Array. */
export interface Matte extends Size {
  readonly data: Float32Array | Uint8Array
}

/** A larger matte is shrunk to this longest side: at full resolution the picture itself shows the outline better. */
const MOST_SIDE = 1024

/**
 * Applies a matte of lower resolution to a picture, in place. The matte says where the subject is; the picture's own edges
 * and colours say where exactly it ends. Background colour that is mixed into the outline is removed. Fully transparent
 * pixels become 0; existing alpha never increases. Takes about 250 bytes for each pixel of the matte.
 * @param picture RGBA, of any size
 * @param matte covers the whole picture; may have another aspect ratio, as models' mattes do, and be larger
 */
export function applyMatte(picture: Raster, matte: Matte): void {
  const inside = insideSize(matte, MOST_SIDE)
  const size = { width: Math.min(inside.width, picture.width), height: Math.min(inside.height, picture.height) }
  const opacity = shrinkTo({ ...matte, data: asBytes(matte.data), channels: 1 }, size)
  const { small, translucent } = surveyPicture(picture, size, OPAQUE)
  applyMaps(picture, matteMaps(small, opacity.data))
  if (translucent > 0) clearHidden(picture)
}

const asBytes = (data: Float32Array | Uint8Array): Uint8Array =>
  data instanceof Uint8Array ? data : Uint8Array.from(data, (opacity) => Math.round(255 * Math.max(0, Math.min(1, opacity))))

/** A matte whose sides are at least this share of the picture's is detailed enough to bound each pixel directly. */
const DETAILED = 0.75
const MOST_OPAQUE = 255

/** The range of opacity that is allowed at each pixel of the matte. */
interface Bounds {
  readonly least: Uint8Array
  readonly most: Uint8Array
}

/**
 * Limits the opacity of a cut-out to the range of a trusted matte within one of its pixels, or to the matte itself if that is
 * nearly as large as the picture. Otherwise subjects with the background's colours would get holes.
 * @param cut the result of `applyMatte`, RGBA; changed in place
 * @param own the picture's pixels before that, the source of opaque colours
 * @param matte 0–255
 */
export function boundAlpha(cut: Raster, own: Uint8Array, matte: Matte & { readonly data: Uint8Array }): void {
  const { width, height } = cut
  const isDetailed = matte.width >= DETAILED * width
  const opacity = new Uint8Array(width)
  const limit = isDetailed ? interpolating(matte, width) : bounding(matte, width)
  for (let y = 0; y < height; y++) {
    const first = y * width * 4
    for (let x = 0; x < width; x++) opacity[x] = cut.data[first + 4 * x + 3] as number
    limit(opacity, positionIn(y, height, matte.height))
    for (let x = 0; x < width; x++) {
      const pixel = first + 4 * x
      if (opacity[x] !== cut.data[pixel + 3]) setAlpha(cut.data, own, pixel, opacity[x] as number)
    }
  }
}

/** Changes the opacities of a row of the picture to what the matte allows. @param row its place in the matte */
type Limit = (opacity: Uint8Array, row: number) => void

/** To the range of the pixels around each. */
function bounding(matte: Matte & { readonly data: Uint8Array }, width: number): Limit {
  const { least, most } = boundsOf(matte)
  const columns = Int32Array.from(positions(width, matte.width), Math.round)
  return (opacity, row) => {
    const first = Math.round(row) * matte.width
    for (let x = 0; x < width; x++) {
      const at = first + (columns[x] as number)
      opacity[x] = Math.max(least[at] as number, Math.min(most[at] as number, opacity[x] as number))
    }
  }
}

/** To the matte itself, by bilinear interpolation. */
function interpolating({ data, width: matteWidth, height }: Matte, width: number): Limit {
  const columns = positions(width, matteWidth)
  const lefts = Int32Array.from(columns, Math.floor)
  const mixedRow = new Float64Array(matteWidth)
  return (opacity, row) => {
    const upper = Math.floor(row)
    const above = upper * matteWidth
    const below = Math.min(upper + 1, height - 1) * matteWidth
    for (let x = 0; x < matteWidth; x++) {
      const from = data[above + x] as number
      mixedRow[x] = from + ((data[below + x] as number) - from) * (row - upper)
    }
    for (let x = 0; x < width; x++) {
      const left = lefts[x] as number
      const from = mixedRow[left] as number
      const to = mixedRow[Math.min(left + 1, matteWidth - 1)] as number
      opacity[x] = Math.round(from + (to - from) * ((columns[x] as number) - left))
    }
  }
}

const positions = (length: number, matteLength: number): Float64Array =>
  Float64Array.from({ length }, (_, sample) => positionIn(sample, length, matteLength))

/** Minimum and maximum over each pixel and its eight neighbours: over three in its row, then over three rows. */
function boundsOf({ data, width, height }: Matte & { readonly data: Uint8Array }): Bounds {
  const least = data.slice()
  const most = data.slice()
  for (const [step, length, lines, stride] of [
    [1, width, height, width],
    [width, height, width, 1],
  ] as const) {
    spread(least, Math.min, { step, length, lines, stride })
    spread(most, Math.max, { step, length, lines, stride })
  }
  return { least, most }
}

interface Lines {
  /** Distance from one pixel of a line to the next, and pixels per line. */
  readonly step: number
  readonly length: number
  /** Number of lines, and distance from one to the next. */
  readonly lines: number
  readonly stride: number
}

function spread(plane: Uint8Array, pick: (...of: number[]) => number, { step, length, lines, stride }: Lines): void {
  for (let line = 0; line < lines; line++) {
    let before = plane[line * stride] as number
    for (let at = 0, pixel = line * stride; at < length; at++, pixel += step) {
      const here = plane[pixel] as number
      const next = at + 1 < length ? (plane[pixel + step] as number) : here
      plane[pixel] = pick(before, here, next)
      before = here
    }
  }
}

function setAlpha(data: Uint8Array, own: Uint8Array, pixel: number, alpha: number): void {
  // Pixels that were transparent have lost their colour, and opaque ones contain no background colour.
  const source = alpha === MOST_OPAQUE || data[pixel + 3] === 0 ? own : data
  for (let channel = 0; channel < 3; channel++) data[pixel + channel] = alpha === 0 ? 0 : (source[pixel + channel] as number)
  data[pixel + 3] = alpha
}
