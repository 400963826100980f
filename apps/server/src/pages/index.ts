import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { openapi } from '../http/openapi.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { type PageFile, pageReply } from './dashboard.ts'
import { errorsPage } from './errors-page.ts'
import { guideReader } from './guide-files.ts'
import { guideRoutes } from './guides.ts'
import { fileOf, pageRoute } from './page-route.ts'
import { programRoutes } from './programs.ts'
import { referencePage } from './reference-page.ts'

/** Documents that are kept: the whole one and those of the latest selections. */
const KEPT = 8

/**
 * The OpenAPI document. It is made and compressed at its first request: that takes 60 ms, which each start would wait for. Afterwards the
 * same bytes are sent to all.
 */
function openapiRoute(routes: readonly Route[]): Route {
  const documents = new LRUCache<string, PageFile>({ max: KEPT })
  const knownTexts = [...new Set(routes.map(({ tag }) => tag))]
  const byName = new Map(knownTexts.map((tag) => [tag.toLowerCase(), tag]))
  const tags = z
    .string()
    .transform((sentText) => sentText.split(',').map((name) => byName.get(name.trim().toLowerCase()) ?? name.trim()))
    .pipe(z.array(z.enum(knownTexts, `Must be names of parts, separated by commas: ${knownTexts.join(', ')}.`)))
    .optional()
    .meta({
      description: `Only these parts of the API, separated by commas, so that a generator makes a small client: ${knownTexts.join(', ')}.`,
    })
  const route: Route = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    name: 'openapi',
    tag: 'Documentation',
    summary: 'The reference as an OpenAPI 3.1 document.',
    admission: 'open',
    query: z.object({ tags }),
    produces: ['application/json'],
    errors: [],
    handle(call) {
      const { tags: askedTexts } = call.query
      const key = askedTexts ? knownTexts.filter((tag) => askedTexts.includes(tag)).join() : ''
      const wantedRoutes = [...routes, route].filter(({ tag }) => !askedTexts || askedTexts.includes(tag))
      const document = documents.get(key) ?? fileOf(JSON.stringify(openapi(wantedRoutes)), 'application/json; charset=utf-8')
      documents.set(key, document)
      return pageReply(document, call, { 'cache-control': 'no-cache' })
    },
  })
  return route
}

/** The documentation of the given routes; `compatible` ones are in the OpenAPI document alone. `script` is the URL of the search's script. */
export function documentationRoutes(
  routes: readonly Route[],
  script?: string,
  compatible: readonly Route[] = [],
): readonly Route[] {
  const guides = guideReader()
  const pages = [
    pageRoute('/docs', 'reference', 'The reference, for reading.', async () =>
      referencePage(routes, (await guides()).all, script),
    ),
    pageRoute('/docs/errors', 'errors', 'Every error and what to do.', () => errorsPage(routes, script)),
    ...guideRoutes(guides, routes, script),
    ...programRoutes(routes, guides),
  ]
  return [...pages, openapiRoute([...routes, ...compatible, ...pages])]
}
