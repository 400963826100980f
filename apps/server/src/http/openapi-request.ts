import { z } from 'zod'
import { IDEMPOTENCY_KEY } from '../idempotency/key.ts'
import type { FormShape, ImageForm, Route } from './route.ts'

/** A part of a form is a file by its name, whatever its declared type. */
const anyFile = (name: string) => ({ ...binary('application/octet-stream'), description: `The ${name} file.` })

export function formSchema({ fields, files, stored, orUpload, orUrl }: FormShape) {
  // The output types: forms carry text, but numbers and booleans are meant.
  const { properties } = z.toJSONSchema(fields, { io: 'output', target: 'draft-2020-12' })
  const requiredTexts = Object.keys(fields.shape).filter((name) => !isOptional(fields.shape[name]))
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(files.map((name) => [name, anyFile(name)])),
      ...(stored && { [stored.field]: { ...binary(stored.contentType), description: stored.description } }),
      ...properties,
    },
    required: [
      ...(orUpload ? [] : [...files.filter((name) => !orUrl || name !== 'image'), ...(stored ? [stored.field] : [])]),
      ...requiredTexts,
    ],
  } as const
}

const PATH_PARAMETER = /:(\w+)|\*$/g

const REST = 'path'

/** The path with its parameters in OpenAPI's form. */
export const templatePath = (path: string): string => path.replaceAll(PATH_PARAMETER, (_all, name = REST) => `{${name}}`)

const idempotencyKey = {
  description:
    'A unique key for each operation. Repeating the same request with the same key within 24 hours returns the first response, so that retries are safe.',
  type: 'string',
  minLength: 1,
  maxLength: 255,
} as const

/** Schemas of the request headers that a route reads, besides those of its admission and body. */
export const requestHeaders = ({ requestHeaders: own = {}, idempotent }: Route) => ({
  ...(idempotent && { [IDEMPOTENCY_KEY]: idempotencyKey }),
  ...Object.fromEntries(Object.entries(own).map(([name, description]) => [name, { type: 'string', description } as const])),
})

/** A header as a parameter, with its description beside the schema. */
export const headerParameter = ([name, { description, ...schema }]: readonly [string, { readonly description: string }]) =>
  ({ name, in: 'header', description, schema }) as const

export function parameters(route: Route) {
  const inPath = [...route.path.matchAll(PATH_PARAMETER)].map(([, name = REST]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const { properties = {} } = route.query ? jsonSchema(route.query, 'output') : {}
  const inQuery = Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    schema,
    // A list is one value with commas.
    ...(typeof schema === 'object' && schema.type === 'array' && { style: 'form', explode: false }),
  }))
  return [...inPath, ...inQuery, ...Object.entries(requestHeaders(route)).map(headerParameter)]
}

function formContent(form: FormShape) {
  const { stored } = form
  return {
    schema: formSchema(form),
    ...(stored && { encoding: { [stored.field]: { contentType: stored.contentType } } }),
  }
}

const rawSchema = ({ raw, fields }: FormShape) => ({
  ...binary('image/*'),
  description: `The ${raw} file alone, as curl --data-binary sends it. The other form fields are then query parameters: ${Object.keys(fields.shape).join(', ')}.`,
})

/** The same fields are accepted as JSON too, which is left out: generators of clients would offer it in place of the form, and no file. */
function formContents(form: FormShape) {
  if (form.rawJson) return { 'application/json': { schema: jsonSchema(form.rawJson, 'input') } }
  return {
    'multipart/form-data': formContent(form),
    ...(form.raw !== undefined && { 'image/*': { schema: rawSchema(form) } }),
  }
}

/** The fields of the JSON body, with files in place of its images. */
function imageFormSchema({ field, mostImages, json: asJson }: ImageForm, json: z.ZodType) {
  const { properties = {} } = jsonSchema(json, 'input')
  const others = Object.entries(properties).filter(([name]) => name !== field)
  const description = mostImages === 1 ? 'The image.' : `The image. Up to ${mostImages - 1} more may come under other names.`
  const shownFields = others.map(([name, schema]) => [
    name,
    asJson.includes(name) ? { type: 'string', contentMediaType: 'application/json', contentSchema: schema } : schema,
  ])
  return {
    type: 'object',
    properties: { image: { ...binary('application/octet-stream'), description }, ...Object.fromEntries(shownFields) },
    required: ['image'],
  } as const
}

/** As parseBody reads it. */
const NULLS = 'A field that may be left out may also be null, which means the same.'

export function requestBody({ form, json, images, imageForm, rawBody, storedBody = [] }: Route) {
  const content = {
    ...(form && formContents(form)),
    ...(json && { 'application/json': { schema: jsonSchema(json, 'input') } }),
    ...(imageForm && json && { 'multipart/form-data': { schema: imageFormSchema(imageForm, json) } }),
    ...Object.fromEntries(storedBody.map((mime) => [mime, { schema: binary(mime) }])),
    ...(rawBody && { [rawBody]: { schema: {} } }),
  }
  if (Object.keys(content).length === 0) return {}
  return { requestBody: { ...(images && { description: NULLS }), required: !(json && isOptional(json)), content } }
}

/**
 * The schema of a file in a form or an answer: `contentMediaType` is OpenAPI 3.1's way to describe it, `format: binary` that of 3.0,
 * which most client generators look for.
 */
export const binary = (contentMediaType: string) => ({ type: 'string', format: 'binary', contentMediaType }) as const

/** In the dialect of OpenAPI 3.1. */
export const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
  return rest
}

export const isOptional = (schema: z.core.$ZodType | undefined): boolean =>
  schema !== undefined && z.safeParse(schema, undefined).success
