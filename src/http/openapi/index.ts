import { credentials } from '../../admission/index.ts'
import { VERSION } from '../../version.ts'
import type { Route } from '../route.ts'
import { responses } from './answers.ts'
import { errorComponent } from './errors.ts'
import { parameters, requestBody, templated } from './request.ts'
import { jsonSchema } from './schema.ts'
import { webhooks } from './webhooks.ts'

const describeRoute = (route: Route) => ({
  operationId: route.name,
  tags: [route.tag],
  summary: route.summary,
  ...(route.description && { description: route.description }),
  security: credentials[route.admission].map((name) => ({ [name]: [] })),
  ...(parameters(route).length > 0 && { parameters: parameters(route) }),
  ...requestBody(route),
  responses: responses(route),
})

const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: sk_ and 48 letters and digits.' },
  loginToken: { type: 'http', scheme: 'bearer', description: 'A login token, as sign-in answers it: at_ and 43 characters.' },
  session: { type: 'apiKey', in: 'cookie', name: 'session', description: "A browser's session, from the same sign-in." },
} as const

/** Of the files that are inside an answer; its description refers to them by name. */
const contents = (routes: readonly Route[]) =>
  Object.fromEntries(
    routes.flatMap(({ contains = {} }) => Object.entries(contains).map(([name, schema]) => [name, jsonSchema(schema, 'output')])),
  )

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
    webhooks: webhooks(routes),
    components: {
      securitySchemes,
      schemas: { Error: errorComponent, ...contents(routes) },
    },
  }
}
