import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { megapixels } from '@pixelmill/codecs/pixels/header'
import { z } from 'zod'
import { planRecipe } from '../recipe/plan.ts'
import { scaledRecipe } from '../recipe/scaled.ts'
import { recipe } from './recipe.ts'
import { definePlannedTask, imageReport } from './task.ts'

/** Carries a recipe of one output out on a small copy of the picture, with its lengths scaled to it. */
export const preview = definePlannedTask({
  params: recipe.params.extend({
    /** Width of the whole picture in pixels. */
    pictureWidth: z.int().min(1).max(limits.pixels),
  }),
  report: imageReport,
  leastFiles: 1,
  mostFiles: 1,
  fileBytes: recipe.fileBytes,
  plan(source, { recipe, pictureWidth, ...doors }, writer) {
    requireSmall(megapixels(source.width, source.height, source.frames), limits.preview.pixels, 'A preview is made from a copy')
    const plan = planRecipe(scaledRecipe(recipe, Math.min(1, source.width / pictureWidth)), source, doors, writer)
    requireSmall(plan.megapixels, limits.preview.resultPixels, 'A preview is a picture')
    return plan
  },
  reportOn: ([image]) => image,
})

function requireSmall(megapixels: number, most: number, what: string): void {
  if (megapixels * 1e6 <= most) return
  throw new ImageError('image_too_large', { message: `${what} of at most ${most / 1e6} megapixels.` })
}
