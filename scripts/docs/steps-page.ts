import { limits } from '@pixelmill/codecs/contract/limits'
import type { StepRow } from '@pixelmill/engine/recipe/step'
import { steps } from '@pixelmill/engine/recipe/steps/index'
import { z } from 'zod'
import type { FieldSchema } from './form-field.ts'
import { markdownTable } from './generated-table.ts'

/** docs/steps.md, from the table of steps. */
export function stepsPage(notice: string): string {
  const rows = Object.entries(steps).map(([name, { summary, params }]: [string, StepRow]) => [
    `\`${name}\``,
    parametersOf(params).join(', '),
    summary,
  ])
  return `# Steps of recipes

${notice}

A step is an object with one key, such as \`{ "resize": { "width": 320 } }\`; at most ${limits.recipe.steps} on the way to an output. A value behind \`=\` is the default. The reference at \`/docs\` has the range of each parameter. [recipes.md](recipes.md) has examples.

${markdownTable(['step', 'parameters', 'what it does'], rows)}
`
}

function parametersOf(params: z.ZodType): readonly string[] {
  const { properties = {} } = z.toJSONSchema(params, { io: 'output' }) as { readonly properties?: Record<string, FieldSchema> }
  return Object.entries(properties).map(([name, field]) => {
    const value = field.default === undefined ? '' : `=${JSON.stringify(field.default).replaceAll('"', '')}`
    return `\`${name}${value}\``
  })
}
