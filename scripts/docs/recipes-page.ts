import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StepRow } from '@pixelmill/engine/recipe/step'
import { steps } from '@pixelmill/engine/recipe/steps/index'
import { z } from 'zod'
import type { FieldSchema } from './form-field.ts'
import { withTable } from './generated-table.ts'

const PAGE = join(import.meta.dirname, '../../docs/recipes.md')

/** docs/recipes.md with the list of steps, generated from their schemas; the rest is written by hand. */
export function recipesPage(): string {
  const lines = Object.entries(steps).map(([name, { summary, params }]: [string, StepRow]) => {
    const parameters = parametersOf(params).join(', ')
    return `- \`${name}\`${parameters === '' ? '' : ` (${parameters})`}: ${summary}`
  })
  return withTable(readFileSync(PAGE, 'utf8'), 'steps', lines.join('\n'))
}

function parametersOf(params: z.ZodType): readonly string[] {
  const { properties = {} } = z.toJSONSchema(params, { io: 'output' }) as { readonly properties?: Record<string, FieldSchema> }
  return Object.entries(properties).map(([name, field]) => {
    const value = field.default === undefined ? '' : `=${JSON.stringify(field.default).replaceAll('"', '')}`
    return `\`${name}${value}\``
  })
}
