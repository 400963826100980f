import { component } from '@pixelmill/codecs/contract/component'
import { ENGINE } from '@pixelmill/codecs/contract/limits'
import { VERSION } from '@pixelmill/engine/version'
import { acceptedScopes, credentials } from '../admission/index.ts'
import { withComponents } from './openapi-components.ts'
import { errorComponent, errorExamples, errorResponses } from './openapi-errors.ts'
import { plainSchemas, withConstants } from './openapi-plain.ts'
import { binary, headerParameter, jsonSchema, parameters, requestBody, templatePath } from './openapi-request.ts'
import { UNKNOWN_FIELDS, unknownFieldsText } from './reply.ts'
import type { OtherAnswer, Route, Webhook } from './route.ts'

const describeRoute = (route: Route) => ({
  operationId: route.name,
  tags: [route.tag],
  summary: route.summary,
  ...describedText(route),
  security: credentials[route.admission].map((name) => ({ [name]: [] })),
  ...(parameters(route).length > 0 && { parameters: parameters(route) }),
  ...requestBody(route),
  responses: responses(route),
})

/** Scopes stand in the text: in OpenAPI's list of roles a key would need all of them, where one of several will do. */
function describedText(route: Route): { readonly description?: string } {
  const scopes = acceptedScopes(route)
  const texts = [route.description, scopes && `An API key needs the scope ${quotedNames(scopes)}.`].filter(Boolean)
  return texts.length === 0 ? {} : { description: texts.join(' ') }
}

const quotedNames = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(' or ')

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: sk_ and 48 letters and digits.' },
  loginToken: { type: 'http', scheme: 'bearer', description: 'A login token, as returned by sign-in: at_ and 43 characters.' },
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: "A browser's session, from the same sign-in." },
} as const

/** Schemas of texts inside requests, and of files inside answers, which nothing refers to but descriptions. */
const others = (routes: readonly Route[]) =>
  routes.flatMap(({ sends = {}, contains = {} }) => [
    ...Object.entries(sends).map(([name, schema]) => ({ ...jsonSchema(schema, 'input'), ...component(name) })),
    ...Object.entries(contains).map(([name, schema]) => ({ ...jsonSchema(schema, 'output'), ...component(name) })),
  ])

/** The OpenAPI 3.1 document, made from the routes and the error table: it cannot disagree with them. */
export function openapi(routes: readonly Route[]) {
  // One operation for each method of a path.
  const byPath = Map.groupBy(
    routes.filter(({ withBody }) => !withBody),
    ({ path }) => path,
  )
  const describedHeaders = {
    paths: Object.fromEntries(
      [...byPath].map(([path, rows]) => [
        templatePath(path),
        Object.fromEntries(rows.map((row) => [row.method.toLowerCase(), describeRoute(row)])),
      ]),
    ) as Readonly<Record<string, object>>,
    webhooks: webhooks(routes),
    others: [...others(routes), { ...errorComponent, ...component('Error') }],
  }
  const [namedSchemas, components] = withComponents(describedHeaders)
  const { paths, webhooks: events, schemas } = plainSchemas({ ...namedSchemas, schemas: withConstants(components) }, components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Pixelmill',
      version: VERSION,
      'x-engine': ENGINE,
      description: 'Converts, compresses and edits images.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks: events,
    components: { securitySchemes, schemas, examples: errorExamples(routes) },
  }
}

/** RFC 9110 §15. */
const phrases: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'No Content' }

const BINARY = /^(image\/|application\/zip$)/
const TEXT = /^text\//

function mediaType(mime: string, { answer, example }: Route) {
  if (BINARY.test(mime)) return { schema: binary(mime) }
  const schema = answer ? jsonSchema(answer, 'output') : TEXT.test(mime) ? { type: 'string' } : {}
  return { schema, ...(example !== undefined && { example }) }
}

/** Documented headers of a success. */
export const answerHeaders = ({ headers, idempotent, form }: Route): Readonly<Record<string, string>> => ({
  ...headers,
  ...(form && { [UNKNOWN_FIELDS]: unknownFieldsText }),
  ...(idempotent && {
    'Idempotency-Replayed': 'true where this is the answer of an earlier request with the same Idempotency-Key.',
  }),
})

const describedHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }] as const),
  )

const success = (route: Route) => ({
  description: phrases[route.success ?? 200] ?? 'Success',
  headers: describedHeaders(answerHeaders(route)),
  content: Object.fromEntries(route.produces.map((mime) => [mime, mediaType(mime, route)])),
})

const other = (route: Route, { description, headers, hasBody }: OtherAnswer) => ({
  description,
  ...(headers && { headers: describedHeaders(headers) }),
  ...(hasBody && { content: success(route).content }),
})

/** Every answer of a route, by status. */
const responses = (route: Route) => ({
  [String(route.success ?? 200)]: success(route),
  ...Object.fromEntries(Object.entries(route.otherwise ?? {}).map(([status, answer]) => [status, other(route, answer)])),
  ...Object.fromEntries(errorResponses(route)),
})

const header = ([name, description]: readonly [string, string]) => ({
  ...headerParameter([name, { description }]),
  required: true,
  schema: { type: 'string' },
})

const describeWebhook = (tag: string, { name, summary, headers, body }: Webhook) => ({
  post: {
    operationId: name,
    tags: [tag],
    summary,
    // A receiver checks the signature; it needs no credentials.
    security: [],
    parameters: Object.entries(headers).map(header),
    requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'output') } } },
    responses: { '2XX': { description: 'Accepted. After any other status except 410 the delivery is retried.' } },
  },
})

/** The webhooks that the routes cause. */
const webhooks = (routes: readonly Route[]) =>
  Object.fromEntries(
    routes.flatMap(({ tag, webhooks = [] }) => webhooks.map((webhook) => [webhook.name, describeWebhook(tag, webhook)] as const)),
  )
