import { z } from 'zod'
import { credentials, refusals } from '../admission/index.ts'
import { type ErrorName, errors } from '../contract/errors.ts'
import { IDEMPOTENCY_KEY } from '../idempotency/idempotency-key.ts'
import { VERSION } from '../version.ts'
import type { FormShape, Route, StoredFile } from './route.ts'

/** OpenAPI 3.1's form of a file part and of a binary answer, which both common client generators read as a file. */
const binary = { type: 'string', contentMediaType: 'application/octet-stream' } as const

const FORM_ERRORS = ['missing_form_data', 'invalid_params', 'upload_timeout'] as const satisfies readonly ErrorName[]
/** Beside those of the form: a file that is stored has a limit of its own. */
const storedErrors = ({ tooLarge }: StoredFile): readonly ErrorName[] => [tooLarge, 'storage_full', 'storage_unavailable']
const BODY_ERRORS = ['invalid_params', 'upload_timeout'] as const satisfies readonly ErrorName[]
const EVERYWHERE = ['internal_error', 'database_unavailable'] as const satisfies readonly ErrorName[]

/** Every error that a route may answer, in the order of the table. */
export function errorsOf(route: Route): readonly ErrorName[] {
  const possible: readonly ErrorName[] = [
    ...refusals[route.admission],
    ...(route.form ? FORM_ERRORS : []),
    ...(route.form?.stored ? storedErrors(route.form.stored) : []),
    ...(route.form?.files.length ? (['file_too_large'] as const) : []),
    ...(route.json || route.rawBody ? BODY_ERRORS : []),
    ...(route.query ? (['invalid_params'] as const) : []),
    ...(route.idempotent ? (['invalid_params', 'idempotency_key_reused'] as const) : []),
    ...route.errors,
    ...EVERYWHERE,
  ]
  return (Object.keys(errors) as ErrorName[]).filter((name) => possible.includes(name))
}

export function errorExample(name: ErrorName) {
  const { status, message } = errors[name]
  const issues = [{ path: ['quality'], code: 'too_big', message: 'Must be at most 100.' }]
  return {
    statusCode: status,
    statusMessage: name,
    message,
    ...(name === 'invalid_params' && { issues }),
    requestId: 'req_0123456789abcdef0123456789abcdef',
    docs: `/docs/errors#${name}`,
  }
}

const isOptional = (schema: z.core.$ZodType | undefined) => schema !== undefined && z.safeParse(schema, undefined).success

export function formSchema({ fields, files, stored }: FormShape) {
  const allFiles = [...files, ...(stored ? [stored.field] : [])]
  // The output side: forms carry text, but what is meant is numbers and booleans.
  const { properties } = z.toJSONSchema(fields, { io: 'output', target: 'draft-2020-12' })
  const required = Object.keys(fields.shape).filter((name) => !isOptional(fields.shape[name]))
  return {
    type: 'object',
    properties: {
      ...Object.fromEntries(allFiles.map((name) => [name, { ...binary, description: `The ${name} file.` }])),
      ...properties,
    },
    required: [...allFiles, ...required],
  } as const
}

function errorResponses(route: Route) {
  const byStatus = Map.groupBy(errorsOf(route), (name) => errors[name].status)
  return [...byStatus].map(([status, names]) => {
    const examples = Object.fromEntries(names.map((name) => [name, { summary: errors[name].when, value: errorExample(name) }]))
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples } }
    return [String(status), { description: names.join(', '), content }] as const
  })
}

const BINARY = /^(image\/|application\/zip$)/

/** In the dialect of OpenAPI 3.1. */
export const jsonSchema = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
  return rest
}

function success(route: Route) {
  const { produces, answer } = route
  const json = answer ? jsonSchema(answer, 'output') : {}
  const schemas = produces.map((mime) => [mime, { schema: BINARY.test(mime) ? { ...binary, contentMediaType: mime } : json }])
  const described = Object.entries(answerHeaders(route)).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ])
  return { description: 'OK', headers: Object.fromEntries(described), content: Object.fromEntries(schemas) }
}

