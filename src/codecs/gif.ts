import type { Codec } from './codec.ts'
import { written } from './written.ts'

/** cgif's palette search: 7 and 10 give the same bytes, 3 saves a seventh of the time. */
const EFFORT = 7
const ALL_FRAMES = { keepDuplicateFrames: true } as const

/** Colours kept and inter-frame differences forgiven (0–32) at a quality; from 100 on nothing is given away. */
const lossy = (quality: number) => ({
  colours: Math.max(2, Math.round(256 * Math.min(1, quality / 75))),
  interFrameMaxError: quality >= 100 ? 0 : Math.round((100 - quality) / 6),
})

export const gif: Codec = {
  name: 'gif',
  mime: 'image/gif',
  extension: 'gif',
  target: false,
  alpha: true,
  animated: true,
  deep: false,
  maxSide: 65_535,
  matches: (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6)),
  // Frames alike are kept, so that the answer has as many as the input; where nothing moves they cost a few bytes each.
  encode: (pixels, { animation }) => written(pixels.gif({ ...animation, ...ALL_FRAMES, effort: EFFORT })),
  // Reusing the source's palette keeps its colours exactly; a new one is often smaller.
  candidates: (pixels, { quality, animation }) =>
    quality < 100
      ? [() => written(pixels.clone().gif({ ...animation, ...ALL_FRAMES, effort: EFFORT, reuse: false, ...lossy(quality) }))]
      : [true, false].map((reuse) => () => written(pixels.clone().gif({ ...animation, ...ALL_FRAMES, effort: EFFORT, reuse }))),
}
