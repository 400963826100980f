import { limits } from '../../src/contract/limits.ts'
import { formSchema } from '../../src/http/openapi-request.ts'
import { usageNames } from '../../src/routes/docs/endpoint-names.ts'
import { documented } from '../../src/routes/index.ts'
import { operations } from '../../src/tasks/index.ts'
import type { Operation } from '../../src/tasks/operation.ts'
import { type FieldSchema, formField } from './form-field.ts'

const HEADER = `import type { ImageOperation } from './image-operation.ts'

// Made by \`npm run docs\` from the OpenAPI document; edits here are lost.
`

function described(operation: Operation) {
  const { properties, required } = formSchema({ files: operation.files, fields: operation.params })
  const fields = Object.entries(properties as Record<string, FieldSchema>).filter(([name]) => name in operation.params.shape)
  return {
    summary: operation.summary,
    description: operation.description,
    stem: operation.stem,
    files: operation.files,
    fields: Object.fromEntries(fields.map(([name, schema]) => [name, formField(schema, required.includes(name))])),
  }
}

/** The endpoints and formats for the dashboard: a hundredth of the whole OpenAPI document. */
export function imageOperationsModule(): string {
  const all = Object.fromEntries(Object.entries(operations).map(([name, row]) => [name, described(row as Operation)]))
  return `${HEADER}
/** Bytes of one picture. */
export const MOST_IMAGE_BYTES = ${limits.uploadBytes}

/** The names of endpoints whose calls are listed, by path. */
export const endpointNames: Readonly<Record<string, string>> = ${JSON.stringify(usageNames(documented), null, 2)}

export const imageOperations = ${JSON.stringify(all, null, 2)} as const satisfies Record<string, ImageOperation>
`
}
