import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { admit } from '../admission/index.ts'
import { ApiError } from '../contract/api-error.ts'
import { limits } from '../contract/limits.ts'
import { parseJson, parseQuery } from '../contract/parse.ts'
import type { Services } from '../services.ts'
import { handleOnce } from './answer-once.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { readBody } from './read-body.ts'
import { readForm } from './read-form.ts'
import { readJson, requireJsonType } from './read-json.ts'
import { allowanceOf } from './request-state.ts'
import type { Form, Route } from './route.ts'
import { strangerOf } from './visitor.ts'

const NO_FORM: Form = { fields: new Map(), files: new Map() }
const NO_QUERY = z.object({})
const NO_BYTES = Buffer.alloc(0)

/** The corridor of a request: admission → body → work → reply. Admission comes before a byte of the body is read. */
export function serveRoute(app: FastifyInstance, route: Route, services: Services): void {
  app.route({
    method: route.method,
    url: route.path,
    async onRequest(request) {
      request.visitor = await admit(route.admission, strangerOf(request), services)
    },
    // Before the framework looks at the type, which it would refuse in the words of a form.
    async preParsing(request) {
      if (route.json && !isLeftOut(route.json, request)) requireJsonType(request.raw)
    },
    async handler(request, reply) {
      const { visitor, gone } = request
      if (!visitor) throw new Error('a route was reached without admission')
      const body = await readAs(route, request, reply, services.config.UPLOAD_TIMEOUT_S)
      request.inputBytes = sum([...body.form.files.values()].map(({ bytes }) => bytes))
      const call = {
        ...body,
        query: parseQuery(route.query ?? NO_QUERY, queryOf(request)),
        path: request.params as Readonly<Record<string, string>>,
        request: { id: request.id, header: (name: string) => headerOf(request, name) },
        visitor,
        services,
        signal: gone.signal,
      }
      const answer = await handleOnce(route, call, request)
      gone.signal.throwIfAborted()
      const { status = route.success ?? 200, headers, body: bytes } = answer
      // Before the answer: once it has been sent, no crash can make it free.
      await (status < 300 ? visitor.metered?.settle() : visitor.metered?.giveBack())
      gone.signal.throwIfAborted()
      return reply
        .code(status)
        .headers({ ...headers, ...rateLimitHeaders(allowanceOf(request)) })
        .send(bytes)
    },
  })
}

/** Whether the body is one that may be left out, and was: RFC 9112 §6.3, a request without either header has none. */
const isLeftOut = (json: z.ZodType, { headers }: FastifyRequest): boolean =>
  json.safeParse(undefined).success && headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0

/** The body in the one shape that the route takes. */
async function readAs({ form, json, rawBody }: Route, request: FastifyRequest, reply: FastifyReply, timeoutSeconds: number) {
  const { signal } = request.gone
  const size = { bytes: rawBody ? limits.webhookBytes : limits.jsonBytes, timeoutSeconds }
  if ((form || json || rawBody) && request.headers.expect) reply.raw.writeContinue()
  return {
    form: form ? await readForm(request.raw, { files: form.files, timeoutSeconds }, signal) : NO_FORM,
    body: json && parseJson(json, isLeftOut(json, request) ? undefined : await readJson(request.raw, size, signal)),
    raw: rawBody ? await readBody(request.raw, size, signal) : NO_BYTES,
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

const queryOf = ({ url }: FastifyRequest): URLSearchParams => new URLSearchParams(url.split('?')[1] ?? '')

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Whether a path is one of those that a route's path stands for. */
const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`).test(path)

/** Why a request found no route: its path exists with other methods, or does not exist. */
export function notServed(request: FastifyRequest, reply: FastifyReply, routes: readonly Route[]): ApiError {
  const [path = ''] = request.url.split('?')
  const methods = routes.filter((route) => matches(route.path, path)).map(({ method }) => method)
  if (methods.length === 0) return new ApiError('not_found')
  reply.header('allow', methods.map((method) => (method === 'GET' ? 'GET, HEAD' : method)).join(', '))
  return new ApiError('method_not_allowed')
}
