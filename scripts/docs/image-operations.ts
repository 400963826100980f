import { limits } from '@pixelmill/codecs/contract/limits'
import { operations } from '@pixelmill/engine/tasks/index'
import type { Operation } from '@pixelmill/engine/tasks/operation'
import { formSchema } from 'pixelmill-server/http/openapi-request'
import { usageNames } from 'pixelmill-server/pages/endpoint-names'
import { documentedRoutes } from 'pixelmill-server/routes'
import { type FieldSchema, formField } from './form-field.ts'

const HEADER = `import type { ImageOperation } from './image-operation.ts'

// Made by \`npm run docs\` from the OpenAPI document; edits here are lost.
`

function describe(operation: Operation) {
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

/** By itself, since pages need it that name no operation. */
export const imageLimitsModule = (): string => `// Made by \`npm run docs\`; edits here are lost.

/** Bytes of one picture. */
export const MOST_IMAGE_BYTES = ${limits.uploadBytes}
`

/** The endpoints and formats for the dashboard: a hundredth of the whole OpenAPI document. */
export function imageOperationsModule(): string {
  const all = Object.fromEntries(Object.entries(operations).map(([name, row]) => [name, describe(row as Operation)]))
  return `${HEADER}
/** The names of endpoints whose calls are listed, by path. */
export const endpointNames: Readonly<Record<string, string>> = ${JSON.stringify(usageNames(documentedRoutes), null, 2)}

export const imageOperations = ${JSON.stringify(all, null, 2)} as const satisfies Record<string, ImageOperation>
`
}
