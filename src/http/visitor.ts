import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../admission/gate.ts'
import { readSmallJson } from './read-json.ts'

/** What the headers say of a caller, before anybody has been asked. */
export function strangerOf({ headers, method, ip, host, protocol, raw, gone }: FastifyRequest, reply: FastifyReply): Visitor {
  return {
    authorization: headers.authorization,
    cookie: headers.cookie,
    origin: headers.origin,
    fetchSite: headers['sec-fetch-site'],
    host: host || undefined,
    method,
    address: ip,
    secure: protocol === 'https',
    smallBody: () => readSmallJson(raw, reply.raw, gone.signal),
  }
}
