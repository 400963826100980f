import { jsonReply } from '../../http/json-reply.ts'
import { openapi } from '../../http/openapi.ts'
import { defineRoute, type Route } from '../../http/route.ts'

/** The documentation of the given routes, made once at start. */
export function documentationRoutes(routes: readonly Route[]): readonly Route[] {
  const document = jsonReply(openapi(routes))
  return [
    defineRoute({
      method: 'GET',
      path: '/openapi.json',
      name: 'openapi',
      tag: 'Documentation',
      summary: 'This service as an OpenAPI 3.1 document.',
      admission: 'open',
      produces: ['application/json'],
      errors: [],
      handle: () => document,
    }),
  ]
}