const PATH_PARAMETER = /:(\w+)/g

/** `:id` as OpenAPI writes it. */
export const templated = (path: string): string => path.replaceAll(PATH_PARAMETER, '{$1}')

/** Documented headers of a success. */
export const answerHeaders = ({ headers, idempotent }: Route): Readonly<Record<string, string>> => ({
  ...headers,
  ...(idempotent && {
    'Idempotency-Replayed': 'true where this is the answer of an earlier request with the same Idempotency-Key.',
  }),
})

export const idempotencyParameter = {
  name: IDEMPOTENCY_KEY,
  in: 'header',
  description:
    'A key of your choice, new for each request: the same request under it gives the first answer again for 24 hours, so that you may safely try again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const

function parameters({ path, query, idempotent }: Route) {
  const inPath = [...path.matchAll(PATH_PARAMETER)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const { properties = {} } = query ? jsonSchema(query, 'output') : {}
  const inQuery = Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }))
  return [...inPath, ...inQuery, ...(idempotent ? [idempotencyParameter] : [])]
}

function requestBody({ form, json, rawBody }: Route) {
  const content = {
    ...(form && { 'multipart/form-data': { schema: formSchema(form) } }),
    ...(json && { 'application/json': { schema: jsonSchema(json, 'input') } }),
    ...(rawBody && { [rawBody]: { schema: {} } }),
  }
  return Object.keys(content).length > 0 ? { requestBody: { required: !(json && isOptional(json)), content } } : {}
}

const describeRoute = (route: Route) => ({
  operationId: route.name,
  tags: [route.tag],
  summary: route.summary,
  ...(route.description && { description: route.description }),
  security: credentials[route.admission].map((name) => ({ [name]: [] })),
  ...(parameters(route).length > 0 && { parameters: parameters(route) }),
  ...requestBody(route),
  responses: {
    [String(route.success ?? 200)]: success(route),
    ...Object.fromEntries(Object.entries(route.otherwise ?? {}).map(([status, description]) => [status, { description }])),
    ...Object.fromEntries(errorResponses(route)),
  },
})

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: sk_ and 48 letters and digits.' },
  loginToken: { type: 'http', scheme: 'bearer', description: 'A login token, as sign-in answers it: at_ and 43 characters.' },
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: "A browser's session, from the same sign-in." },
} as const

const errorComponent = {
  type: 'object',
  required: ['statusCode', 'statusMessage', 'message', 'requestId', 'docs'],
  properties: {
    statusCode: { type: 'integer', description: 'The HTTP status.' },
    statusMessage: { type: 'string', enum: Object.keys(errors), description: 'The identifier to branch on.' },
    message: { type: 'string', description: 'One sentence for people.' },
    issues: {
      type: 'array',
      description: 'With invalid_params only: each faulty parameter.',
      items: {
        type: 'object',
        required: ['path', 'code', 'message'],
        properties: {
          path: { type: 'array', items: { type: ['string', 'integer'] } },
          code: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
    requestId: { type: 'string' },
    docs: { type: 'string', description: 'Where this error is explained.' },
  },
} as const

/** The OpenAPI 3.1 document, made from the routes and the error table: it cannot disagree with them. */
export function openapi(routes: readonly Route[]) {
  const paths = Map.groupBy(routes, ({ path }) => path)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pixelmill',
      version: VERSION,
      description: 'Converts, compresses and edits images.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: Object.fromEntries(
      [...paths].map(([path, rows]) => [
        templated(path),
        Object.fromEntries(rows.map((row) => [row.method.toLowerCase(), describeRoute(row)])),
      ]),
    ),
    components: {
      securitySchemes,
      schemas: { Error: errorComponent },
    },
  }
}
