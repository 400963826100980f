import { ROUNDED } from '@pixelmill/engine/recipe/fields'

/** A field in the OpenAPI document. */
export interface FieldSchema {
  readonly type?: string
  readonly enum?: readonly (string | number)[]
  /**
   * Names, or a value that only code sends, such as a point: a form offers the names. Of a number or a text, such as pixels or 20%, it
   * takes the text, as which the number can be sent too.
   */
  readonly anyOf?: readonly FieldSchema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly default?: unknown
  readonly description?: string
  readonly [ROUNDED]?: boolean
}

function kindOf(schema: FieldSchema): string | undefined {
  if (schema.enum) return 'choice'
  if (schema[ROUNDED]) return 'integer'
  return schema.type === 'string' ? 'text' : schema.type
}

/** A field as the playground's controls use it: OperationField of apps/dashboard/src/api/image-operation.ts. */
export function formField(field: FieldSchema, isRequired: boolean) {
  const choice = field.anyOf?.find((one) => one.enum) ?? field.anyOf?.find(({ type }) => type === 'string')
  const schema = { ...field, ...choice }
  return {
    kind: kindOf(schema),
    ...(schema.enum && { choices: schema.enum.map(String) }),
    ...(schema.enum && schema.type === 'number' && { numeric: true }),
    ...(schema.minimum !== undefined && { min: schema.minimum }),
    ...(schema.maximum !== undefined && { max: schema.maximum }),
    ...(schema.maxLength !== undefined && { longest: schema.maxLength }),
    ...(schema.default !== undefined && { default: schema.enum ? String(schema.default) : schema.default }),
    ...(isRequired && { required: true }),
    description: schema.description ?? '',
  }
}
