import { codecs } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { limits } from '@pixelmill/codecs/contract/limits'
import { type FormatName, imageFormats } from '@pixelmill/codecs/image-formats'
import { z } from 'zod'
import { planRecipe } from '../recipe/plan.ts'
import { recipeSchema } from '../recipe/recipe.ts'
import { definePlannedTask, type ImageReport, imageReport, type SourceFeatures, type TaskResult } from './task.ts'

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

/** What became of features of the source, of those that it has. */
export const featuresOf = ({ hdr, contentCredentials, reversible, warnings }: WrittenImage): SourceFeatures => ({
  ...(hdr && { hdr }),
  ...(contentCredentials && { contentCredentials }),
  ...(reversible && { reversible }),
  ...(warnings.length > 0 && { warnings }),
})

/** An image that was written, as the API process sends it on. */
export interface WrittenImage extends Omit<ImageReport, 'format'> {
  readonly bytes: Buffer
  readonly codec: Codec
}

/** The image of an operation. */
export const writtenImage = ({ report, files }: TaskResult<ImageReport>): WrittenImage => imageOf(report, files[0])

/** The images of a recipe, in the order of its outputs. */
export const writtenImages = ({ report, files }: TaskResult<z.output<typeof recipe.report>>): readonly WrittenImage[] =>
  report.outputs.map((output, index) => imageOf(output, files[index]))

function imageOf({ format, ...rest }: ImageReport, bytes: Buffer | undefined): WrittenImage {
  if (!bytes) throw new Error('an output has no file')
  return { bytes, codec: codecs[format], ...rest }
}
