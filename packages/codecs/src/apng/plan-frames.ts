import type { Raster } from '../pixels/raster.ts'
import { CLEAR, eachRow, type FrameControl, KEEP, RESTORE, type Rectangle } from './read-apng.ts'

/** The frames of an animation, one below the other. */
export interface Frames extends Raster {
  /** Of one frame. */
  readonly height: number
  readonly count: number
}

/** How a frame is written. */
export interface FramePlan {
  readonly index: number
  readonly area: Rectangle
  /** Pixels of a row of the canvas. */
  readonly across: number
  /** Of the frame before. */
  readonly disposalBefore: FrameControl['disposal']
  /** The canvas with it, and without: 0xAABBGGRR. */
  readonly canvas: Uint32Array
  readonly base: Uint32Array
}

/** The rectangle of each frame in which it differs from the canvas, and that disposal of the frame before which leaves the least. */
export function* planFrames(frames: Frames): Generator<FramePlan> {
  const { width, height, count } = frames
  let last: FramePlan = {
    index: 0,
    across: width,
    area: { left: 0, top: 0, width, height },
    disposalBefore: KEEP,
    canvas: canvasAt(frames, 0),
    base: new Uint32Array(width * height),
  }
  yield last
  for (let index = 1; index < count; index++) {
    const canvas = canvasAt(frames, index)
    const choices = canvasesAfter(last, frames).map((choice) => ({ ...choice, ...changesBetween(choice.base, canvas, width) }))
    const { base, disposalBefore, area } = choices.reduce((one, other) => (other.count < one.count ? other : one))
    last = { index, area, across: width, disposalBefore, canvas, base }
    yield last
  }
}

/** The canvas after each disposal of a frame that may be of use. */
function canvasesAfter({ index, area, canvas, base }: FramePlan, { width, channels }: Frames): readonly Choice[] {
  const keptCanvas: Choice = { disposalBefore: KEEP, base: canvas }
  const restoredCanvases: readonly Choice[] = index > 0 ? [{ disposalBefore: RESTORE, base }] : []
  if (channels % 2 === 1) return [keptCanvas, ...restoredCanvases]
  const clearCanvas = canvas.slice()
  eachRow(area, width, (at) => clearCanvas.fill(0, at, at + area.width))
  return [keptCanvas, ...restoredCanvases, { disposalBefore: CLEAR, base: clearCanvas }]
}

type Choice = Pick<FramePlan, 'disposalBefore' | 'base'>

function changesBetween(base: Uint32Array, canvas: Uint32Array, width: number) {
  let count = 0
  let top = -1
  let bottom = 0
  let left = width
  let right = 0
  for (let y = 0, at = 0; at < canvas.length; y++) {
    for (let x = 0; x < width; x++, at++) {
      if (canvas[at] === base[at]) continue
      count++
      if (top < 0) top = y
      bottom = y
      if (x < left) left = x
      if (x > right) right = x
    }
  }
  // A frame has at least one pixel.
  const area = count === 0 ? ONE_PIXEL : { left, top, width: right - left + 1, height: bottom - top + 1 }
  return { count, area }
}

const ONE_PIXEL: Rectangle = { left: 0, top: 0, width: 1, height: 1 }

function canvasAt({ data, width, height, channels }: Frames, index: number): Uint32Array {
  const pixels = width * height
  const samples = data.subarray(index * pixels * channels, (index + 1) * pixels * channels)
  const canvas = new Uint32Array(pixels)
  const hasAlpha = channels % 2 === 0
  const green = channels < 3 ? 0 : 1
  for (let pixel = 0, at = 0; pixel < pixels; pixel++, at += channels) {
    const alpha = hasAlpha ? (samples[at + channels - 1] as number) : 255
    canvas[pixel] =
      (alpha << 24) |
      ((samples[at + 2 * green] as number) << 16) |
      ((samples[at + green] as number) << 8) |
      (samples[at] as number)
  }
  return canvas
}
