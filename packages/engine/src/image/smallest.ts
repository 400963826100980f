import type { Attempt, Codec, Graded, Written } from '@pixelmill/codecs/codec'
import { type Similarity, similarityTo } from '@pixelmill/vision/likeness/similarity'
import type { Sharp } from 'sharp'
import type { Encoded } from './encode.ts'

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
  let promise: Promise<number> | undefined
  const promisedSimilarity = () => {
    promise ??= quality === 100 ? Promise.resolve(1) : similarity().then((one) => one.promised(quality))
    return promise
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
      if (score === 1 || (candidate.bytes.length <= lossyBytes && score >= (await promisedSimilarity())))
        best = { ...candidate, codec }
    } else {
      const bytes = Math.min(bestBytes(), lossyBytes + 1)
      const { of, sampled } = await similarity()
      const prediction = sampled && (await predict(attempt, { ...sampled, codec, quality }))
      const target = { bytes, similarity: await promisedSimilarity(), of: (one: Written) => of(one.bytes, codec) }
      const outcome = await searchLevel(attempt, target, prediction)
      if (outcome.written) best = { ...outcome.written, codec }
      if (outcome.written && prediction && !prediction.otherwise) continue
      const other = await alternative(attempt, { ...target, bytes: Math.min(target.bytes, bestBytes()) })
      if (other) best = { ...other, codec }
    }
  }
  return best
}

/** What a file has to achieve: at most this many bytes, and at least this similarity. */
interface Target {
  readonly bytes: number
  readonly similarity: number
  of(file: Written): Promise<number>
}

interface Trial {
  readonly level: number
  /** Natural logarithm of 1 − similarity: it is nearly linear in an encoder's levels. */
  readonly loss: number
}

/** Where to search, and by how much the next level lowers the loss, if that is known. */
interface Start {
  readonly level: number
  readonly slope: number | undefined
  /** Whether the encoder's other encoding may be smaller. */
  readonly otherwise?: boolean
}

/** The search ends at a level that exceeds the target by less than this; where levels are known to be far apart, than the second. */
const NEAR_ENOUGH = 0.02
const MOST_NEAR = 0.06

const lossOf = (similarity: number): number => Math.log(Math.max(1 - similarity, 1e-9))

interface Found {
  readonly written: Written | undefined
  readonly poor: Trial | undefined
  readonly good: Trial | undefined
}

/** The smallest file of a graded encoder that meets the target, within the tries that it allows; undefined if none does. */
async function searchLevel(encoder: Graded, target: Target, start?: Start): Promise<Found> {
  const goal = lossOf(target.similarity)
  const { level: first, slope } = start ?? { level: encoder.levels.guess, slope: undefined }
  const near = Math.min(MOST_NEAR, Math.max(NEAR_ENOUGH, slope ?? 0))
  let poor: Trial | undefined
  let good: Trial | undefined
  let best: Written | undefined
  let level = first
  for (let round = 0; round < encoder.tries; round++) {
    const file = await encoder.write(level)
    const similarity = await target.of(file)
    const trial = { level, loss: lossOf(similarity) }
    if (similarity >= target.similarity) {
      good = trial
      if (file.bytes.length < (best?.bytes.length ?? target.bytes)) best = file
      if (goal - trial.loss < near) break
    } else {
      poor = trial
      // Every level above takes more bytes than this one.
      if (file.bytes.length >= (best?.bytes.length ?? target.bytes)) break
    }
    const next = between(poor, good, goal, { ...encoder.levels, slope }, round)
    if (next === undefined) break
    level = next
  }
  return { written: best && encoder.polish ? await encoder.polish(best) : best, poor, good }
}

/** Tries on the sample cost an eighth to a quarter of those on the picture. */
const SAMPLE_TRIES = 4
/** By how much a level of mozjpeg lowers the loss: 0.02 to 0.05. */
const USUAL_SLOPE = 0.025

/** The other encoding is tried if the sample takes it at most this many of the bytes of the best level. */
const OTHER_AT_MOST = 1.02

/** The level that meets the target on a sample of the picture; undefined for an encoder that has to see all of it. */
async function predict(encoder: Graded, { pixels, of, promised, codec, quality }: Sampled): Promise<Start | undefined> {
  const { writeSample, levels } = encoder
  if (!writeSample) return undefined
  const similarity = await promised(quality)
  const target = { bytes: Number.POSITIVE_INFINITY, similarity, of: ({ bytes }: Written) => of(bytes, codec) }
  const sample = { levels, tries: SAMPLE_TRIES, write: (level: number) => writeSample(pixels(), level) }
  const { written, poor, good } = await searchLevel(sample, target, { level: levels.guess, slope: USUAL_SLOPE })
  const other = await encoder.otherwise?.(pixels())
  const otherwise = other !== undefined && other.bytes.length < OTHER_AT_MOST * (written?.bytes.length ?? Infinity)
  if (!poor || !good) return { level: good?.level ?? levels.max, slope: USUAL_SLOPE, otherwise }
  const slope = (poor.loss - good.loss) / (good.level - poor.level)
  const level = Math.ceil(poor.level + (poor.loss - lossOf(similarity)) / slope)
  return { level: Math.min(good.level, level), slope: Math.max(USUAL_SLOPE, slope), otherwise }
}

type Sampled = NonNullable<Similarity['sampled']> & Pick<Reference, 'codec' | 'quality'>

/** The other encoding of an encoder with levels, if it is smaller and good enough. */
async function alternative({ otherwise }: Graded, target: Target): Promise<Written | undefined> {
  const file = await otherwise?.()
  return file && file.bytes.length < target.bytes && (await target.of(file)) >= target.similarity ? file : undefined
}

/** The next level to try; undefined if no untried one is left between a poor and a good one. */
function between(
  poor: Trial | undefined,
  good: Trial | undefined,
  goal: number,
  levels: Graded['levels'] & Pick<Start, 'slope'>,
  round: number,
): number | undefined {
  const low = poor?.level ?? levels.min - 1
  const high = good?.level ?? levels.max + 1
  if (high - low <= 1) return undefined
  if (poor && good) {
    const share = (poor.loss - goal) / (poor.loss - good.loss)
    return Math.min(high - 1, Math.max(low + 1, Math.round(low + (high - low) * share)))
  }
  const gap = Math.abs(goal - (poor ?? good ?? { loss: goal }).loss)
  const step = levels.slope === undefined ? levels.step * 2 ** round : Math.ceil(gap / levels.slope)
  // Few tries are left after the first: one level too many costs less than none that is good enough.
  const more = levels.slope === undefined ? 0 : round
  return Math.min(high - 1, Math.max(low + 1, poor ? low + step + more : high - step))
}
