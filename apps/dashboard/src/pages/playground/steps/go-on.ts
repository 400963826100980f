import type { Value } from '../field-form.svelte.ts'
import type { Size } from '../geometry.ts'
import type { OperationForm } from '../operation-form.svelte.ts'
import { Chain, chain, type StepName } from './chain.svelte.ts'

type Values = Readonly<Record<string, Value>>
type FirstStep = readonly [name: StepName, values: Values]

/** Makes the settings of an operation the first steps of the chain: its result becomes the input of the next step. */
export const goOnFrom = (form: OperationForm, picture: Size): void => fill(chain, form, picture)

/** Never shown. */
const nextChain = new Chain()

/** The settings of an operation as a recipe. */
export function recipeOf(form: OperationForm, picture: Size): ReturnType<Chain['recipe']> {
  fill(nextChain, form, picture)
  return nextChain.recipe()
}

function fill(target: Chain, { name, values }: OperationForm, picture: Size): void {
  const { format, quality, visualQuality, maxBytes, effort, ...others } = values
  target.begin(stepsOf(name, others), picture)
  Object.assign(target.output.values, { format: format ?? 'same', quality, visualQuality, maxBytes, effort })
}

function stepsOf(name: OperationForm['name'], values: Values): readonly FirstStep[] {
  if (name === 'optimize' || name === 'watermark') return []
  if (name !== 'convert') return [[name, values]]
  const { rotate, blur, grayscale, ...box } = values
  const isResized = box.width !== undefined || box.height !== undefined
  return [
    ...(rotate ? [['rotate', { angle: rotate }] as const] : []),
    ...(isResized ? [['resize', box] as const] : []),
    ...(blur === undefined ? [] : [['blur', { sigma: blur }] as const]),
    ...(grayscale ? [['grayscale', {}] as const] : []),
  ]
}
