import { z } from 'zod'
import { codecs } from '../../codecs/index.ts'
import { choose, type Known, type Trials } from './choose.ts'
import { type Claims, contradictions, reasons } from './reasons.ts'

const format = z.enum(Object.values(codecs).map(({ name }) => name))
const count = z.int().min(1)
const savedPercent = z.number().describe('Of the bytes of the file as it came; negative where it grows.')
const quality = z
  .int()
  .min(1)
  .max(100)
  .nullable()
  .describe('As convert takes it. Null: without loss, or (GIF) the format has none, or the file stays as it is.')

/** The answer for one image. */
export const recommendation = {
  filename: z.string().describe('As it was sent.'),
  current: z
    .object({ format, width: count, height: count, bytes: count })
    .describe('What the file is, by its bytes; of an animation, the size of one frame.'),
  recommended: z
    .object({ format, quality, width: count, height: count, bytes: count, savedPercent })
    .describe('The file as it is, with `savedPercent` 0, where nothing is better.'),
  candidates: z
    .array(
      z.object({
        format,
        quality,
        bytes: count.describe('Measured: the picture was written at the recommended size.'),
        savedPercent,
        ssim: z.number().min(-1).max(1).describe('Structural similarity to the picture at that size; 1 where no pixel differs.'),
      }),
    )
    .describe('What was tried, best first.'),
  reasons: z.array(z.string()).describe('Sentences for people.'),
}

export type Recommendation = z.input<z.ZodObject<typeof recommendation>>

const savedOf = (bytes: number, of: number): number => Math.round((1 - bytes / of) * 1_000) / 10

type Tried = Trials['tried'][number]

/** Rounded down to four digits, so that a different picture never has 1. */
const similarity = (ssim: number): number => Math.floor(ssim * 10_000) / 10_000

/** Builds the answer for one image. */
export function recommend(known: Known, claims: Claims): Recommendation {
  const { trials, bytes } = known
  const { format, width, height } = trials
  const choice = choose(known)
  const written = ({ format, quality, bytes: size }: Tried) => ({
    format,
    quality,
    bytes: size,
    savedPercent: savedOf(size, bytes),
  })
  const { chosen } = choice
  return {
    filename: claims.filename,
    current: { format, width, height, bytes },
    recommended: chosen
      ? { ...written(chosen), width: trials.trialWidth, height: trials.trialHeight }
      : { format, quality: null, width, height, bytes, savedPercent: 0 },
    candidates: choice.ranked.map((tried) => ({ ...written(tried), ssim: similarity(tried.ssim) })),
    reasons: [...reasons(known, choice), ...contradictions(claims, bytes, trials)],
  }
}
