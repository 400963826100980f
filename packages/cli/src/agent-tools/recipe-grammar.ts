import { writtenFormats } from '@pixelmill/codecs/image-formats'
import { chosenFormats } from '@pixelmill/engine/recipe/recipe'
import type { StepRow } from '@pixelmill/engine/recipe/step'
import { steps } from '@pixelmill/engine/recipe/steps/index'
import { z } from 'zod'

/**
 * What a recipe may contain, in as few words as an agent needs: its JSON Schema is ten times as long. Optional parameters end with a
 * question mark; a parameter with few values has them behind a colon.
 */
export const recipeGrammar = (): string =>
  [
    `steps: a list of objects with one key, done in order: ${Object.entries(steps).map(stepText).join(', ')}.`,
    `outputs: a list of {name?, format? (${[...chosenFormats, ...writtenFormats].join(' ')}), quality? 1-100, visualQuality?, maxBytes?, effort? (fast balanced small), metadata? (none copyright all all+gps), steps?}; without it one image in the same format.`,
    'gravity: center, a compass point, subject, or {x,y} from 0 to 1. margin, scale: shares of the picture, 0 to 1. opacity: percent. Colours: #rrggbb.',
  ].join(' ')

interface Shape {
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>
  readonly required?: readonly string[]
}

const shapeOf = (params: z.ZodType, io: 'input' | 'output') => z.toJSONSchema(params, { io, unrepresentable: 'any' }) as Shape

function stepText([name, { params }]: readonly [string, StepRow]): string {
  const { properties = {}, required = [] } = shapeOf(params, 'input')
  const values = shapeOf(params, 'output').properties
  const texts = Object.keys(properties).map((key) => {
    const options = values?.[key]?.enum
    return `${key}${required.includes(key) ? '' : '?'}${options ? `:${options.join('|')}` : ''}`
  })
  return `${name}{${texts.join(' ')}}`
}
