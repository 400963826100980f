type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The document without what generators of clients cannot compile although OpenAPI 3.1 allows it: a list of types becomes `anyOf`, and a
 * default of several forms goes into the description.
 * @param components the schemas that references name
 */
export function plainSchemas<Document>(document: Document, components: Json): Document {
  const isOfSeveralForms = (schema: unknown): boolean => {
    if (!isObject(schema)) return false
    const { $ref } = schema
    if (typeof $ref === 'string') return isOfSeveralForms(components[$ref.split('/').at(-1) ?? ''])
    return Array.isArray(schema.anyOf) || Array.isArray(schema.oneOf)
  }
  return mapped(document, (schema) => {
    const { type, default: otherwise, ...rest } = schema
    // One type or null is common enough.
    if (Array.isArray(type) && type.filter((each) => each !== 'null').length > 1)
      return { ...rest, anyOf: type.map((each) => ({ type: each })) }
    // A field that is called default is a schema.
    if (otherwise === undefined || isObject(otherwise) || !isOfSeveralForms(schema)) return schema
    const text = `Default: ${String(otherwise)}.`
    const { description } = rest
    return {
      ...rest,
      ...(type !== undefined && { type }),
      description: typeof description === 'string' ? `${description} ${text}` : text,
    }
  }) as Document
}

function mapped(value: unknown, change: (schema: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((each) => mapped(each, change))
  if (!isObject(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapped(each, change)])))
}
