import type { Picture } from './picture.ts'
import { stages } from './picture.ts'
import { atPlace } from './place.ts'
import type { Plan } from './plan.ts'
import type { NamedStep } from './recipe.ts'
import { settle } from './settle.ts'
import type { Context, StepRow } from './step.ts'
import { steps } from './steps/index.ts'

/** Where a list of steps stands: in which plan, with which further files, and at which place of the recipe. */
export interface StepsPlace {
  readonly plan: Plan
  readonly files: readonly Buffer[]
  readonly place: readonly (string | number)[]
}

/**
 * Adds steps to a pipeline, and decodes between two that libvips would not do in this order.
 * @throws ImageError invalid_params for a size that only the pixels tell, and what the steps throw
 */
export async function applySteps(
  start: Picture,
  list: readonly NamedStep[],
  { plan, files, place }: StepsPlace,
): Promise<Picture> {
  const context = contextOf(plan, start, files)
  let picture = start
  for (const [index, { name, params }] of list.entries()) {
    const row: StepRow = steps[name]
    if (stages.indexOf(picture.stage) > stages.indexOf(row.from)) picture = (await settle(picture)).picture()
    try {
      const after = row.plan(picture.canvas, params)
      const outcome = await row.apply(picture, params, { ...context, after })
      const { pixels, width, height, placement } = { ...after, ...('pixels' in outcome ? outcome : { pixels: outcome }) }
      const placements = placement ? [...picture.placements, placement] : picture.placements
      const canvas = { ...after, width, height }
      picture = { ...picture, pixels, samples: undefined, canvas, stage: row.to(params), placements }
    } catch (error) {
      throw atPlace([...place, index, name], error)
    }
  }
  return picture
}

function contextOf({ outputs, files: names }: Plan, { header }: Picture, files: readonly Buffer[]): Omit<Context, 'after'> {
  return {
    transparent: outputs.some(({ codec }) => codec.alpha),
    deep: header.deep && outputs.some(({ keepDepth, codec }) => keepDepth && codec.deep),
    file(name) {
      const bytes = files[names.indexOf(name)]
      if (!bytes) throw new Error(`a step reads the file ${name}, which was not sent`)
      return bytes
    },
  }
}
