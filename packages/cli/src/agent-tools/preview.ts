import { acceptedBy } from '@pixelmill/codecs/accept'
import { ApiError } from '@pixelmill/codecs/contract/api-error'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import type { TaskRunner } from '@pixelmill/engine/rendering/pool'
import { writtenImages } from '@pixelmill/engine/tasks/recipe'

/** Models see pictures in about this size, and pay for their pixels. */
const LONG_SIDE = 512
const MOST_BYTES = 32 * 1024

const small = recipeSchema.parse({
  steps: [{ resize: { width: LONG_SIDE, height: LONG_SIDE, enlarge: false } }],
  outputs: [{ format: 'jpeg', maxBytes: MOST_BYTES }],
})

/** A small JPEG that a model can look at; undefined where there can be none, since the result itself is made. */
export async function previewOf(pool: TaskRunner, image: Buffer, signal: AbortSignal): Promise<Buffer | undefined> {
  try {
    const params = { recipe: small, files: [], ...acceptedBy(undefined) }
    return writtenImages(await pool.run('recipe', params, [[image]], signal))[0]?.bytes
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
