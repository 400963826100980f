import { COMPONENT } from '@pixelmill/codecs/contract/component'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The document with a reference in place of each schema that has a name, and these schemas by name. */
export function withComponents<Document>(document: Document): readonly [Document, Readonly<Record<string, Json>>] {
  const foundComponents = new Map<string, Json>()
  const replacedDocument = mapJson(document, (schema) => {
    const { [COMPONENT]: name, description, default: otherwise, ...definition } = schema
    if (typeof name !== 'string') return schema
    const knownComponent = foundComponents.get(name)
    foundComponents.set(name, knownComponent ? oneOf(name, knownComponent, definition) : definition)
    // What differs from use to use stays beside the reference, which OpenAPI 3.1 allows.
    return {
      $ref: `#/components/schemas/${name}`,
      ...(description !== undefined && { description }),
      ...(otherwise !== undefined && { default: otherwise }),
    }
  }) as Document
  return [replacedDocument, Object.fromEntries([...foundComponents].sort(([a], [b]) => (a < b ? -1 : 1)))]
}

/** Of both the schemas inside a schema and the schema itself, the inner ones first. */
function mapJson(value: unknown, change: (schema: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map((each) => mapJson(each, change))
  if (!isObject(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapJson(each, change)])))
}

/** Keywords that may differ between a request and an answer: an answer has all fields that have defaults, and no others. */
const REQUEST_OR_ANSWER = ['required', 'additionalProperties', 'default', 'description']

/** @throws Error where two schemas of one name differ in more than that */
function oneOf(name: string, first: Json, second: Json): Json {
  if (shapeOf(first) !== shapeOf(second)) throw new Error(`Two schemas are called ${name}: ${shapeOf(first)}, ${shapeOf(second)}`)
  return looser(first, second) as Json
}

/** What is true of both of two schemas of one shape. */
function looser(first: unknown, second: unknown): unknown {
  if (!isObject(first) || !isObject(second)) return first
  const {
    required: requiredNames,
    additionalProperties: others,
    ...rest
  } = Object.fromEntries(
    Object.entries({ ...second, ...first }).map(([key, value]) => [key, looser(value, second[key] ?? value)]),
  )
  const both = listOf(first.required).filter((field) => listOf(second.required).includes(field))
  const isClosed = first.additionalProperties === false && second.additionalProperties === false
  return {
    ...rest,
    ...(both.length > 0 && { required: both }),
    // An object describes the values of a record.
    ...((isClosed || isObject(others)) && { additionalProperties: others }),
    // A field of this name.
    ...(isObject(requiredNames) && { required: requiredNames }),
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** As text, without what may differ. A field that has the name of a keyword is an object. */
const shapeOf = (schema: Json): string =>
  JSON.stringify(
    mapJson(schema, (each) =>
      Object.fromEntries(Object.entries(each).filter(([key, value]) => !REQUEST_OR_ANSWER.includes(key) || isField(key, value))),
    ),
  )

const isField = (key: string, value: unknown): boolean => isObject(value) && key !== 'additionalProperties' && key !== 'default'
