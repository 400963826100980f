import type { Sharp } from 'sharp'
import type { Attempt, Codec } from '../codecs/codec.ts'
import type { Encoded } from './encode.ts'
import { type Likeness, likenessTo } from './likeness.ts'
import { searchLevel } from './search-level.ts'

interface Judged {
  readonly pixels: Sharp
  readonly codec: Codec
  readonly quality: number
  readonly grey: boolean
  readonly alpha: boolean
  readonly frames: number
  /** Milliseconds of each frame of an animation. */
  readonly delay: readonly number[] | undefined
}

/** A file that changes pixels must be smaller by this part: else each round of optimizing would cost some likeness for nothing. */
const WORTH = 0.05

/**
 * The smallest of a file and what the attempts make of it, among those that look as good as the quality promises; at 100
 * only what changes no pixel.
 */
export async function smallest(untouched: Encoded, attempts: readonly Attempt[], judged: Judged): Promise<Encoded> {
  const { codec, quality } = judged
  let judge: Promise<Likeness> | undefined
  const likeness = () => {
    judge ??= likenessTo(judged.pixels, judged)
    return judge
  }
  // Attempts decode the picture; where there is none, this finds a damaged file.
  if (attempts.length === 0) await likeness()
  let promise: Promise<number> | undefined
  const promised = () => {
    promise ??= quality === 100 ? Promise.resolve(1) : likeness().then((one) => one.promised(quality))
    return promise
  }
  const lossyBytes = Math.floor(untouched.bytes.length * (1 - WORTH))
  let best = untouched
  for (const attempt of attempts) {
    if (typeof attempt === 'function') {
      const tried = await attempt(best.bytes.length)
      if (!tried || tried.bytes.length >= best.bytes.length) continue
      const alike = await (await likeness()).of(tried.bytes, codec)
      if (alike === 1 || (tried.bytes.length <= lossyBytes && alike >= (await promised()))) best = { ...tried, codec }
    } else {
      const bytes = Math.min(best.bytes.length, lossyBytes + 1)
      const { of } = await likeness()
      const demand = { bytes, likeness: await promised(), of: (one: { readonly bytes: Buffer }) => of(one.bytes, codec) }
      const found = await searchLevel(attempt, demand)
      if (found) best = { ...found, codec }
    }
  }
  return best
}
