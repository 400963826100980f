import { jsonReply } from '../../http/json-reply.ts'
import { openapi } from '../../http/openapi/index.ts'
import { defineRoute, type Reply, type Route } from '../../http/route.ts'
import { errorsPage } from './errors-page.ts'
import { referencePage } from './reference-page.ts'

/** One fixed answer at a path, made once at start. */
const fixed = (path: string, name: string, summary: string, mime: string, reply: Reply): Route =>
  defineRoute({
    method: 'GET',
    path,
    name,
    tag: 'Documentation',
    summary,
    admission: 'open',
    produces: [mime],
    errors: [],
    handle: () => reply,
  })

/** The documentation of the given routes. */
export const documentationRoutes = (routes: readonly Route[]): readonly Route[] => [
  fixed('/docs', 'reference', 'The reference, for reading.', 'text/html', referencePage(routes)),
  fixed('/docs/errors', 'errors', 'Every error and what to do.', 'text/html', errorsPage()),
  fixed('/openapi.json', 'openapi', 'The reference as an OpenAPI 3.1 document.', 'application/json', jsonReply(openapi(routes))),
]
