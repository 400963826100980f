import type { Written } from '@pixelmill/codecs/codec'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'

/** Levels of which a file is written, and how large they are on a sample. */
export interface SizedLevels {
  readonly min: number
  readonly max: number
  /** Bytes of the sample at a level, and its share of the picture. */
  readonly share: number
  bytesOfSample(level: number): Promise<number>
  write(level: number): Promise<Written>
}

const MOST_FULL_ENCODES = 7

/**
 * The highest level of which the file is small enough. The sample predicts it, and each full encode corrects the prediction.
 * @param beside bytes that are added to the file afterwards
 * @throws ImageError cannot_fit
 */
export async function withinBytes(maxBytes: number, beside: number, levels: SizedLevels): Promise<Written> {
  const { min, max, share, bytesOfSample, write } = levels
  const most = maxBytes - beside
  const sampleSizes = new Map<number, Promise<number>>()
  const sizeOf = (level: number) => {
    const size = sampleSizes.get(level) ?? bytesOfSample(level)
    sampleSizes.set(level, size)
    return size
  }
  let best: { readonly level: number; readonly file: Written } | undefined
  let smallest = Number.POSITIVE_INFINITY
  let factor = 1 / share
  let tooLarge = max + 1
  for (let round = 1; round <= MOST_FULL_ENCODES; round++) {
    const lowest = best?.level ?? min
    const predictedLevel = await highest(lowest, tooLarge - 1, async (level) => (await sizeOf(level)) * factor <= most)
    // The last try is the lowest level.
    const level = round === MOST_FULL_ENCODES && !best ? min : predictedLevel
    if (level === best?.level) return best.file
    const file = await write(level)
    smallest = Math.min(smallest, file.bytes.length)
    factor = file.bytes.length / (await sizeOf(level))
    if (file.bytes.length <= most) best = { level, file }
    else if (level === min) break
    else tooLarge = level
  }
  if (best) return best.file
  throw cannotFit(smallest + beside)
}

const cannotFit = (smallestBytes: number): ImageError =>
  new ImageError('cannot_fit', {
    message: `The picture takes at least ${smallestBytes} bytes in this format and size; allow that many, or ask for a smaller size.`,
    facts: { smallestBytes },
  })

/** The highest of `from` to `to` that passes, if all below it do; `from` if none does. */
async function highest(from: number, to: number, passes: (level: number) => Promise<boolean>): Promise<number> {
  let low = from
  let high = to
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (await passes(middle)) low = middle
    else high = middle - 1
  }
  return low
}
