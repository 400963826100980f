import type { IncomingMessage } from 'node:http'

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
