import { type Issue, invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { atPlace } from './place.ts'
import type { WorkRecipe } from './plan.ts'
import { type NamedStep, namedSteps } from './recipe.ts'
import type { StepRow } from './step.ts'
import { steps } from './steps/index.ts'

/**
 * The recipe for a smaller copy of the picture: lengths and numbers of bytes become smaller with it.
 * @param factor width of the copy divided by that of the picture; at most 1
 * @throws ImageError invalid_params for a step without a preview
 */
export function scaledRecipe(recipe: WorkRecipe, factor: number): WorkRecipe {
  const list = (stepsSent: WorkRecipe['steps'], place: Issue['path']) =>
    namedSteps(stepsSent).flatMap((step, index) => scaledStep(step, factor, [...place, index]))
  return {
    steps: list(recipe.steps, ['steps']),
    outputs: recipe.outputs.map((output, index) => ({
      ...output,
      steps: list(output.steps, ['outputs', index, 'steps']),
      ...(output.maxBytes !== undefined && { maxBytes: Math.max(1, Math.round(output.maxBytes * factor ** 2)) }),
    })),
  }
}

/** The step as it is sent; none where it would change less than it can say, such as a blur by a fraction of a pixel. */
function scaledStep({ name, params }: NamedStep, factor: number, place: Issue['path']): WorkRecipe['steps'] {
  const row: StepRow = steps[name]
  if (!row.lengths) throw atPlace(place, invalidParam(name, 'custom', 'This step has no preview.'))
  const lengths = Object.entries(params).flatMap(([parameter, value]) => {
    const kind = row.lengths?.[parameter]
    return kind && typeof value === 'number' ? [[parameter, scaledLength(value, kind, factor)]] : []
  })
  const scaledParams = { ...params, ...Object.fromEntries(lengths) }
  return row.params.safeParse(scaledParams).success ? [{ [name]: scaledParams }] : []
}

/** Rounded down, so that a region stays inside its picture; what is seen does not vanish. */
const scaledLength = (value: number, kind: 'whole' | 'any', factor: number): number =>
  kind === 'any' ? value * factor : value === 0 ? 0 : Math.max(1, Math.floor(value * factor))
