import type { ApiFailure } from '../../../api/api-failure.ts'
import type { DraftOutput, DraftRecipe, DraftStep } from '../draft/draft-recipe.ts'

/** What is wrong with the parameters of one step, as controls ask for it. */
export interface StepFaults {
  /** The message for a parameter. */
  of(field: string): string | undefined
  /** Messages that are of no parameter that has a control. */
  readonly others: readonly string[]
}

/** The step of a recipe of one output that a path leads to, and the rest of the path. */
function stepAt(path: readonly (string | number)[], steps: readonly DraftStep[], own: readonly DraftStep[]) {
  const isShared = path[0] === 'steps'
  const rest = isShared ? path.slice(1) : path.slice(3)
  const [index, , ...fields] = rest
  return { step: (isShared ? steps : own)[Number(index)], field: fields.join('.') }
}

/** The faults that the server has found in a step, while it rendered an output. */
export function stepFaults(
  failure: ApiFailure | undefined,
  { steps }: DraftRecipe,
  output: DraftOutput,
  step: DraftStep,
  fields: readonly string[],
): StepFaults {
  const active = (list: readonly DraftStep[]) => list.filter(({ isOff }) => !isOff)
  const issues = (failure?.issues ?? []).flatMap(({ path, message }) => {
    const place = stepAt(path, active(steps), active(output.steps))
    return place.step?.id === step.id ? [{ field: place.field, message }] : []
  })
  return {
    of: (field) => issues.find((each) => each.field === field)?.message,
    others: issues.filter(({ field }) => !fields.includes(field)).map(({ message }) => message),
  }
}
