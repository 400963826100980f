import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import { limits } from '../contract/limits.ts'
import { type Header, megapixels } from '../image/header.ts'
import { planRecipe } from '../recipe/plan.ts'
import { scaledRecipe } from '../recipe/scaled.ts'
import { filesOf, recipe } from './recipe.ts'
import { defineTask, imageReport } from './task.ts'

/** Carries a recipe of one output out on a small copy of the picture, with its lengths scaled to it. */
export const preview = defineTask({
  params: recipe.params.extend({
    /** Width of the whole picture in pixels. */
    pictureWidth: z.int().min(1).max(limits.pixels),
  }),
  report: imageReport,
  leastFiles: 1,
  mostFiles: 1,
  fileBytes: recipe.fileBytes,
  plan(source, { recipe, pictureWidth, ...doors }, writer) {
    requireSmall(source, limits.preview.pixels, 'A preview is made from a copy')
    const plan = planRecipe(scaledRecipe(recipe, Math.min(1, source.width / pictureWidth)), source, doors, writer)
    if (plan.megapixels * 1e6 > limits.preview.resultPixels) throw tooLarge(limits.preview.resultPixels, 'A preview is a picture')
    return plan
  },
  async run(image, _params, others, plan) {
    const { reports, ...result } = await filesOf(image, others, plan)
    const [report] = reports
    if (!report) throw new Error('a preview wrote no image')
    return { report, ...result }
  },
})

function requireSmall({ width, height, frames }: Header, most: number, what: string): void {
  if (megapixels(width, height, frames) * 1e6 > most) throw tooLarge(most, what)
}

const tooLarge = (most: number, what: string) =>
  new ApiError('image_too_large', { message: `${what} of at most ${most / 1e6} megapixels.` })
