import { boundsOf } from './bounds.ts'
import { displayed } from './displayed.ts'
import { CLEAR, type GifFile, type GifFrame, KEEP, type Rectangle, TRANSPARENT } from './gif-file.ts'

/** How a frame makes way for the next one, and what it must cover for that beside the pixels that change. */
export interface FramePlan {
  readonly disposal: GifFrame['disposal']
  readonly covers: Rectangle | undefined
}

/** As the file has it. */
export const asInFile = ({ frames }: GifFile): readonly FramePlan[] =>
  frames.map((frame) => ({ disposal: frame.disposal, covers: frame.disposal === CLEAR ? frame : undefined }))

/** Every frame stays and the next one changes what differs; only where pixels become transparent, they are cleared before. */
export function onTopOfEachOther(gif: GifFile): readonly FramePlan[] {
  const plans: FramePlan[] = []
  const before = new Uint32Array(gif.width * gif.height)
  for (const canvas of displayed(gif)) {
    if (gif.frames.length > 1) {
      const vanishing = (at: number) => before[at] !== TRANSPARENT && canvas[at] === TRANSPARENT
      plans.push(planOf(boundsOf(gif.width, gif.height, vanishing)))
      before.set(canvas)
    }
  }
  // What vanishes with a frame is cleared by the one before it.
  return [...plans.slice(1), planOf(undefined)]
}

const planOf = (covers: Rectangle | undefined): FramePlan => ({ disposal: covers ? CLEAR : KEEP, covers })
