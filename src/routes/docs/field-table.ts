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
  readonly anyOf?: readonly FieldSchema[]
  readonly items?: FieldSchema
  readonly properties?: Readonly<Record<string, FieldSchema>>
}

function kind({ type, contentMediaType, anyOf, items, enum: choices, const: only }: FieldSchema): string {
  if (contentMediaType) return 'file'
  if (anyOf) return anyOf.map(kind).join(' or ')
  if (items) return `list of ${kind(items)}`
  if (type === undefined) return choices || only !== undefined ? typeof (only ?? choices?.[0]) : 'any'
  return [type].flat().join(' or ')
}

function range({ enum: choices, minimum, maximum, minLength, maxLength, default: otherwise }: FieldSchema): string {
  const between = (min = 0, max = Number.POSITIVE_INFINITY) =>
    // The largest safe integer is JSON Schema's way to say a whole number.
    max >= Number.MAX_SAFE_INTEGER ? `from ${min}` : `${min} – ${max}`
  const bounded = (min: number | undefined, max: number | undefined) =>
    (min === undefined || min <= Number.MIN_SAFE_INTEGER) && (max === undefined || max >= Number.MAX_SAFE_INTEGER)
      ? ''
      : between(min, max)
  const length = bounded(minLength, maxLength)
  const allowed = choices ? choices.join(', ') : length === '' ? bounded(minimum, maximum) : `${length} characters`
  return [allowed, otherwise === undefined ? '' : `default ${otherwise}`].filter((part) => part !== '').join('; ')
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
    if (schema.properties) return [own, ...unfold(schema.properties, `${path}${name}.`)]
    if (schema.items?.properties) return [own, ...unfold(schema.items.properties, `${path}${name}[].`)]
    return [own]
  })
}
