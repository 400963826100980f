import type { StepRow } from '@pixelmill/engine/recipe/step'
import { steps } from '@pixelmill/engine/recipe/steps/index'
import { z } from 'zod'
import { type FieldSchema, formField } from './form-field.ts'

const HEADER = `import type { StepForm } from './image-operation.ts'

// Made by \`npm run docs\` from the table of steps; edits here are lost.
`

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
}

function describe({ label, summary, params, lengths, example }: StepRow) {
  const { properties = {}, required = [] } = z.toJSONSchema(params, { io: 'output' }) as ObjectSchema
  // A field with a default is always in the parsed value, and never has to be sent.
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    formField(field, required.includes(name) && field.default === undefined),
  ])
  // The first values of a form that says nothing by its defaults.
  const first = params.safeParse({}).success ? {} : { first: example }
  return { label, summary, hasPreview: lengths !== undefined, ...first, fields: Object.fromEntries(fields) as object }
}

/** The forms of the steps of a recipe, for the playground. */
export function stepFormsModule(): string {
  const forms = Object.fromEntries(Object.entries(steps).map(([name, row]) => [name, describe(row as StepRow)]))
  return `${HEADER}
export const stepForms = ${JSON.stringify(forms, null, 2)} as const satisfies Record<string, StepForm>
`
}
