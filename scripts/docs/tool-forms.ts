import { limits } from '@pixelmill/codecs/contract/limits'
import { DEFAULT_PLATFORMS, platforms } from '@pixelmill/engine/crops/platforms'
import { infoFields } from '@pixelmill/engine/tasks/info'
import { plans } from 'pixelmill-server/contract/plans'
import { formSchema, jsonSchema } from 'pixelmill-server/http/openapi-request'
import type { Route } from 'pixelmill-server/http/route'
import { otherTools } from 'pixelmill-server/pages/playground-tools'
import { type FieldSchema, formField } from './form-field.ts'

const HEADER = `import type { ToolFormShape } from './image-operation.ts'

// Made by \`npm run docs\` from the OpenAPI document; edits here are lost.
`

interface ObjectSchema extends FieldSchema {
  readonly properties?: Readonly<Record<string, ObjectSchema>>
  readonly required?: readonly string[]
}

const SIMPLE = ['string', 'number', 'integer', 'boolean']
/** A control sets a value; pictures, by whatever name they come, and the choice of model have no controls. */
const isControl = (name: string, { type, default: usual }: ObjectSchema): boolean =>
  SIMPLE.includes(type ?? '') && !(['image', 'upload'].includes(name) && usual === undefined)

/** The fields with plain values, those of `rules` as `rules.style`. */
function fieldsOf({ properties = {}, required = [] }: ObjectSchema, within = ''): readonly (readonly [string, object])[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (name === 'rules') return fieldsOf(schema, 'rules.')
    return isControl(name, schema) ? [[within + name, formField(schema, required.includes(name))] as const] : []
  })
}

function describe({ path, summary, form, json }: Route) {
  const schema = (form ? formSchema(form) : json ? jsonSchema(json, 'input') : {}) as ObjectSchema
  return { path, summary, fields: Object.fromEntries(fieldsOf(schema)) }
}

const cropSizes = Object.fromEntries(Object.entries(platforms).map(([name, { width, height }]) => [name, { width, height }]))
const plansWithAi = Object.entries(plans).flatMap(([name, { ai }]) => (ai ? [name] : []))

const exportOf = (name: string, value: unknown, type = '') =>
  `export const ${name} = ${JSON.stringify(value, null, 2)} as const${type && ` satisfies ${type}`}\n`

/** The forms of the playground's other tools, for their controls. */
export function toolFormsModule(): string {
  const forms = Object.fromEntries(Object.entries(otherTools).map(([name, route]) => [name, describe(route)]))
  return `${HEADER}
/** Bytes of a picture whose background is removed. */
export const MOST_BACKGROUND_BYTES = ${limits.background.uploadBytes}

/** Pixels of a copy that a preview is made from. */
export const MOST_PREVIEW_PIXELS = ${limits.preview.pixels}

/** Whose plan has the AI of the service. */
${exportOf('plansWithAi', plansWithAi)}
/** What pictures are cropped for, in pixels. */
${exportOf('cropPlatforms', cropSizes)}
${exportOf('defaultPlatforms', DEFAULT_PLATFORMS)}
/** What can be asked about a picture. */
${exportOf('infoFields', infoFields)}
/** How many times as long as the other a side of a ratio of one's own may be. */
export const MOST_RATIO = ${limits.ai.smartCrop.ratio}

${exportOf('toolForms', forms, 'Record<string, ToolFormShape>')}`
}
