import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import type { z } from 'zod'
import { type Plan, planRecipe, type WorkRecipe } from '../recipe/plan.ts'
import type { NamedStep } from '../recipe/recipe.ts'
import { FILE_BYTES } from './recipe.ts'
import { imageReport, type PlannedTask } from './task.ts'

/** A task with an endpoint: POST /api/v1/<name>, which returns the image that the task writes. */
export interface Operation<Params extends z.ZodObject = z.ZodObject> extends PlannedTask<Params, typeof imageReport> {
  readonly summary: string
  readonly description: string
  /** Form fields with files, the image first. */
  readonly files: readonly ('image' | 'watermark')[]
  /** The file name of the answer is <stem>.<extension>. */
  readonly stem: string
  /** What the form means, as a recipe of one output. */
  recipe(params: z.output<Params>): WorkRecipe
}

type OperationRow<Params extends z.ZodObject> = Pick<
  Operation<Params>,
  'summary' | 'description' | 'params' | 'files' | 'stem' | 'recipe'
>

/** The task of a form for a recipe: its result is the only file. */
export const defineOperation = <Params extends z.ZodObject>({ recipe, ...row }: OperationRow<Params>): Operation<Params> => ({
  ...row,
  report: imageReport,
  leastFiles: 1,
  mostFiles: 1,
  fileBytes: FILE_BYTES,
  recipe,
  plan: (source, params, programs) =>
    inForm(() => planRecipe(recipe(params), source, { files: row.files.slice(1), accepts: [], allows: [] }, programs)),
  reportOn: ([image]) => image,
})

function inForm(plan: () => Plan): Plan {
  try {
    return plan()
  } catch (error) {
    throw ofForm(error)
  }
}

/** An error of a recipe, with the names of a form's fields in place of places in the recipe. */
export function ofForm(error: unknown): unknown {
  if (!(error instanceof ImageError && error.issues)) return error
  const issues = error.issues.map((issue) => ({ ...issue, path: issue.path.slice(-1) }))
  // A step's sentences say which fields they are about.
  const isOfStep = error.issues[0]?.path[0] === 'steps'
  const sentences = issues.map(({ path: [field], message }) => (isOfStep ? message : `${field}: ${message}`))
  return new ImageError(error.code, { issues, message: sentences.join(' ') })
}

/** The recipe of a form: steps, and one output. */
export const oneOutput = (steps: readonly NamedStep[], output: Partial<WorkRecipe['outputs'][number]>): WorkRecipe => ({
  steps: steps.map(({ name, params }) => ({ [name]: params })),
  outputs: [{ name: 'image', steps: [], format: 'same', dpr: 1, metadata: 'none', icc: 'srgb', hdr: 'keep', ...output }],
})
