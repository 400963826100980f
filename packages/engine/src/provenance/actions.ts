import type { WorkRecipe } from '../recipe/plan.ts'
import { namedSteps } from '../recipe/recipe.ts'
import type { Action } from '../recipe/step.ts'
import { steps } from '../recipe/steps/index.ts'
import { operations, type TaskName } from '../tasks/index.ts'

/** Tasks that have no recipe. */
const ofTasks: Readonly<Partial<Record<TaskName, Action>>> = {
  background: steps.removeBackground.action,
  modelCutOut: steps.removeBackground.action,
  applyCutOut: steps.removeBackground.action,
  enhance: steps.enhance.action,
  modelUpscale: steps.enhance.action,
  cuts: steps.crop.action,
}

/** Its compression, and its format, are other ones than the source's. */
const ENCODED: Action = { action: 'c2pa.transcoded' }

/** What the task did for its output with this number, in its order; undefined for tasks whose files are not for callers. */
export function actionsOf(task: TaskName, params: object, output: number): readonly Action[] | undefined {
  const own = ofTasks[task]
  if (own) return [own, ENCODED]
  const recipe = recipeOf(task, params)
  const appliedSteps = recipe && namedSteps([...recipe.steps, ...(recipe.outputs[output]?.steps ?? [])])
  return appliedSteps && [...appliedSteps.map(({ name }) => steps[name].action), ENCODED]
}

/** The recipe of the task recipe, or of a form. */
export function recipeOf(task: TaskName, params: object): WorkRecipe | undefined {
  if (task === 'recipe') return (params as { readonly recipe: WorkRecipe }).recipe
  const form = Object.entries(operations).find(([name]) => name === task)?.[1]
  return form?.recipe(params as never)
}
