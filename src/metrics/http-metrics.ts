import type { Meter } from './meter.ts'
import type { Watched } from './watched.ts'

/** Numbers of requests and their answers. Routes are told by their pattern, never by what was asked. */
export interface HttpMetrics {
  /** A request has come; the function is to be called when its answer has been sent, or its client has gone. */
  onRequest(): () => void
  onResponse(response: {
    readonly method: string
    readonly route: string
    readonly status: number
    readonly seconds: number
    /** The identifier, where it was an error. */
    readonly error?: string | null
  }): void
  onPasswordDerivation(): void
}

export function httpMetrics(meter: Meter, watched: Partial<Watched>): HttpMetrics {
  const requests = meter.histogram('http_request_seconds', 'Time from request to answer.', ['method', 'route', 'status'])
  const errors = meter.counter('errors_total', 'Answers that were errors, by identifier: docs/errors.md.', ['error', 'route'])
  const underWay = meter.gauge('http_requests_in_flight', 'Requests whose answer has not been sent to the end.')
  const derivations = meter.counter('password_derivations_total', 'Passwords hashed or checked.')
  meter.number('event_streams_open', 'Followers of batches: event streams that are open.', () => watched.batchWatch?.followers())
  meter.number('downloads_open', 'Results of batches that are being fetched.', () => watched.downloads?.count())
  return {
    onRequest() {
      underWay.inc()
      return () => underWay.dec()
    },
    onResponse({ method, route, status, seconds, error }) {
      requests.observe({ method, route, status }, seconds)
      if (error) errors.inc({ error, route })
    },
    onPasswordDerivation: () => derivations.inc(),
  }
}
