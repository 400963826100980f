import type { WorkRecipe } from '../recipe/plan.ts'
import { namedSteps } from '../recipe/recipe.ts'
import type { StepName } from '../recipe/steps/index.ts'
import { operations, type TaskName } from '../tasks/index.ts'

/** What was done to a picture, as a manifest says it (C2PA 2.2, 18.15). */
export interface Action {
  readonly action: string
  readonly description?: string
  readonly digitalSourceType?: string
}

/** IPTC's word for pictures that were improved without making anything up. */
const ENHANCED = 'http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced'

/** The action of each kind of step. */
const ofSteps: Readonly<Record<StepName, Action>> = {
  crop: { action: 'c2pa.cropped' },
  resize: { action: 'c2pa.resized' },
  rotate: { action: 'c2pa.orientation' },
  flip: { action: 'c2pa.orientation' },
  flop: { action: 'c2pa.orientation' },
  trim: { action: 'c2pa.cropped' },
  extend: { action: 'c2pa.edited', description: 'A border was added.' },
  blur: { action: 'c2pa.filtered' },
  sharpen: { action: 'c2pa.enhanced' },
  grayscale: { action: 'c2pa.adjustedColor' },
  background: { action: 'c2pa.edited', description: 'Transparency was filled.' },
  watermark: { action: 'c2pa.edited', description: 'A visible watermark was added.' },
  removeBackground: { action: 'c2pa.edited', description: 'The background was removed.' },
  enhance: { action: 'c2pa.enhanced', digitalSourceType: ENHANCED },
}

/** Tasks that have no recipe. */
const ofTasks: Readonly<Partial<Record<TaskName, Action>>> = {
  background: ofSteps.removeBackground,
  modelCutOut: ofSteps.removeBackground,
  applyCutOut: ofSteps.removeBackground,
  enhance: ofSteps.enhance,
  modelUpscale: ofSteps.enhance,
  cuts: ofSteps.crop,
}

/** Its compression, and its format, are other ones than the source's. */
const ENCODED: Action = { action: 'c2pa.transcoded' }

/** What the task did for its output with this number, in its order; undefined for tasks whose files are not for callers. */
export function actionsOf(task: TaskName, params: object, output: number): readonly Action[] | undefined {
  const own = ofTasks[task]
  if (own) return [own, ENCODED]
  const recipe = recipeOf(task, params)
  const steps = recipe && namedSteps([...recipe.steps, ...(recipe.outputs[output]?.steps ?? [])])
  return steps && [...steps.map(({ name }) => ofSteps[name]), ENCODED]
}

/** The recipe of the task recipe, or of a form. */
export function recipeOf(task: TaskName, params: object): WorkRecipe | undefined {
  if (task === 'recipe') return (params as { readonly recipe: WorkRecipe }).recipe
  const form = Object.entries(operations).find(([name]) => name === task)?.[1]
  return form?.recipe(params as never)
}
