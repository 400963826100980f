import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const OURS = /^[A-Za-z0-9_-]{8,64}$/

/** The caller's own id where it is harmless in a header and a log line, else a new one. */
export function requestId(headers: IncomingHttpHeaders = {}): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && OURS.test(given) ? given : `req_${randomUUID().replaceAll('-', '')}`
}
