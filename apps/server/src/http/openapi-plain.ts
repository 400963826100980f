type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The document without what generators of clients cannot compile although OpenAPI 3.1 allows it. Descriptions say in words what was left
 * out: forms of which one is a list, and defaults that are no plain value.
 * @param components the schemas that references name
 */
export function plainSchemas<Document>(document: Document, components: Json): Document {
  const isOfSeveralForms = (schema: Json): boolean => {
    const namedSchema = typeof schema.$ref === 'string' ? components[schema.$ref.split('/').at(-1) ?? ''] : undefined
    return isObject(namedSchema) ? isOfSeveralForms(namedSchema) : formsOf(schema).length > 0
  }
  const withPlainDefault = (schema: Json): Json => {
    const { default: otherwise, ...rest } = schema
    if (otherwise === undefined || !isSchema(schema)) return schema
    const isPlain = typeof otherwise !== 'object' && !isOfSeveralForms(schema)
    if (isPlain || isListOfTexts(otherwise)) return schema
    return describe(rest, `Default: ${typeof otherwise === 'string' ? otherwise : JSON.stringify(otherwise)}.`)
  }
  return mapJson(document, (schema) => withPlainDefault(withoutLists(withOneType(schema)))) as Document
}

/** A map of schemas may have fields of any name, such as `default`. */
const isSchema = ({ type, $ref, anyOf, oneOf }: Json): boolean =>
  typeof type === 'string' || Array.isArray(type) || typeof $ref === 'string' || Array.isArray(anyOf) || Array.isArray(oneOf)

const formsOf = ({ anyOf, oneOf }: Json): readonly unknown[] => [anyOf, oneOf].filter(Array.isArray).flat()

/** A list of types is one of several schemas; one type or null is common enough. */
function withOneType(schema: Json): Json {
  const { type, ...rest } = schema
  if (!Array.isArray(type) || type.filter((each) => each !== 'null').length <= 1) return schema
  return { ...rest, anyOf: type.map((each) => ({ type: each })) }
}

/** In Java, a type of several forms names a method after each, which a list's type cannot. */
function withoutLists(schema: Json): Json {
  const types = formsOf(schema).map((form) => (isObject(form) ? form.type : undefined))
  if (!types.includes('array') || !types.every((type) => typeof type === 'string')) return schema
  const { anyOf, oneOf, ...rest } = schema
  return describe(rest, `Of type ${types.join(' or ')}.`)
}

const describe = (schema: Json, text: string): Json => ({
  ...schema,
  description: typeof schema.description === 'string' ? `${schema.description} ${text}` : text,
})

const isListOfTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each !== 'object')

/**
 * The schemas with a constant for each value of an enum, which begins with the name of its schema: in Go and C the constants of all types
 * share one scope. All enums have them, so that a new one changes none of the others.
 */
export const withConstants = (schemas: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      Array.isArray(schema.enum)
        ? { ...schema, 'x-enum-varnames': schema.enum.map((value) => constant(`${name}_${value}`)) }
        : schema,
    ]),
  )

const constant = (text: string): string =>
  text
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()

function mapJson(value: unknown, change: (schema: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((each) => mapJson(each, change))
  if (!isObject(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapJson(each, change)])))
}
