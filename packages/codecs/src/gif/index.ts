import type { GifOptions, Sharp } from 'sharp'
import {
  type Animation,
  type Attempt,
  type Codec,
  type Graded,
  type OptimizeSettings,
  type Written,
  writeFile,
} from '../codec.ts'
import { imageFormats } from '../image-formats.ts'
import { isManifestInGif } from '../metadata/manifests.ts'
import { type EffortTable, effortFor } from '../scales.ts'
import { gifExcess, stripGif, withDelays } from './blocks.ts'
import { completedGif } from './completed.ts'
import type { GifFile } from './gif-file.ts'
import { readGif } from './read-gif.ts'
import { gifReader } from './reader.ts'
import { repack, repackNear } from './repack.ts'

/**
 * Effort of libimagequant for each frame with its own palette: a megapixel takes 1.7 s at 7 and 0.3 s at 3, for as many bytes and
 * an error a third larger.
 */
const efforts: EffortTable = [
  [0.5, 7],
  [1.5, 5],
  [4, 4],
  [Infinity, 3],
]
const ALL_FRAMES = { keepDuplicateFrames: true } as const

/** A frame takes cgif 0.1 s a megapixel, and choosing its colours up to 0.5 s. */
const tries: EffortTable = [
  [4, 4],
  [8, 2],
  [Infinity, 1],
]
/** Our own LZW takes 0.05 to 0.1 s a megapixel for each attempt; with approximate colours, up to 0.7 s. */
const ways: EffortTable = [
  [4, 7],
  [10, 4],
  [16, 2],
  [Infinity, 1],
]
const nearTries: EffortTable = [
  [2, 5],
  [4, 3],
  [12, 1],
  [Infinity, 0],
]
/** By megabytes: noise, as in films, fills the dictionary with short strings, and an attempt takes a second a megabyte. */
const nearTriesBySize: EffortTable = [
  [0.5, 5],
  [1, 3],
  [2, 2],
  [14, 1],
  [Infinity, 0],
]
/** For larger files only approximate colours are tried, once. */
const LARGE_MEGABYTES = 2
const MAX_MEGAPIXELS = 40

const megabytes = ({ bytes }: Written): number => bytes.length / 1e6
const isLarge = (file: Written): boolean => megabytes(file) > LARGE_MEGABYTES

/** Maximum delay of a frame in milliseconds that sharp accepts; GIF allows ten times as much. */
const MOST_DELAY = 65_535

async function writeAnimation(pixels: Sharp, animation: Animation | undefined, options: GifOptions): Promise<Written> {
  const { delay, loop } = animation ?? {}
  const timing = {
    ...(delay && { delay: delay.map((ms) => Math.min(ms, MOST_DELAY)) }),
    ...(loop !== undefined && { loop }),
  }
  const file = await writeFile(pixels.clone().gif({ ...ALL_FRAMES, ...options, ...timing }))
  return delay?.some((ms) => ms > MOST_DELAY) ? { ...file, bytes: withDelays(file.bytes, delay) } : file
}

function candidates(pixels: Sharp, { quality, megapixels, animation, source }: OptimizeSettings): readonly Attempt[] {
  const read = (bytes: Buffer) => (megapixels <= MAX_MEGAPIXELS ? readGif(bytes, MAX_MEGAPIXELS * 1e6) : undefined)
  const repackFile = (file: Written): Written => {
    const gif = read(file.bytes)
    const bytes = gif && repack(gif, isLarge(file) ? 1 : effortFor(ways, megapixels))
    return bytes && bytes.length < file.bytes.length ? { ...file, bytes } : file
  }
  const write = (options: GifOptions) => writeAnimation(pixels, animation, { effort: effortFor(efforts, megapixels), ...options })
  const own = source && read(source.bytes)
  // Reusing the source's palette keeps its colours exactly; a new one is often smaller.
  const exact = own
    ? [async () => repackFile(source)]
    : [true, false].map((reuse) => async () => repackFile(await write({ reuse })))
  if (quality === 100) return exact
  // Level: how much a pixel may differ from the previous frame and still count as equal (0-32).
  const forgiving: Graded = {
    levels: { min: 0, guess: 12, max: 16, step: 3 },
    tries: effortFor(tries, megapixels),
    write: (level) => write({ reuse: true, interFrameMaxError: 16 - level }),
  }
  // Level: the logarithm of the number of colours.
  const fewer: Graded = {
    levels: { min: 1, guess: 6, max: 8, step: 1 },
    tries: effortFor(tries, megapixels),
    write: (level) => write({ reuse: false, colours: 2 ** level, interFrameMaxError: 4 }),
    polish: async (file) => repackFile(file),
  }
  // Each further attempt takes a quarter of a second a megapixel, since colours are chosen for every frame.
  if (megapixels > MAX_MEGAPIXELS) return [forgiving]
  if (!own) return [...exact, forgiving, fewer]
  return [...exact, near(own, source, megapixels, repackFile), ...(isLarge(source) ? [] : [fewer])]
}

/** Level: the logarithm of the grey levels by which a pixel may differ, from 40 down to 0.8. */
const near = (own: GifFile, source: Written, megapixels: number, polish: (file: Written) => Written): Graded => ({
  levels: { min: 0, guess: 8, max: 16, step: 3 },
  tries: Math.min(effortFor(nearTries, megapixels), effortFor(nearTriesBySize, megabytes(source))),
  write: async (level) => ({ ...source, bytes: repackNear(own, 40 * 2 ** (-level / 2.8)) ?? source.bytes }),
  polish: async (file) => polish(file),
})

export const gif: Codec = {
  ...imageFormats.gif,
  name: 'gif',
  alpha: true,
  animated: true,
  fewColours: true,
  deep: false,
  maxSide: 65_535,
  matches: (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6)),
  // Equal frames are kept, so that the result has as many as the input; a frame without changes takes a few bytes.
  encode: (pixels, { animation, megapixels }) => writeAnimation(pixels, animation, { effort: effortFor(efforts, megapixels) }),
  excess: gifExcess,
  completed: completedGif,
  readerOf: () => gifReader,
  lossy: () => false,
  candidates,
  strip: stripGif,
  loader: 'Nsgif',
  isMostlyFlat: true,
  cost: { decoding: 0.015, encoding: 0.5, optimizing: 1.5, trial: [[Infinity, 600]] },
  isManifestIn: isManifestInGif,
}
