import type { GifOptions, Sharp } from 'sharp'
import type { Attempt, Codec, Graded, OptimizeSettings } from './codec.ts'
import { type EffortTable, effortFor } from './effort.ts'
import { written } from './written.ts'

/** cgif's palette search: 7 and 10 give the same bytes, 3 saves a seventh of the time. */
const EFFORT = 7
const ALL_FRAMES = { keepDuplicateFrames: true } as const

/** A frame of cgif costs 0.1 s a megapixel, choosing its colours up to 0.5 s. */
const tries: EffortTable = [
  [4, 4],
  [12, 2],
  [Infinity, 1],
]

function candidates(pixels: Sharp, { quality, megapixels, animation }: OptimizeSettings): readonly Attempt[] {
  const write = (options: GifOptions) => written(pixels.clone().gif({ ...animation, ...ALL_FRAMES, effort: EFFORT, ...options }))
  // Reusing the source's palette keeps its colours exactly; a new one is often smaller.
  const exact = [true, false].map((reuse) => () => write({ reuse }))
  if (quality === 100) return exact
  // By level: what a pixel may differ from the frame before and still count as the same (0-32).
  const forgiving: Graded = {
    levels: { min: 0, guess: 12, max: 16, step: 3 },
    tries: effortFor(tries, megapixels),
    write: (level) => write({ reuse: true, interFrameMaxError: 16 - level }),
  }
  // By level: the logarithm of how many colours are kept.
  const fewer: Graded = {
    levels: { min: 1, guess: 6, max: 8, step: 1 },
    tries: effortFor(tries, megapixels),
    write: (level) => write({ reuse: false, colours: 2 ** level, interFrameMaxError: 4 }),
  }
  return [...exact, forgiving, fewer]
}

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
  candidates,
}
