import type { StepForm } from '../../../api/image-operation.ts'
import type { paths } from '../../../api/schema.d.ts'
import { stepForms } from '../../../api/step-forms.ts'
import { outputFields } from './output-fields.ts'

export type StepName = keyof typeof stepForms
export type Params = Readonly<Record<string, unknown>>

/** A step while it is edited. */
export interface DraftStep {
  /** Stays the same while the step is moved and changed. */
  readonly id: number
  readonly name: StepName
  readonly params: Params
  /** Switched off: in the list, but not in the recipe. */
  readonly isOff: boolean
}

export interface DraftOutput {
  readonly id: number
  /** Name, format and all else but the steps. */
  readonly settings: Params
  readonly steps: readonly DraftStep[]
}

/** A recipe while it is edited. A change makes a new one, so that undoing is going back to an earlier value. */
export interface DraftRecipe {
  readonly steps: readonly DraftStep[]
  readonly outputs: readonly DraftOutput[]
}

/** A step as it is sent: an object with one key. */
export type SentStep = Readonly<Record<string, Params>>

export interface SentRecipe {
  readonly steps: readonly SentStep[]
  readonly outputs: readonly Params[]
}

/** The endpoint that carries out a recipe. */
export const recipePath = '/api/v3/images' satisfies keyof paths

const forms: Readonly<Record<StepName, StepForm>> = stepForms

export const stepForm = (name: StepName): StepForm => forms[name]

/** Labels of the steps: what people call them, where the table's own word says only one of two uses. */
export const stepLabels: Readonly<Record<StepName, string>> = {
  ...(Object.fromEntries(Object.entries(forms).map(([name, { label }]) => [name, label])) as Record<StepName, string>),
  watermark: 'Watermark',
}

let lastId = 0
const nextId = (): number => ++lastId

export const newStep = (name: StepName, params: Params): DraftStep => ({ id: nextId(), name, params, isOff: false })

export const newOutput = (settings: Params, steps: readonly DraftStep[] = []): DraftOutput => ({ id: nextId(), settings, steps })

/** A recipe that does nothing yet. */
export const emptyRecipe = (): DraftRecipe => ({ steps: [], outputs: [newOutput({ format: 'same' })] })

/** The same step, or output with its steps, under new identities. */
export const copyOfStep = (step: DraftStep): DraftStep => ({ ...step, id: nextId() })
export const copyOfOutput = (output: DraftOutput): DraftOutput => ({
  ...output,
  id: nextId(),
  steps: output.steps.map(copyOfStep),
})

export const sentSteps = (steps: readonly DraftStep[]): readonly SentStep[] =>
  steps.filter(({ isOff }) => !isOff).map(({ name, params }) => ({ [name]: params }))

/** The recipe as it is sent: without the steps that are off. */
export const sentRecipe = ({ steps, outputs }: DraftRecipe): SentRecipe => ({
  steps: sentSteps(steps),
  outputs: outputs.map(sentOutput),
})

export function sentOutput({ settings, steps }: DraftOutput): Params {
  const own = sentSteps(steps)
  return { ...settings, ...(own.length > 0 && { steps: own }) }
}

/** One of the outputs, as a recipe by itself. */
export const recipeOfOutput = ({ steps }: Pick<DraftRecipe, 'steps'>, output: DraftOutput): SentRecipe => ({
  steps: sentSteps(steps),
  outputs: [sentOutput(output)],
})

/**
 * The draft of a recipe as it is sent or kept. Steps and outputs at the places of earlier ones keep their identities, by which they
 * stay selected.
 * @returns undefined where it has not the shape of a recipe: only the server can say what is wrong
 */
export function draftOf(json: unknown, earlier: DraftRecipe = { steps: [], outputs: [] }): DraftRecipe | undefined {
  if (!isObject(json)) return undefined
  const { steps = [], outputs = [{}], ...others } = json
  if (Object.keys(others).length > 0 || !Array.isArray(outputs) || outputs.length === 0) return undefined
  const sharedSteps = draftSteps(steps, earlier.steps)
  const drafts = outputs.map((output, nth) => draftOutput(output, earlier.outputs[nth]))
  if (!sharedSteps || drafts.includes(undefined)) return undefined
  return { steps: sharedSteps, outputs: drafts as readonly DraftOutput[] }
}

function draftOutput(json: unknown, earlier: DraftOutput | undefined): DraftOutput | undefined {
  if (!isObject(json)) return undefined
  const { steps = [], ...settings } = json
  const own = draftSteps(steps, earlier?.steps ?? [])
  if (!own) return undefined
  const { format = 'same', name, ...others } = withoutDefaults(settings, outputFields)
  return { id: earlier?.id ?? nextId(), settings: { ...(name !== undefined && { name }), format, ...others }, steps: own }
}

function draftSteps(json: unknown, earlier: readonly DraftStep[]): readonly DraftStep[] | undefined {
  if (!Array.isArray(json)) return undefined
  const steps = json.map((each, nth) => draftStep(each, earlier[nth]))
  return steps.includes(undefined) ? undefined : (steps as readonly DraftStep[])
}

function draftStep(json: unknown, earlier: DraftStep | undefined): DraftStep | undefined {
  if (!isObject(json)) return undefined
  const [[name, params] = ['', undefined], ...others] = Object.entries(json)
  if (others.length > 0 || !(name in forms) || !isObject(params)) return undefined
  const stepName = name as StepName
  const id = earlier?.name === name ? earlier.id : nextId()
  return { id, name: stepName, params: withoutDefaults(params, forms[stepName].fields), isOff: false }
}

/** What is said by default is not said: kept recipes have all of it. */
const withoutDefaults = (params: Params, fields: StepForm['fields']): Params =>
  Object.fromEntries(Object.entries(params).filter(([name, value]) => fields[name]?.default !== value))

const isObject = (value: unknown): value is Params => typeof value === 'object' && value !== null && !Array.isArray(value)
