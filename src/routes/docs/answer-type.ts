import { jsonSchema } from '../../http/openapi-request.ts'
import type { Route } from '../../http/route.ts'
import type { FieldSchema } from './field-list.ts'

const words: Readonly<Record<string, string>> = { integer: 'number', object: 'Record<string, unknown>', array: 'unknown[]' }

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))

const union = (variants: readonly string[]): string => [...new Set(variants)].join(' | ')

/** A schema as a type of TypeScript. Values of an example would say more than is true. */
function typeOf(schema: FieldSchema, indent: string): string {
  const { type, enum: choices, const: only, items, properties, anyOf, oneOf } = schema
  if (only !== undefined) return literal(only)
  if (choices) return union(choices.map(literal))
  const variants = anyOf ?? oneOf
  if (variants) return union(variants.map((variant) => typeOf(variant, indent)))
  if (properties) return objectType(schema, indent)
  if (items) return isUnion(items) ? `(${typeOf(items, indent)})[]` : `${typeOf(items, indent)}[]`
  return type === undefined ? 'unknown' : union([type].flat().map((name) => words[name] ?? name))
}

const isUnion = ({ type, enum: choices, anyOf, oneOf }: FieldSchema): boolean =>
  [choices, anyOf ?? oneOf, [type].flat()].some((variants) => variants !== undefined && variants.length > 1)

function objectType({ properties = {}, required = [] }: FieldSchema, indent: string): string {
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${inner}${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)}\n`,
  )
  return `{\n${fields.join('')}${indent}}`
}

/** What an answer is, of those that are JSON, or an example of those that are text. */
export function answerType({ answer, example }: Route): string | undefined {
  return example ?? (answer && typeOf(jsonSchema(answer, 'output') as FieldSchema, ''))
}
