import { CLEAR, displayedFrames, type GifFile, type GifFrame, KEEP, type Rectangle, TRANSPARENT } from './gif-file.ts'

/** A frame's disposal, and the area that it must cover for it in addition to the changed pixels. */
export interface FramePlan {
  readonly disposal: GifFrame['disposal']
  readonly covers: Rectangle | undefined
}

/** The disposals of the file itself. */
export const asInFile = ({ frames }: GifFile): readonly FramePlan[] =>
  frames.map((frame) => ({ disposal: frame.disposal, covers: frame.disposal === CLEAR ? frame : undefined }))

/** Frames are kept and the next one draws only changes; a frame is cleared only if pixels become transparent after it. */
export function onTopOfEachOther(gif: GifFile): readonly FramePlan[] {
  const plans: FramePlan[] = []
  const before = new Uint32Array(gif.width * gif.height)
  for (const canvas of displayedFrames(gif)) {
    if (gif.frames.length > 1) {
      const vanishing = (at: number) => before[at] !== TRANSPARENT && canvas[at] === TRANSPARENT
      plans.push(planOf(boundsOf(gif.width, gif.height, vanishing)))
      before.set(canvas)
    }
  }
  // Pixels that become transparent in a frame are cleared by the disposal of the one before.
  return [...plans.slice(1), planOf(undefined)]
}

const planOf = (covers: Rectangle | undefined): FramePlan => ({ disposal: covers ? CLEAR : KEEP, covers })

/** The area of a frame: the changed pixels and those it clears; one pixel when there are neither. */
export const areaOf = ({ width, height }: GifFile, { covers }: FramePlan, changes: (at: number) => boolean): Rectangle =>
  union(boundsOf(width, height, changes), covers) ?? { left: 0, top: 0, width: 1, height: 1 }

/** The smallest rectangle around the marked pixels; undefined if there are none. */
export function boundsOf(width: number, height: number, isMarked: (at: number) => boolean): Rectangle | undefined {
  let left = width
  let right = -1
  let top = height
  let bottom = -1
  for (let y = 0; y < height; y++) {
    const row = y * width
    let x = 0
    while (x < width && !isMarked(row + x)) x++
    if (x === width) continue
    let last = width - 1
    while (!isMarked(row + last)) last--
    if (top === height) top = y
    bottom = y
    left = Math.min(left, x)
    right = Math.max(right, last)
  }
  return bottom < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 }
}

/** The smallest rectangle around both rectangles. */
export function union(a: Rectangle | undefined, b: Rectangle | undefined): Rectangle | undefined {
  if (!a || !b) return a ?? b
  const left = Math.min(a.left, b.left)
  const top = Math.min(a.top, b.top)
  const right = Math.max(a.left + a.width, b.left + b.width)
  return { left, top, width: right - left, height: Math.max(a.top + a.height, b.top + b.height) - top }
}
