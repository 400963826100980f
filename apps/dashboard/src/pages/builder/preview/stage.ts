import type { Size } from '../../playground/geometry.ts'
import type { Draft, StepPlace } from '../draft/draft.svelte.ts'
import { type DraftStep, recipeOfOutput, type SentRecipe, sentSteps, stepForm } from '../draft/draft-recipe.ts'
import { sizeAfter } from '../draft/size-after.ts'

/** How a step is set on the picture itself. */
export type Handle = 'frame' | 'point' | 'mark' | 'edges' | 'angle'

/** The picture that is shown while a step with handles is selected. */
export interface Stage {
  readonly step: DraftStep
  readonly handle: Handle
  /** Steps that are done to it. */
  readonly steps: readonly DraftStep[]
  /** The size of the picture that the step is done to; undefined where only the pixels say it. */
  readonly sizeBefore: Size | undefined
  readonly size: Size | undefined
}

/** The handle of a step; undefined for steps that have only controls. */
export function handleOf({ name, params, isOff }: DraftStep): Handle | undefined {
  if (isOff) return undefined
  switch (name) {
    case 'crop':
      return params.gravity === 'subject' && params.x === undefined ? undefined : 'frame'
    case 'resize':
      return params.fit === 'cover' && params.width !== undefined && params.height !== undefined && params.gravity !== 'subject'
        ? 'point'
        : undefined
    case 'watermark':
      return params.tile === true ? undefined : 'mark'
    case 'extend':
    case 'border':
      return 'edges'
    case 'rotate':
      return 'angle'
    default:
      return undefined
  }
}

/** A frame and a point are on the picture before the step, all other handles on its result. */
const isOnResult = (handle: Handle): boolean => handle !== 'frame' && handle !== 'point'

export function stageOf(draft: Draft, place: StepPlace, picture: Size): Stage | undefined {
  const handle = handleOf(place.step)
  if (!handle) return undefined
  const before = draft.before(place)
  const steps = isOnResult(handle) ? [...before, place.step] : before
  return { step: place.step, handle, steps, sizeBefore: sizeAfter(picture, before), size: sizeAfter(picture, steps) }
}

/** Steps without a preview are left out of it. */
const withPreview = (steps: readonly DraftStep[]): readonly DraftStep[] => steps.filter(({ name }) => stepForm(name).hasPreview)

export const stageRecipe = (steps: readonly DraftStep[]): SentRecipe => ({
  steps: sentSteps(withPreview(steps)),
  outputs: [{ format: 'webp', quality: 85 }],
})

/** One output as its preview makes it, and the steps that the preview leaves out. */
export function outputPreview(
  draft: Draft,
  output: Draft['output'],
): { readonly recipe: SentRecipe; readonly left: readonly DraftStep[] } {
  const own = { ...output, steps: withPreview(output.steps) }
  const { steps } = draft.recipe
  const left = [...steps, ...output.steps].filter(({ name, isOff }) => !isOff && !stepForm(name).hasPreview)
  return { recipe: recipeOfOutput({ steps: withPreview(steps) }, own), left }
}

/** The picture files that steps name. */
export const markNames = (steps: readonly DraftStep[]): readonly string[] => [
  ...new Set(
    steps.flatMap(({ name, params, isOff }) =>
      name === 'watermark' && !isOff && typeof params.image === 'string' ? [params.image] : [],
    ),
  ),
]
