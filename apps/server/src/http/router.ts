import type { IncomingMessage } from 'node:http'
import type { Route } from './route.ts'

/** A path in the syntax of routes, and the value of `Allow` there. */
export interface ServedPath {
  readonly path: string
  readonly allow: string
}

/**
 * Finds the path of the routes that an address belongs to, whichever method is asked: a method that only a more general path has is not
 * served there. So `/batch/limits` is not a batch, and imgproxy's `/{signature}/…` does not answer for any endpoint.
 */
export function servedPaths(routes: readonly Route[]): (url: string) => ServedPath | undefined {
  const all = [...Map.groupBy(routes, ({ path }) => path)].map(([path, group]) => ({ path, allow: allowOf(group) }))
  const fixedPaths = new Map(
    all.filter(({ path }) => !HAS_PARAMETER.test(path)).map((servedPath) => [servedPath.path, servedPath]),
  )
  const open = all
    .filter(({ path }) => HAS_PARAMETER.test(path))
    .sort((a, b) => compareGenerality(a.path, b.path))
    .map((servedPath) => ({ served: servedPath, pattern: patternOf(servedPath.path) }))
  return (url) => {
    const path = pathOf(url)
    return fixedPaths.get(path) ?? open.find(({ pattern }) => pattern.test(path))?.served
  }
}

const HAS_PARAMETER = /[:*]/

/** Each method once; GET also serves HEAD. */
const allowOf = (routes: readonly Route[]): string =>
  [...new Set(routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].join(', ')

/** As the router matches: a parameter or the rest may be empty. */
const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll(/:\w+/g, '[^/]*')}$`, 's')

/** As the router chooses: by the first segment that differs. */
function compareGenerality(a: string, b: string): number {
  const others = b.split('/')
  for (const [at, segment] of a.split('/').entries()) {
    const difference = generality(segment) - generality(others[at])
    if (difference !== 0) return difference
  }
  return 0
}

/** A text, a parameter with a text after it, a parameter, the rest of the path. */
function generality(segment = ''): number {
  if (segment.includes('*')) return 3
  if (/^:\w+$/.test(segment)) return 2
  return segment.includes(':') ? 1 : 0
}

/** Without the query. Of what cannot be decoded the router makes an error of its own. */
function pathOf(url: string): string {
  const [path = ''] = url.split('?')
  if (!path.includes('%')) return path
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

const SENT = 'sent'

/** For the router: a route that takes only requests with a body, beside one of the same method and path for those without. */
export const withBody = { body: SENT } as const

/** How the router tells requests with a body from others. */
export const bodyStrategy = {
  name: 'body',
  storage<Handler>() {
    const handlers = new Map<string, Handler>()
    return {
      get: (value: string) => handlers.get(value) ?? null,
      set: (value: string, handler: Handler) => void handlers.set(value, handler),
    }
  },
  deriveConstraint: (request: IncomingMessage) => (hasBody(request) ? SENT : 'none'),
}

/** RFC 9112 §6.3. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
