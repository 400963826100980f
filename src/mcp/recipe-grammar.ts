import { z } from 'zod'
import { chosenFormats, writtenFormats } from '../recipe/recipe.ts'
import type { StepRow } from '../recipe/step.ts'
import { steps } from '../recipe/steps/index.ts'

/**
 * What a recipe may contain, in as few words as an agent needs: its JSON Schema is ten times as long. Optional parameters end with a
 * question mark.
 */
export const recipeGrammar = (): string =>
  [
    `steps: a list of objects with one key, done in order: ${Object.entries(steps).map(stepText).join(', ')}.`,
    `outputs: a list of {name?, format? (${[...chosenFormats, ...writtenFormats].join(' ')}), quality? 1-100, visualQuality?, maxBytes?, metadata? (none copyright all), steps?}; without it one image in the same format.`,
    'fit: inside cover contain fill outside. gravity: center, a compass point, subject, or {x,y} from 0 to 1. Colours: #rrggbb.',
  ].join(' ')

interface Field {
  readonly default?: unknown
}

function stepText([name, { params }]: readonly [string, StepRow]): string {
  const { properties = {}, required = [] } = z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' }) as {
    readonly properties?: Readonly<Record<string, Field>>
    readonly required?: readonly string[]
  }
  const names = Object.keys(properties).map((key) => (required.includes(key) ? key : `${key}?`))
  return `${name}{${names.join(' ')}}`
}
