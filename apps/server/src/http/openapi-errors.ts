import { component } from '@pixelmill/codecs/contract/component'
import { refusals } from '../admission/index.ts'
import { type ErrorName, errors } from '../contract/errors.ts'
import { providerFaults } from '../contract/provider-faults.ts'
import { jsonSchema } from './openapi-request.ts'
import type { Route, StoredFile } from './route.ts'

const FORM_ERRORS = ['missing_form_data', 'invalid_params', 'upload_timeout'] as const satisfies readonly ErrorName[]
/** Besides those of the form: a stored file has a limit of its own. */
const storedErrors = ({ tooLarge }: StoredFile): readonly ErrorName[] => [tooLarge, 'storage_full', 'storage_unavailable']
const BODY_ERRORS = ['invalid_params', 'upload_timeout'] as const satisfies readonly ErrorName[]
const IMAGES_ERRORS = ['file_too_large', 'server_busy'] as const satisfies readonly ErrorName[]
/** invalid_params for U+0000 in the address. */
const EVERYWHERE = ['invalid_params', 'internal_error', 'database_unavailable'] as const satisfies readonly ErrorName[]

/** Every error that a route may answer, in the order of the table. */
export function errorsOf(route: Route): readonly ErrorName[] {
  const possible: readonly ErrorName[] = [
    ...refusals[route.admission],
    ...(route.form ? FORM_ERRORS : []),
    ...(route.form?.stored ? storedErrors(route.form.stored) : []),
    ...(route.form?.files.length ? (['file_too_large'] as const) : []),
    ...(route.json || route.rawBody ? BODY_ERRORS : []),
    ...(route.images ? IMAGES_ERRORS : []),
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
    ...(name === 'ai_provider_error' && { kind: 'model_not_found' }),
    ...(name === 'background_not_separable' && { confidence: 0.42 }),
    requestId: 'req_0123456789abcdef0123456789abcdef',
    docs: `/docs/errors#${name}`,
  }
}

/** By status: those of the error table, and those that the handler answers by itself. */
export function errorResponses(route: Route) {
  const { faults } = route
  const own = faults ? [jsonSchema(faults.schema, 'output')] : []
  const usual = { $ref: '#/components/schemas/Error' }
  const byStatus = Map.groupBy(errorsOf(route), (name) => errors[name].status)
  const ofTable = [...byStatus].map(([status, names]) => {
    const description = names.join(', ')
    if (faults?.body) return [status, withJson(description, own)] as const
    const examples = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }]))
    const isBoth = faults?.statuses?.[status] !== undefined
    return [status, withJson(description, isBoth ? [usual, ...own] : [usual], examples)] as const
  })
  const ofHandler = Object.entries(faults?.statuses ?? {}).map(([status, text]) => [status, withJson(text, own)] as const)
  return Object.entries({ ...Object.fromEntries(ofHandler), ...Object.fromEntries(ofTable) })
}

function withJson(description: string, schemas: readonly object[], examples?: object) {
  const [schema, ...others] = schemas
  const content = { schema: others.length > 0 ? { anyOf: schemas } : schema, ...(examples && { examples }) }
  return { description, content: { 'application/json': content } }
}

/** One of each error that a route may answer, by name. */
export function errorExamples(routes: readonly Route[]) {
  const possible = new Set(routes.flatMap(errorsOf))
  const names = (Object.keys(errors) as ErrorName[]).filter((name) => possible.has(name))
  return Object.fromEntries(names.map((name) => [name, { summary: errors[name].when, value: errorExample(name) }]))
}

/** The body of every error. */
export const errorComponent = {
  type: 'object',
  required: ['statusCode', 'statusMessage', 'message', 'requestId', 'docs'],
  properties: {
    statusCode: { type: 'integer', description: 'The HTTP status code.' },
    statusMessage: { type: 'string', enum: Object.keys(errors), description: 'The error identifier, for programs.' },
    message: { type: 'string', description: 'One sentence for users.' },
    issues: {
      type: 'array',
      description: 'Only with invalid_params: each invalid parameter.',
      items: {
        ...component('Issue'),
        type: 'object',
        required: ['path', 'code', 'message'],
        properties: {
          path: { type: 'array', items: { type: ['string', 'integer'] } },
          code: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
    kind: { type: 'string', enum: providerFaults, description: 'Only with ai_provider_error: how the model server failed.' },
    confidence: {
      type: 'number',
      description: 'Only with background_not_separable: the confidence of the last remover, from 0 to 1.',
    },
    requestId: { type: 'string' },
    docs: { type: 'string', description: 'URL of the documentation of this error.' },
  },
} as const
