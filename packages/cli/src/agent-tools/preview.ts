import { CodedError } from '@pixelmill/codecs/contract/image-errors'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'

/** Models see pictures in about this size, and pay for their pixels. */
const LONG_SIDE = 512
const MOST_BYTES = 32 * 1024

/** A small JPEG that a model can look at. */
export const previewRecipe = recipeSchema.parse({
  steps: [{ resize: { width: LONG_SIDE, height: LONG_SIDE, enlarge: false } }],
  outputs: [{ format: 'jpeg', maxBytes: MOST_BYTES }],
})

/** A preview, or undefined where there can be none, since the result itself is made. @param render carries out `previewRecipe` */
export async function previewOr(render: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> {
  try {
    return await render()
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}
