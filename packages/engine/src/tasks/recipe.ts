import { limits } from '@pixelmill/codecs/contract/limits'
import { type FormatName, imageFormats } from '@pixelmill/codecs/image-formats'
import { z } from 'zod'
import { planRecipe } from '../recipe/plan.ts'
import { recipeSchema } from '../recipe/recipe.ts'
import { definePlannedTask, imageReport } from './task.ts'

/** 80 megapixels of 64 bits, not compressed at all, are 640 MB. */
export const FILE_BYTES = 1024 * 1024 * 1024

const formats = z.array(z.enum(Object.keys(imageFormats) as [FormatName, ...FormatName[]]))

/** Carries a recipe out: one file for each output, in their order. */
export const recipe = definePlannedTask({
  params: z.object({
    recipe: recipeSchema,
    /** Names of the further files. */
    files: z.array(z.string()),
    /** Formats that the caller names, and those that it does not refuse. */
    accepts: formats,
    allows: formats,
  }),
  report: z.object({ outputs: z.array(imageReport).min(1).max(limits.recipe.outputs) }),
  leastFiles: 1,
  mostFiles: limits.recipe.outputs,
  fileBytes: FILE_BYTES,
  plan: (source, { recipe, ...doors }, programs) => planRecipe(recipe, source, doors, programs),
  reportOn: (images) => ({ outputs: [...images] }),
})
