import { openapi } from '../../http/openapi.ts'
import { jsonReply } from '../../http/reply.ts'
import { defineRoute, type Reply, type Route } from '../../http/route.ts'
import { errorsPage } from './errors-page.ts'
import { guideRoutes } from './guides.ts'
import { pageRoute } from './page-route.ts'
import { referencePage } from './reference-page.ts'

/** The OpenAPI document, made at its first request: it takes 30 ms, which each start would wait for. */
function openapiRoute(routes: readonly Route[]): Route {
  let made: Reply | undefined
  return defineRoute({
    method: 'GET',
    path: '/openapi.json',
    name: 'openapi',
    tag: 'Documentation',
    summary: 'The reference as an OpenAPI 3.1 document.',
    admission: 'open',
    produces: ['application/json'],
    errors: [],
    handle() {
      made ??= jsonReply(openapi(routes))
      return made
    },
  })
}

/** The documentation of the given routes. `script` is the URL of the script for its search. */
export const documentationRoutes = (routes: readonly Route[], script?: string): readonly Route[] => [
  pageRoute('/docs', 'reference', 'The reference, for reading.', () => referencePage(routes, script)),
  pageRoute('/docs/errors', 'errors', 'Every error and what to do.', () => errorsPage(routes, script)),
  ...guideRoutes(script),
  openapiRoute(routes),
]
