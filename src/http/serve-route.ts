import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { admit } from '../admission/index.ts'
import { ApiError } from '../contract/api-error.ts'
import { limits } from '../contract/limits.ts'
import { parseQuery } from '../contract/parse.ts'
import type { Services } from '../services.ts'
import { traced } from '../tracing/tracing.ts'
import { handleOnce } from './answer-once.ts'
import { requireRoom } from './image-json/read.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { isEncoded, SEND_PLAIN } from './read-body.ts'
import { requireJsonType } from './read-json.ts'
import { noteAi } from './record-usage.ts'
import { imageJsonLimits, isLeftOut, queryOf, type RequestBody, readAs } from './request-body.ts'
import { allowanceOf, atEnd } from './request-state.ts'
import type { AiNote, Route } from './route.ts'
import { breakIfStalled } from './stalled-answer.ts'
import { UNKNOWN_FIELDS, unknownFields } from './unknown-fields.ts'
import { strangerOf } from './visitor.ts'

const NO_QUERY = z.object({})

/** The corridor of a request: admission → body → work → reply. Admission comes before a byte of the body is read. */
export function serveRoute(app: FastifyInstance, route: Route, services: Services, closing: AbortSignal): void {
  app.route({
    method: route.method,
    url: route.path,
    async onRequest(request, reply) {
      const asked = () => admit(route.admission, strangerOf(request, reply), services)
      request.visitor = await traced('admission', { 'pixelmill.admission': route.admission }, asked)
      const { place } = request.visitor
      if (place) atEnd(request, () => place[Symbol.dispose]())
    },
    // Before the framework looks at the type, which it would refuse in the words of a form.
    async preParsing(request) {
      if (route.form && isEncoded(request.raw)) throw new ApiError('missing_form_data', { message: SEND_PLAIN })
      if (route.json && !isLeftOut(route.json, request)) requireJsonType(request.raw)
      if (route.images) requireRoom(request.raw, imageJsonLimits(services).bytes)
    },
    async handler(request, reply) {
      if (route.images) holdPlace(request)
      const body = await traced('read body', {}, () => readAs(route, request, reply, services))
      const unknown = unknownFields(body.form.unknown)
      if (unknown !== undefined) reply.header(UNKNOWN_FIELDS, unknown)
      // What follows without a pause puts its image into the queue.
      request.visitor?.place?.[Symbol.dispose]()
      const { status, headers, body: bytes } = await answerTo(request, reply, body)
      breakIfStalled(reply.raw, limits.stalledAnswer, closing)
      const { metered } = request.visitor ?? {}
      if (metered?.isCharged()) services.begunAnswers?.begin(metered.reservation.id)
      return (
        reply
          .code(status)
          .headers({ ...headers, ...rateLimitHeaders(allowanceOf(request)) })
          // RFC 9110 §8.6: a 304 has the length of what it stands for, or none.
          .send(status === 304 ? undefined : bytes)
      )
    },
  })

  /**
   * A place among the AI requests from before the first byte of the body to the last of the answer: else one account could keep
   * out all others with bodies that hardly come, and fill the memory with answers that are hardly taken.
   */
  function holdPlace(request: FastifyRequest): void {
    const place = services.ai.requests.enter(request.visitor?.account ?? '')
    atEnd(request, () => place[Symbol.dispose]())
  }

  /** The route's answer, paid for. */
  async function answerTo(request: FastifyRequest, reply: FastifyReply, body: RequestBody) {
    const { visitor, gone } = request
    if (!visitor) throw new Error('a route was reached without admission')
    request.inputBytes = body.fileBytes
    try {
      const call = {
        ...body,
        query: parseQuery(route.query ?? NO_QUERY, queryOf(request)),
        path: request.params as Readonly<Record<string, string>>,
        request: { id: request.id, method: request.method, header: (name: string) => headerOf(request, name) },
        visitor,
        services,
        signal: gone.signal,
        onFault: (err: unknown, what: string) => request.log.warn({ err }, what),
        noteAi: (note: AiNote) => noteAi(request, reply, note, services),
        atEnd: (end: () => void) => atEnd(request, end),
        closing,
      }
      const answer = await handleOnce(route, call, request)
      const { body: bytes } = answer
      // Also where what follows throws, and nobody comes to read it.
      if (bytes instanceof Readable) atEnd(request, () => void bytes.destroy())
      const { status = route.success ?? 200, replayed } = answer
      gone.signal.throwIfAborted()
      // Before the answer: once it has been sent, no crash can make it free.
      const { metered } = visitor
      if (metered) await traced('settle', {}, () => (status < 300 && !replayed ? metered.settle() : metered.giveBack()))
      gone.signal.throwIfAborted()
      return { ...answer, status }
    } finally {
      await body.discard()
    }
  }
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Whether a path is one of those that a route's path stands for. */
const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`).test(path)

/** A path without parameters hides those that have them, with all of their methods: `/batch/limits` is no batch. */
function routesAt(path: string, routes: readonly Route[]): readonly Route[] {
  const exact = routes.filter((route) => route.path === path)
  return exact.length > 0 ? exact : routes.filter((route) => matches(route.path, path))
}

/** Whether the router took the path for a parameter's, with a method that the path itself does not have. */
export function isHidden({ url, routeOptions, method }: FastifyRequest, routes: readonly Route[]): boolean {
  const [path = ''] = url.split('?')
  if (routeOptions.url === path) return false
  const asked = method === 'HEAD' ? 'GET' : method
  return routes.some((route) => route.path === path) && !routes.some((route) => route.path === path && route.method === asked)
}

/** Why a request found no route: its path exists with other methods, or does not exist. */
export function notServed(request: FastifyRequest, reply: FastifyReply, routes: readonly Route[]): ApiError {
  const [path = ''] = request.url.split('?')
  const methods = routesAt(path, routes).map(({ method }) => method)
  if (methods.length === 0) return new ApiError('not_found')
  reply.header('allow', methods.map((method) => (method === 'GET' ? 'GET, HEAD' : method)).join(', '))
  return new ApiError('method_not_allowed')
}
