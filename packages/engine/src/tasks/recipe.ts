import { codecs } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { limits } from '@pixelmill/codecs/contract/limits'
import { ofTheFile } from '@pixelmill/codecs/contract/warnings'
import { type FormatName, imageFormats } from '@pixelmill/codecs/image-formats'
import { type Colours, type Image, openImage } from '@pixelmill/codecs/pixels/open'
import { z } from 'zod'
import { type Plan, planRecipe } from '../recipe/plan.ts'
import { recipeSchema } from '../recipe/recipe.ts'
import { renderRecipe } from '../recipe/render.ts'
import { defineTask, imageReport, type SourceFeatures, type TaskResult, type ToFinish } from './task.ts'

/** 80 megapixels of 64 bits, not compressed at all, are 640 MB. */
export const FILE_BYTES = 1024 * 1024 * 1024

const formats = z.array(z.enum(Object.keys(imageFormats) as [FormatName, ...FormatName[]]))

/** Carries a recipe out: one file for each output, in their order. */
export const recipe = defineTask({
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
  async run(image, _params, others, plan) {
    const { reports, ...result } = await filesOf(image, others, plan)
    return { report: { outputs: reports }, ...result }
  },
})

type Report = z.output<typeof imageReport>

/** Carries out the plan of any task: the files, and what is said of each. */
export async function filesOf(image: Image, others: readonly Buffer[], plan: Plan | undefined) {
  if (!plan) throw new Error('a recipe was run without its plan')
  const { source, header } = image
  const again = (colours: Colours) => openImage(source, header, plan.opened, colours)
  const encoded = await renderRecipe(plan, image, again, others)
  const files = encoded.map(({ bytes }) => bytes)
  const finish: ToFinish[] = []
  const reports: Report[] = []
  for (const [file, { codec, bytes: _, untouched, finish: rest, gainMap, ...known }] of encoded.entries()) {
    reports.push({
      format: codec.name,
      warnings: image.warnings.filter((warning) => !untouched || ofTheFile.includes(warning)),
      ...known,
    })
    if (!rest || !codec.finish) continue
    const { quality, otherwise } = rest
    finish.push({
      ...{ program: codec.finish, file, quality },
      ...(otherwise && { otherwise: files.push(otherwise) - 1 }),
      ...(gainMap && { gainMap: { file: files.push(gainMap.upright) - 1, values: gainMap.values } }),
    })
  }
  return { reports, files, ...(finish.length > 0 && { finish }) }
}

/** As `filesOf`, for a plan of one output. */
export async function fileOf(image: Image, others: readonly Buffer[], plan: Plan | undefined) {
  const { reports, ...result } = await filesOf(image, others, plan)
  const [report] = reports
  if (!report) throw new Error('a plan of one output wrote no image')
  return { report, ...result }
}

/** What became of features of the source, of those that it has. */
export const featuresOf = ({ hdr, contentCredentials, reversible, warnings }: WrittenImage): SourceFeatures => ({
  ...(hdr && { hdr }),
  ...(contentCredentials && { contentCredentials }),
  ...(reversible && { reversible }),
  ...(warnings.length > 0 && { warnings }),
})

/** An image that was written, as the API process sends it on. */
export interface WrittenImage extends Omit<Report, 'format'> {
  readonly bytes: Buffer
  readonly codec: Codec
}

/** The image of an operation. */
export const writtenImage = ({ report, files }: TaskResult<Report>): WrittenImage => written(report, files[0])

/** The images of a recipe, in the order of its outputs. */
export const writtenImages = ({ report, files }: TaskResult<z.output<typeof recipe.report>>): readonly WrittenImage[] =>
  report.outputs.map((output, index) => written(output, files[index]))

function written({ format, ...rest }: Report, bytes: Buffer | undefined): WrittenImage {
  if (!bytes) throw new Error('an output has no file')
  return { bytes, codec: codecs[format], ...rest }
}
