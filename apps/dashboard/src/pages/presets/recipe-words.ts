import type { Answer } from '../../api/client.ts'
import { type StepName, stepLabels } from '../builder/draft/draft-recipe.ts'
import { choiceWords } from '../playground/field-looks.ts'

export type Preset = Answer<'/api/user/presets', 'get'>['presets'][number]

const labelOf = (step: object): string => stepLabels[Object.keys(step)[0] as StepName] ?? '?'

/** "Trim → hero, thumb (Resize)": the shared steps, then each output with its own. */
export function recipeInWords({ steps, outputs = [] }: Preset['recipe']): string {
  const sharedSteps = steps.map(labelOf).join(', ')
  const results = outputs.map(({ name, format, steps: own }) => {
    const what = [format && (choiceWords[format] ?? format), ...own.map(labelOf)].join(', ')
    return outputs.length === 1 ? what : `${name} (${what})`
  })
  return [sharedSteps, results.join('; ')].filter((part) => part !== '').join(' → ')
}
