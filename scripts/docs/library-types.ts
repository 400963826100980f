import { COMPONENT } from '@pixelmill/codecs/contract/component'
import { type ImageErrorName, imageErrors } from '@pixelmill/codecs/contract/image-errors'
import { imageFormats } from '@pixelmill/codecs/image-formats'
import { suggestCropsOptions, suggestedCrops } from '@pixelmill/engine/library/crops'
import { convertOptions } from '@pixelmill/engine/library/requests'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { imageInfo, infoFields } from '@pixelmill/engine/tasks/info'
import { optimize } from '@pixelmill/engine/tasks/optimize'
import { imageReport } from '@pixelmill/engine/tasks/task'
import { z } from 'zod'

/** What is read of a JSON Schema. */
interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly enum?: readonly (string | number)[]
  readonly const?: string | number | boolean
  readonly anyOf?: readonly Schema[]
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly [COMPONENT]?: string
}

/**
 * packages/engine/src/library/types.ts: the types of the library's options and results, made from the schemas that check them, so that
 * their declarations need no other package.
 */
export function libraryTypes(notice: string): string {
  const components = new Map<string, string>()

  function typeOf(schema: Schema): string {
    const name = schema[COMPONENT]
    if (name === undefined) return literalOf(schema)
    if (!components.has(name)) {
      components.set(name, '')
      components.set(name, declaration(name, schema))
    }
    return name
  }

  function literalOf({ type, properties, items, anyOf, additionalProperties, ...schema }: Schema): string {
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
    if (anyOf) return anyOf.map(typeOf).join(' | ')
    if (items) return `readonly (${typeOf(items)})[]`
    if (properties && Object.keys(properties).length > 0) {
      const own = members(properties, schema.required ?? [])
      return `{\n${[own, ...furtherMembers(properties, additionalProperties)].join('\n')}\n}`
    }
    if (typeof additionalProperties === 'object') return `Readonly<Record<string, ${typeOf(additionalProperties)}>>`
    if (type === 'object') return 'Readonly<Record<string, never>>'
    return { integer: 'number', null: 'null' }[type ?? ''] ?? type ?? 'unknown'
  }

  /** Those of any other name: their type covers that of the members with a name of their own. */
  function furtherMembers(properties: NonNullable<Schema['properties']>, further: Schema['additionalProperties']): string[] {
    if (typeof further !== 'object') return []
    const types = new Set([...Object.values(properties), further].map(typeOf))
    return [`readonly [name: string]: ${[...types, 'undefined'].join(' | ')}`]
  }

  const members = (properties: NonNullable<Schema['properties']>, requiredNames: readonly string[]): string =>
    Object.entries(properties)
      .map(([name, schema]) => `${comment(schema)}${propertyOf(name, typeOf(schema), requiredNames.includes(name))}`)
      .join('\n')

  function declaration(name: string, schema: Schema): string {
    const body = literalOf(schema)
    return body.startsWith('{')
      ? `${comment(schema)}export interface ${name} ${body}`
      : `${comment(schema)}export type ${name} = ${body}`
  }

  const declarationOf = (name: string, schema: z.ZodType, io: 'input' | 'output'): string => {
    const { [COMPONENT]: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
    return declaration(name, json)
  }

  const own = [
    declarationOf('Recipe', recipeSchema, 'input'),
    declarationOf('ConvertOptions', convertOptions, 'input'),
    declarationOf('OptimizeOptions', optimize.params, 'input'),
    declarationOf('SuggestCropsOptions', suggestCropsOptions, 'input'),
    declarationOf('SuggestedCrops', suggestedCrops, 'output'),
    declarationOf('PictureFacts', imageReport, 'output'),
    declarationOf('ImageInfo', imageInfo, 'output'),
    union('InfoField', infoFields),
    union('Format', Object.keys(imageFormats)),
    union('ImageErrorName', Object.keys(imageErrors) as ImageErrorName[]),
  ]
  return indent([`// ${notice}`, ...own, ...components.values()].join('\n\n').concat('\n'))
}

/** Two spaces for each brace that is open. */
function indent(text: string): string {
  let depth = 0
  return text
    .split('\n')
    .map((line) => {
      if (line.startsWith('}')) depth--
      const spaces = line === '' ? '' : '  '.repeat(depth)
      if (line.endsWith('{')) depth++
      return spaces + line
    })
    .join('\n')
}

const propertyOf = (name: string, type: string, isRequired: boolean): string =>
  isRequired ? `readonly ${name}: ${type}` : `readonly ${name}?: ${type} | undefined`

const union = (name: string, values: readonly string[]): string =>
  `export type ${name} = ${values.map((value) => JSON.stringify(value)).join(' | ')}`

/** The description, and what a type does not say. */
function comment({ description, default: value, minimum, maximum }: Schema): string {
  const range = minimum === undefined && maximum === undefined ? [] : [`${minimum ?? ''} to ${maximum ?? ''}.`]
  const otherwise = value === undefined ? [] : [`By default ${JSON.stringify(value)}.`]
  const text = [...(description === undefined ? [] : [description]), ...range, ...otherwise].join(' ')
  return text === '' ? '' : `/** ${text.replaceAll('*/', '* /')} */\n`
}
