import { codecs } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { limits } from '@pixelmill/codecs/contract/limits'
import { pipelineOf, readStrip } from '@pixelmill/codecs/pixels/strip'
import { valueAt } from '@pixelmill/codecs/scales'
import { type Edited, type Encoded, encode } from './encode.ts'
import { encodeFound, encodeToTarget, fallsShort, openSearch, type Search, type Target, type Trial } from './to-target.ts'

/**
 * The fewest bytes at a score among several formats. Each is tried on a sample of the picture, and the one whose file will be the
 * smallest is written. Without `visualQuality` the score is the one that photographs have in JPEG at `quality`.
 * @param formats at least one; without scores, such as PNG, it is lossless
 * @throws ApiError cannot_fit
 */
export async function encodeToBest(edited: Omit<Edited, 'codec'>, formats: readonly Codec[], target: Target): Promise<Encoded> {
  const { quality = limits.quality.default, maxBytes = Number.POSITIVE_INFINITY, beside = 0 } = target
  const visualQuality = target.visualQuality ?? scoreOf(quality)
  const { frames, header } = edited
  const strip = await readStrip(edited.pixels, frames, header.deep && edited.keepDepth)
  const found: Candidate[] = []
  for (const codec of formats) {
    const candidate = await tried({ ...edited, codec, pixels: pipelineOf(strip) }, visualQuality)
    if (candidate) found.push(candidate)
  }
  const [best] = found.toSorted((one, other) => one.bytes - other.bytes)
  const [codec = codecs.png] = formats
  // No format reaches the score.
  if (!best)
    return encodeToTarget({ ...edited, codec, pixels: pipelineOf(strip) }, { visualQuality, maxBytes: target.maxBytes, beside })
  if (best.reached) return encodeFound(best.search, { visualQuality, maxBytes: target.maxBytes, beside }, best.reached)
  const exact = await encode({ ...edited, codec: best.search.codec, pixels: best.search.pixels(), quality: undefined })
  if (exact.bytes.length + beside <= maxBytes) return { ...exact, score: 100 }
  const scored = found.filter(({ reached }) => reached).toSorted((one, other) => one.bytes - other.bytes)[0]
  return encodeFound(scored?.search ?? best.search, { ...(scored && { visualQuality }), maxBytes, beside }, scored?.reached)
}

/** The score of photographs at a quality. */
const scoreOf = (quality: number): number => {
  const { scores, of } = codecs.jpeg.levels ?? {}
  if (!scores || !of) throw new Error('JPEG has no scores')
  return valueAt(scores, of(quality, { megapixels: 1, animation: undefined }))
}

interface Candidate {
  readonly search: Search
  /** Estimated size of the file. */
  readonly bytes: number
  /** Absent where the format is lossless. */
  readonly reached?: Trial
}

/** Undefined where the format does not reach the score. */
async function tried(edited: Edited, visualQuality: number): Promise<Candidate | undefined> {
  const search = await openSearch(edited)
  const { levels, onSample, sample } = search
  if (!levels.scores) return { search, bytes: (await onSample(levels.max)).bytes.length / sample.share }
  const reached = await search.reach(visualQuality)
  if (fallsShort(reached, visualQuality)) return undefined
  return { search, reached, bytes: (await onSample(reached.level)).bytes.length / sample.share }
}
