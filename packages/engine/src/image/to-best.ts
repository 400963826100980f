import type { Encoded, EncodeJob } from './encode.ts'
import { fallsShort, type Prediction } from './level-search.ts'
import { openTargetEncoder, type Target, type TargetEncoder } from './to-target.ts'

/** Tiles on which formats are compared: their bytes must be right within some per cent. */
const SAMPLE_TILES = 32

/**
 * The fewest bytes at a score among several formats. Each is tried on a sample of the picture, and the one whose file will be the
 * smallest is written.
 * @param jobs one for each format, at least one; a format without scores, such as PNG, is lossless
 * @throws ImageError cannot_fit
 */
export async function encodeToBest(
  jobs: readonly EncodeJob[],
  target: Target & { readonly visualQuality: number },
): Promise<Encoded> {
  const { visualQuality, maxBytes, beside = 0 } = target
  const candidates: Candidate[] = []
  using encoders = new DisposableStack()
  for (const job of jobs) {
    const encoder = encoders.use(await openTargetEncoder(job, SAMPLE_TILES))
    candidates.push(await candidateOf(encoder, visualQuality))
  }
  const [first] = candidates
  if (!first) throw new Error('the format best without formats to choose from')
  const bySize = candidates
    .filter(({ prediction }) => prediction === undefined || !fallsShort(prediction.score, visualQuality))
    .toSorted((one, other) => one.bytes - other.bytes)
  let exact: Encoded | undefined
  let highest: Encoded | undefined
  // A file may fall short of what its sample has promised; then the next format is written.
  for (const { encoder, prediction } of bySize.length > 0 ? bySize : [first]) {
    if (!prediction) {
      exact = await encoder.encodeExactly()
      if (exact.bytes.length + beside <= (maxBytes ?? Number.POSITIVE_INFINITY)) return exact
      continue
    }
    const file = await encoder.encode({ visualQuality, maxBytes, beside }, prediction)
    if (maxBytes !== undefined || !fallsShort(file.score ?? visualQuality, visualQuality)) return file
    if (!highest || (file.score ?? 0) > (highest.score ?? 0)) highest = file
  }
  return highest ?? (await first.encoder.encode({ maxBytes, beside }, undefined))
}

interface Candidate {
  readonly encoder: TargetEncoder
  /** Estimated size of the file. */
  readonly bytes: number
  /** The level that reaches the score, or falls short of it least; absent where the format is lossless. */
  readonly prediction?: Prediction
}

async function candidateOf(encoder: TargetEncoder, visualQuality: number): Promise<Candidate> {
  if (!encoder.hasScores) return { encoder, bytes: await encoder.estimateExactBytes() }
  const prediction = await encoder.predict(visualQuality)
  return { encoder, prediction, bytes: prediction.bytes }
}
