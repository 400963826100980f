import { type Html, html, prose } from './html.ts'

/** What a table shows of a JSON Schema. */
export interface FieldSchema {
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
  /** Objects that a field tells apart. */
  readonly oneOf?: readonly FieldSchema[]
  readonly items?: FieldSchema
  readonly properties?: Readonly<Record<string, FieldSchema>>
}

function kind({ type, contentMediaType, anyOf, oneOf, items, enum: choices, const: only }: FieldSchema): string {
  if (contentMediaType) return 'file'
  if (oneOf) return 'object'
  if (anyOf) return anyOf.map(kind).join(' or ')
  if (items) return `list of ${kind(items)}`
  if (type === undefined) return choices || only !== undefined ? typeof (only ?? choices?.[0]) : 'any'
  return [type].flat().join(' or ')
}

function range({ enum: choices, default: otherwise, ...limits }: FieldSchema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = limits
  const between = (min = 0, max = Number.POSITIVE_INFINITY) =>
    // The largest safe integer is JSON Schema's way to say a whole number.
    max >= Number.MAX_SAFE_INTEGER ? `from ${min}` : `${min} – ${max}`
  const bounded = (min: number | undefined, max: number | undefined, unit = '') =>
    (min === undefined || min <= Number.MIN_SAFE_INTEGER) && (max === undefined || max >= Number.MAX_SAFE_INTEGER)
      ? ''
      : between(min, max) + unit
  const counted = bounded(minLength, maxLength, ' characters') || bounded(minItems, maxItems, ' entries')
  const allowed = choices ? choices.join(', ') : counted || bounded(minimum, maximum)
  // Of an object each field says its own.
  const isSaid = otherwise !== undefined && typeof otherwise !== 'object'
  return [allowed, isSaid ? `default ${otherwise}` : ''].filter((part) => part !== '').join('; ')
}

export interface Fields {
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[] | undefined
}

/** One row for each field; those of objects and lists of objects follow it, by their paths. */
export function fieldTable(title: string, of: string, { properties = {}, required = [] }: Fields, marked = true): Html {
  const row = ([name, schema]: readonly [string, FieldSchema]) =>
    html`<tr><th scope="row"><code>${name}</code>${marked && required.includes(name) ? html`<span class="required">required</span>` : ''}</th>
<td>${kind(schema)}</td><td>${prose(schema.description ?? '')} <span class="range">${range(schema)}</span></td></tr>`
  const label = `${title} of ${of}`
  return html`<h3>${title}</h3><div class="scroll" tabindex="0" role="region" aria-label="${label}"><table>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${unfold(properties).map(row)}</tbody></table></div>`
}

function unfold(properties: Readonly<Record<string, FieldSchema>>, path = ''): readonly (readonly [string, FieldSchema])[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const own = [`${path}${name}`, schema] as const
    const [inner, entries] = [fieldsOf(schema), schema.items && fieldsOf(schema.items)]
    if (inner) return [own, ...unfold(inner, `${path}${name}.`)]
    if (entries) return [own, ...unfold(entries, `${path}${name}[].`)]
    return [own]
  })
}

/** The fields of an object; of objects that one field tells apart those of all, that field with each of its values. */
function fieldsOf({ properties, oneOf }: FieldSchema): Fields['properties'] {
  if (!oneOf) return properties
  const named = Map.groupBy(
    oneOf.flatMap((one) => Object.entries(fieldsOf(one) ?? {})),
    ([name]) => name,
  )
  return Object.fromEntries([...named].map(([name, same]) => [name, asOne(same.map(([, schema]) => schema))]))
}

function asOne([first = {}, ...others]: readonly FieldSchema[]): FieldSchema {
  const { const: value, ...schema } = first
  return value === undefined ? first : { ...schema, enum: [value, ...others.map((other) => other.const)] }
}
