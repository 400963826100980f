import { codecs } from '@pixelmill/codecs'
import { z } from 'zod'
import { choose, type Known, type Trials } from './choose.ts'
import { type Claims, contradictions, reasons } from './reasons.ts'

const format = z.enum(Object.values(codecs).map(({ name }) => name))
const count = z.int().min(1)
const savedPercent = z.number().describe('Percentage saved relative to the uploaded file; negative if the result is larger.')
const quality = z
  .int()
  .min(1)
  .max(100)
  .nullable()
  .describe(
    'The quality parameter for convert. Null if the result is lossless, the format has no quality (GIF), or the file should stay unchanged.',
  )

/** The answer for one image. */
export const recommendation = {
  filename: z.string().describe('The file name as sent.'),
  current: z
    .object({ format, width: count, height: count, bytes: count })
    .describe('Format and size detected from the contents of the file; for an animation, the size of one frame.'),
  recommended: z
    .object({ format, quality, width: count, height: count, bytes: count, savedPercent })
    .describe('The recommended encoding; the unchanged file, with `savedPercent` 0, if nothing is better.'),
  candidates: z
    .array(
      z.object({
        format,
        quality,
        bytes: count.describe('Measured by encoding the picture at the recommended size.'),
        savedPercent,
        ssim: z
          .number()
          .min(-1)
          .max(1)
          .describe('Structural similarity (SSIM) to the picture at that size; 1 if no pixel differs.'),
      }),
    )
    .describe('The encodings that were tried, best first.'),
  reasons: z.array(z.string()).describe('Explanations in sentences.'),
}

export type Recommendation = z.input<z.ZodObject<typeof recommendation>>

const savedOf = (bytes: number, of: number): number => Math.round((1 - bytes / of) * 1_000) / 10

type Tried = Trials['tried'][number]

/** Rounded down to four digits, so that a different picture never has 1. */
const similarity = (ssim: number): number => Math.floor(ssim * 10_000) / 10_000

/** Builds the answer for one image. */
export function recommend(facts: Known, claims: Claims): Recommendation {
  const { trials, bytes } = facts
  const { format, width, height } = trials
  const choice = choose(facts)
  const trialAnswer = ({ format, quality, bytes: size }: Tried) => ({
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
      ? { ...trialAnswer(chosen), width: trials.trialWidth, height: trials.trialHeight }
      : { format, quality: null, width, height, bytes, savedPercent: 0 },
    candidates: choice.ranked.map((trial) => ({ ...trialAnswer(trial), ssim: similarity(trial.ssim) })),
    reasons: [...reasons(facts, choice), ...contradictions(claims, bytes, trials)],
  }
}
