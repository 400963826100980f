import type { Value } from '../../playground/field-form.svelte.ts'
import type { OperationForm } from '../../playground/operation-form.svelte.ts'
import { type DraftRecipe, draftOf, type Params, type SentRecipe, type SentStep, sentRecipe, stepForm } from './draft-recipe.ts'
import { draftFor } from './drafts.svelte.ts'

type Values = Readonly<Record<string, Value>>

/** Makes the settings of an operation the first steps of the builder's recipe. One step back leads to what it was. */
export function goOnFrom(form: OperationForm, account: string | undefined): void {
  const draft = draftFor(undefined, account)
  const recipe = draftFrom(form)
  draft.replace(recipe)
  draft.select(recipe.steps.at(-1)?.id)
}

/** The settings of an operation as a recipe. */
export const recipeOf = (form: OperationForm): SentRecipe => sentRecipe(draftFrom(form))

function draftFrom({ name, values }: OperationForm): DraftRecipe {
  const { format = 'same', quality, visualQuality, maxBytes, effort, ...others } = values
  const output = saidParams({ format, quality, visualQuality, maxBytes, effort })
  const recipe = draftOf({ steps: stepsOf(name, others), outputs: [output] })
  if (!recipe) throw new Error(`the settings of ${name} are no recipe`)
  return recipe
}

const saidParams = (values: Values): Params =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''))

function stepsOf(name: OperationForm['name'], values: Values): readonly SentStep[] {
  if (name === 'optimize' || name === 'watermark') return []
  if (name !== 'convert') {
    // An operation has fields of the file too, which are no parameters of the step.
    const { fields } = stepForm(name)
    return [{ [name]: saidParams(Object.fromEntries(Object.entries(values).filter(([field]) => field in fields))) }]
  }
  const { rotate, blur, grayscale, width, height, fit, gravity } = values
  const isResized = width !== undefined || height !== undefined
  return [
    ...(rotate ? [{ rotate: { angle: rotate } }] : []),
    ...(isResized ? [{ resize: saidParams({ width, height, fit, gravity }) }] : []),
    ...(blur === undefined ? [] : [{ blur: { sigma: blur } }]),
    ...(grayscale ? [{ grayscale: {} }] : []),
  ]
}
