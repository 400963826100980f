import { codecs } from '@pixelmill/codecs'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import { NOT_SEPARABLE_WITHOUT_MODEL } from '@pixelmill/vision/inference/known-models'
import type { MaskModel } from '@pixelmill/vision/inference/predict-mask'
import { z } from 'zod'
import type { Pool } from '../rendering/pool.ts'

export const cutOutOptions = z.strictObject({
  format: z.enum(['png', 'webp']).default('png'),
  minConfidence: z.number().min(0).max(1).default(0.7),
})

type Request = z.output<typeof cutOutOptions>

/** @throws ImageError invalid_params */
export const cutOutRequest = (options: unknown): Request => parseJson(cutOutOptions, options)

/**
 * The subject of a picture on transparency: by the model where there is one and it sees a subject, else by colours and edges.
 * @throws ImageError; the signal's reason
 */
export async function cutOut(
  pool: Pick<Pool, 'run'>,
  model: MaskModel | undefined,
  source: Buffer,
  { format, minConfidence }: Request,
  signal: AbortSignal,
) {
  const answer = model && (await pool.run('modelCutOut', { format, model }, [[source]], signal, 'background').catch(ofModel))
  const [cutByModel] = answer?.files ?? []
  const codec = codecs[format]
  if (answer && cutByModel) return { ...answer.report, bytes: cutByModel, codec, remover: 'model' as const }
  const least = answer?.report.alreadyCutOut ? 0 : minConfidence
  const { report, files } = await pool.run('background', { format, least }, [[source]], signal, 'background')
  const [bytes] = files
  if (bytes) return { ...report, bytes, codec, remover: 'local' as const }
  throw new ImageError('background_not_separable', {
    facts: { confidence: report.confidence },
    message: model ? undefined : NOT_SEPARABLE_WITHOUT_MODEL,
  })
}

/** What the renderer of models says of one that fails has no path. */
function ofModel(error: unknown): never {
  if (error instanceof ImageError && error.code === 'conversion_failed' && typeof error.cause === 'string')
    throw new ImageError('conversion_failed', { message: `The model failed: ${error.cause}.`, cause: error.cause })
  throw error
}
