import type { FastifyRequest } from 'fastify'
import type { Visitor } from '../admission/gate.ts'

/** What the headers say of a caller, before anybody has been asked. */
export const strangerOf = ({ headers, method, ip, protocol }: FastifyRequest): Visitor => ({
  authorization: headers.authorization,
  cookie: headers.cookie,
  origin: headers.origin,
  host: headers.host,
  method,
  address: ip,
  secure: protocol === 'https',
})
