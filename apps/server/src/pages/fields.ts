import { jsonSchema } from '../http/openapi-request.ts'
import type { Route } from '../http/route.ts'
import { type Html, html, prose } from './html.ts'

export interface Fields {
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[] | undefined
}

/** The parts of a JSON Schema that are shown. */
export interface FieldSchema extends Fields {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly contentMediaType?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly anyOf?: readonly FieldSchema[]
  /** Objects distinguished by one of their fields. */
  readonly oneOf?: readonly FieldSchema[]
  readonly items?: FieldSchema
}

function kind({ type, contentMediaType, anyOf, oneOf, items, enum: choices, const: only }: FieldSchema): string {
  if (contentMediaType) return 'file'
  if (oneOf) return 'object'
  if (anyOf) return anyOf.map(kind).join(' or ')
  if (items) return `list of ${kind(items)}`
  if (type === undefined) return choices || only !== undefined ? typeof (only ?? choices?.[0]) : 'any'
  return [type].flat().join(' or ')
}

/** With a thousands separator. */
const figure = (value: number): string => value.toLocaleString('en')

function range({ enum: choices, default: otherwise, ...limits }: FieldSchema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = limits
  const between = (min = 0, max = Number.POSITIVE_INFINITY) =>
    // zod writes the largest safe integer as the maximum of every integer.
    max >= Number.MAX_SAFE_INTEGER ? `from ${figure(min)}` : `${figure(min)} – ${figure(max)}`
  const boundMin = (min: number | undefined, max: number | undefined, unit = '') =>
    (min === undefined || min <= Number.MIN_SAFE_INTEGER) && (max === undefined || max >= Number.MAX_SAFE_INTEGER)
      ? ''
      : between(min, max) + unit
  const countedText = boundMin(minLength, maxLength, ' characters') || boundMin(minItems, maxItems, ' entries')
  const allowedText = choices ? choices.join(', ') : countedText || boundMin(minimum, maximum)
  // Defaults of objects are shown at their fields.
  const isSaid = otherwise !== undefined && (typeof otherwise !== 'object' || Array.isArray(otherwise))
  return [allowedText, isSaid ? `default ${[otherwise].flat().join(', ')}` : ''].filter((part) => part !== '').join('; ')
}

/** One entry for each field; those of objects and lists of objects follow it, by their paths. */
export function fieldList(title: string, of: string, fields: Fields, isMarked = true): Html {
  const entry = ({ path, schema, need }: Row) => {
    const allowedText = range(schema)
    const meaning = schema.description ?? ''
    return html`<div class="field"><dt><code class="named">${path}</code> <span class="kind">${kind(schema)}</span>${isMarked && need ? html` <span class="required">${need}</span>` : ''}${allowedText ? html` <span class="range">${allowedText}</span>` : ''}</dt>
<dd>${prose(meaning)}</dd></div>`
  }
  return html`<h3>${title}</h3><dl class="fields" aria-label="${title} of ${of}">${unfold(fields).map(entry)}</dl>`
}

interface Row {
  readonly path: string
  readonly schema: FieldSchema
  /** Empty where the field may be left out. */
  readonly need: string
}

/** Fields of an optional object are marked as required in that object. */
function unfold({ properties = {}, required = [] }: Fields, path = '', need = 'required'): readonly Row[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const own = `${path}${name}`
    const isRequired = required.includes(name)
    const row = { path: own, schema, need: isRequired ? need : '' }
    const needBelow = isRequired ? need : `required in ${own}`
    const inner = fieldsOf(schema)
    const entries = schema.items && fieldsOf(schema.items)
    if (inner) return [row, ...unfold(inner, `${own}.`, needBelow)]
    if (entries) return [row, ...unfold(entries, `${own}[].`, needBelow)]
    return [row]
  })
}

/** The fields of an object; of a discriminated union the fields of all variants, and all values of the discriminator. */
function fieldsOf(schema: FieldSchema): Fields | undefined {
  if (!schema.oneOf) return schema.properties && schema
  const each = schema.oneOf.map((one) => fieldsOf(one) ?? {})
  const namedTexts = Map.groupBy(
    each.flatMap(({ properties = {} }) => Object.entries(properties)),
    ([name]) => name,
  )
  return {
    properties: Object.fromEntries([...namedTexts].map(([name, same]) => [name, asOne(same.map(([, field]) => field))])),
    required: [...namedTexts.keys()].filter((name) => each.every(({ required }) => required?.includes(name))),
  }
}

function asOne([first = {}, ...others]: readonly FieldSchema[]): FieldSchema {
  const { const: value, ...schema } = first
  return value === undefined ? first : { ...schema, enum: [value, ...others.map((other) => other.const)] }
}

const words: Readonly<Record<string, string>> = { integer: 'number', object: 'Record<string, unknown>', array: 'unknown[]' }

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))

const union = (variants: readonly string[]): string => [...new Set(variants)].join(' | ')

/** A schema as a TypeScript type. Example values would suggest more than is guaranteed. */
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

/** The type of a JSON answer, or an example of a text answer. */
export function answerType({ answer, example }: Route): string | undefined {
  return example ?? (answer && typeOf(jsonSchema(answer, 'output') as FieldSchema, ''))
}
