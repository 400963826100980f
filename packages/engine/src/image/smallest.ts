import type { Attempt, Codec, Graded, Written } from '@pixelmill/codecs/codec'
import { type Similarity, similarityTo } from '@pixelmill/vision/likeness/similarity'
import type { Sharp } from 'sharp'
import type { Encoded } from './encode.ts'
import { LossSearch, lossOf, type SampledLevels, sampleLevels } from './sampled-levels.ts'

/** What the candidates are compared with. */
interface Reference {
  readonly pixels: Sharp
  readonly codec: Codec
  readonly quality: number
  readonly grey: boolean
  readonly alpha: boolean
  readonly frames: number
  /** Milliseconds of each frame of an animation. */
  readonly delay: readonly number[] | undefined
  /** Bytes that the untouched file has and a new one gets afterwards. */
  readonly beside: number
}

/** A file with changed pixels must be smaller by this share: else each round of optimizing would lose quality for nothing. */
const WORTH = 0.05

/**
 * The smallest of the untouched file and the encoder's attempts, among those that look as good as the quality promises; at
 * quality 100, among those that change no pixel.
 */
export async function smallest(ownFile: Encoded, attempts: readonly Attempt[], reference: Reference): Promise<Encoded> {
  const { codec, quality } = reference
  let decodedSimilarity: Promise<Similarity> | undefined
  const similarity = () => {
    decodedSimilarity ??= similarityTo(reference.pixels, reference)
    return decodedSimilarity
  }
  // Attempts decode the picture; if there are none, this finds a damaged file.
  if (attempts.length === 0) await similarity()
  let goal: Promise<number> | undefined
  const sufficient = () => {
    goal ??= quality === 100 ? Promise.resolve(1) : similarity().then((one) => one.sufficient(quality))
    return goal
  }
  const toBeat = ownFile.bytes.length - reference.beside
  const lossyBytes = Math.floor(toBeat * (1 - WORTH))
  let best = ownFile
  const bestBytes = () => (best === ownFile ? toBeat : best.bytes.length)
  for (const attempt of attempts) {
    if (typeof attempt === 'function') {
      const candidate = await attempt(bestBytes())
      if (!candidate || candidate.bytes.length >= bestBytes()) continue
      const score = await (await similarity()).of(candidate.bytes, codec)
      if (score === 1 || (candidate.bytes.length <= lossyBytes && score >= (await sufficient()))) best = { ...candidate, codec }
    } else {
      const { of, sampled } = await similarity()
      const sampledLevels = sampled && (await sampleLevels(attempt, sampled, codec, quality))
      const target = { sufficient, of: (one: Written) => of(one.bytes, codec) }
      for (const encode of await waysOf(attempt, sampledLevels)) {
        const file = await encode({ ...target, bytes: Math.min(bestBytes(), lossyBytes + 1) })
        if (!file) continue
        best = { ...file, codec }
        // The sample has told that the second way takes more bytes.
        if (sampledLevels) break
      }
    }
  }
  return best
}

type Way = (target: Target) => Promise<Written | undefined>

/** The encodings of an encoder with levels, the one that is probably smaller first. */
async function waysOf(encoder: Graded, sampledLevels: SampledLevels | undefined): Promise<readonly Way[]> {
  const byLevel: Way = (target) => searchLevel(encoder, target, sampledLevels)
  const plain: Way = (target) => plainIfSmaller(encoder, target)
  return (await sampledLevels?.isPlainSmaller()) ? [plain, byLevel] : [byLevel, plain]
}

/** What a file has to achieve: fewer than these bytes, and at least the similarity that is sufficient. */
interface Target {
  readonly bytes: number
  sufficient(): Promise<number>
  of(file: Written): Promise<number>
}

/** The smallest file of a graded encoder that meets the target, within the tries that it allows; undefined if none does. */
async function searchLevel(encoder: Graded, target: Target, sampledLevels?: SampledLevels): Promise<Written | undefined> {
  const goal = lossOf(await target.sufficient())
  const search = new LossSearch(encoder.levels, sampledLevels?.slope)
  let best: Written | undefined
  let level: number | undefined = sampledLevels ? await sampledLevels.lowest(0) : encoder.levels.guess
  for (let round = 0; level !== undefined && round < encoder.tries; round++) {
    const file = await encoder.write(level)
    const excess = lossOf(await target.of(file)) - goal
    const isSmaller = file.bytes.length < (best?.bytes.length ?? target.bytes)
    if (excess <= 0 && isSmaller) best = file
    // Every level above takes more bytes than this one.
    if (excess > 0 && !isSmaller) break
    if (search.note(level, excess)) break
    // The whole loses more or less than the sample does, at every level by about as much.
    const correctedLevel = sampledLevels && (await sampledLevels.lowest(excess - (await sampledLevels.excess(level))))
    // A level is 3 % of the bytes, which are not worth another file.
    if (excess <= 0 && correctedLevel !== undefined && correctedLevel >= level - 1) break
    level = search.next(correctedLevel)
  }
  return best && encoder.polish ? await encoder.polish(best) : best
}

/** The plain encoding, if it is smaller. It defines the quality, so it needs no comparison. */
async function plainIfSmaller({ writePlain }: Graded, target: Target): Promise<Written | undefined> {
  const file = await writePlain?.()
  return file && file.bytes.length < target.bytes ? file : undefined
}
