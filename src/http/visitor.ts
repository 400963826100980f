import type { FastifyRequest } from 'fastify'
import type { Visitor } from '../admission/gate.ts'

/** What the headers say of a caller, before anybody has been asked. */
export const strangerOf = ({ headers, method, ip, host, protocol }: FastifyRequest): Visitor => ({
  authorization: headers.authorization,
  cookie: headers.cookie,
  origin: headers.origin,
  fetchSite: headers['sec-fetch-site'],
  host: host || undefined,
  method,
  address: ip,
  secure: protocol === 'https',
})
