import { Readable } from 'node:stream'
import { limits } from '@pixelmill/codecs/contract/limits'
import { parseQuery } from '@pixelmill/codecs/contract/parse'
import { withSpan } from '@pixelmill/engine/tracing'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { acceptedScopes, admit, challengeOf } from '../admission/index.ts'
import type { Visitor } from '../admission/visitor.ts'
import { ApiError } from '../contract/api-error.ts'
import type { OwnRequest } from '../contract/own-request.ts'
import { type FingerprintedFile, fingerprint } from '../idempotency/fingerprint.ts'
import { type Answer, answerOnce } from '../idempotency/idempotency.ts'
import { IDEMPOTENCY_KEY, parseIdempotencyKey } from '../idempotency/key.ts'
import type { Services } from '../services.ts'
import { breakIfStalled } from './connections.ts'
import { isForm } from './image-form.ts'
import { requireLength } from './image-json/read.ts'
import { openIncomingFile } from './incoming-file.ts'
import { askOwnApi } from './own-request.ts'
import { isEncoded, readSmallJson, requireJsonType, SEND_PLAIN } from './read-body.ts'
import { rateLimitHeaders, UNKNOWN_FIELDS, unknownFields } from './reply.ts'
import { imageJsonLimits, isLeftOut, queryOf, type RequestBody, readAs } from './request-body.ts'
import { allowanceOf, atEnd, noteAi, type Sender } from './request-state.ts'
import type { AiNote, Form, Reply, Route } from './route.ts'
import { withBody } from './router.ts'

const NO_QUERY = z.object({})

type HandledCall = Parameters<Route['handle']>[0]

/** Registers a route: admission → body → handler → reply. Admission precedes the first byte of the body. */
export function serveRoute(app: FastifyInstance, route: Route, services: Services, closing: AbortSignal): void {
  const servedRoute = new ServedRoute(app, route, services, closing)
  app.route({
    method: route.method,
    url: route.path,
    ...(route.withBody && { constraints: withBody, exposeHeadRoute: false }),
    config: {
      faults: route.faults,
      challenge: challengeOf(route.admission),
      isPage: route.produces.includes('text/html'),
      faultHeaders: async (account) => (await route.faults?.headers?.(services, account)) ?? {},
    },
    onRequest: async (request, reply) => await servedRoute.admit(request, reply),
    // Before the framework checks the type, which it would refuse as a missing form.
    preParsing: async (request) => servedRoute.checkHead(request),
    handler: async (request, reply) => await servedRoute.answer(request, reply),
  })
}

/** The steps of a request to one route. */
class ServedRoute {
  readonly #app: FastifyInstance
  readonly #route: Route
  readonly #services: Services
  readonly #closing: AbortSignal

  constructor(app: FastifyInstance, route: Route, services: Services, closing: AbortSignal) {
    this.#app = app
    this.#route = route
    this.#services = services
    this.#closing = closing
  }

  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { admission } = this.#route
    const gates = () => admit(admission, { ...visitorOf(request, reply), scopes: acceptedScopes(this.#route) }, this.#services)
    request.visitor = await withSpan('admission', { 'pixelmill.admission': admission }, gates)
    const { place, seat } = request.visitor
    for (const one of [place, seat]) if (one) atEnd(request, () => one[Symbol.dispose]())
  }

  checkHead(request: FastifyRequest): void {
    const { form, json, images, imageForm } = this.#route
    const isImageForm = imageForm !== undefined && isForm(request.raw)
    if ((form || isImageForm) && isEncoded(request.raw)) throw new ApiError('missing_form_data', { message: SEND_PLAIN })
    if (isImageForm) return
    if (json && !isLeftOut(json, request)) requireJsonType(request.raw)
    if (images) requireLength(request.raw, imageJsonLimits(this.#services).bytes)
  }

  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (this.#route.images) this.#occupyAiRequest(request)
    const requestBody = await withSpan('read body', {}, () => readAs(this.#route, request, reply, this.#services))
    const unknownText = unknownFields(requestBody.form.unknown)
    if (unknownText !== undefined) reply.header(UNKNOWN_FIELDS, unknownText)
    // The handler queues its image without awaiting anything first.
    request.visitor?.place?.[Symbol.dispose]()
    const { status, headers, body } = await this.#runHandler(request, reply, requestBody)
    if (!request.sender) breakIfStalled(reply.raw, limits.stalledAnswer, this.#closing)
    const { metered } = request.visitor ?? {}
    if (metered?.isCharged()) this.#services.begunAnswers?.begin(metered.reservation.id)
    return (
      reply
        .code(status)
        .headers({ ...headers, ...rateLimitHeaders(allowanceOf(request)) })
        // RFC 9110 §8.6: the Content-Length of a 304 is that of the corresponding 200, or absent.
        .send(status === 304 ? undefined : body)
    )
  }

  /**
   * Counts as one of the AI requests in progress from before the first byte of the body to the last of the answer. Else one account
   * could keep out all others with bodies that it sends slowly, and fill the memory with answers that it reads slowly.
   */
  #occupyAiRequest(request: FastifyRequest): void {
    const place = this.#services.ai.requests.enter(request.visitor?.account ?? '')
    atEnd(request, () => place[Symbol.dispose]())
  }

  /** Runs the handler and charges the call. */
  async #runHandler(request: FastifyRequest, reply: FastifyReply, requestBody: RequestBody) {
    const { visitor, gone } = request
    if (!visitor) throw new Error('a route was reached without admission')
    request.inputBytes = requestBody.fileBytes
    try {
      const answer = await handleOnce(this.#route, this.#callOf(request, reply, requestBody, visitor), request)
      const { body } = answer
      // Also where the following throws, and nothing reads the stream.
      if (body instanceof Readable) atEnd(request, () => void body.destroy())
      const { status = this.#route.success ?? 200, replayed } = answer
      if (request.sender && status < 300) await giveToSender(request.sender, { ...answer, status })
      gone.signal.throwIfAborted()
      // Before the answer: once it is sent, no crash can make it free.
      const { metered } = visitor
      if (metered) await withSpan('settle', {}, () => (status < 300 && !replayed ? metered.settle() : metered.giveBack()))
      gone.signal.throwIfAborted()
      return { ...answer, status }
    } finally {
      await requestBody.discard()
    }
  }

  #callOf(request: FastifyRequest, reply: FastifyReply, requestBody: RequestBody, visitor: Visitor): HandledCall {
    const { handlerParsesQuery, query = NO_QUERY, storedBody } = this.#route
    const { signal } = request.gone
    return {
      ...requestBody,
      query: parseQuery(handlerParsesQuery ? NO_QUERY : query, queryOf(request)),
      path: request.params as Readonly<Record<string, string>>,
      request: { id: request.id, url: request.url, method: request.method, header: (name: string) => headerOf(request, name) },
      visitor,
      services: this.#services,
      signal,
      onFault: (err: unknown, what: string) => request.log.warn({ err }, what),
      noteAi: (note: AiNote) => noteAi(request, reply, note, this.#services),
      atEnd: (end: () => void) => atEnd(request, end),
      closing: this.#closing,
      ...(storedBody && { file: openIncomingFile(request, reply, this.#services, this.#closing) }),
      ownApi: (ownRequest: OwnRequest) => askOwnApi(this.#app, request, ownRequest, signal),
    }
  }
}

/** Gives an answer to the handler that asked for it, if it wants it before the charge. @throws ApiError */
async function giveToSender(
  { beforeCharge }: Sender,
  { status, headers, body }: Reply & { readonly status: number },
): Promise<void> {
  if (!beforeCharge) return
  if (!Buffer.isBuffer(body)) throw new TypeError('a handler can take only a whole answer before it is charged')
  await beforeCharge({ status, headers, body })
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}

/** The caller as the headers describe it, before any gate. */
function visitorOf({ headers, method, ip, host, protocol, raw, gone }: FastifyRequest, reply: FastifyReply): Visitor {
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

/** Runs a route's handler; for an idempotent route with an Idempotency-Key, once for each key. */
async function handleOnce(
  route: Route,
  call: HandledCall,
  { method, url, log }: { readonly method: string; readonly url: string; readonly log: FastifyBaseLogger },
): Promise<Reply & { readonly replayed: boolean }> {
  const key = route.idempotent ? parseIdempotencyKey(call.request.header(IDEMPOTENCY_KEY)) : undefined
  if (key === undefined) return { ...(await route.handle(call)), replayed: false }
  const { body, form, visitor, services } = call
  if (visitor.account === undefined) throw new Error('an idempotent route needs an account')
  const request = {
    accountId: visitor.account,
    route: route.name,
    key,
    fingerprint: fingerprint({ method, url, body, fields: form.fields, files: filesOf(form) }),
    server: services.instance.server,
  }
  const freshAnswer: { answer?: Answer } = {}
  const work = async (): Promise<Answer> => {
    const { body, ...rest } = { status: route.success ?? 200, ...(await route.handle({ ...call, idempotency: request })) }
    if (body instanceof Readable) throw new TypeError('a stream cannot be kept for a repeated request')
    freshAnswer.answer = { ...rest, body }
    return route.idempotent === 'made again' ? { ...rest, body: '' } : freshAnswer.answer
  }
  const onError = (err: unknown) => log.error({ err }, 'an answer could not be kept for its Idempotency-Key')
  const { replayed, ...kept } = await answerOnce(services.database, request, work, onError)
  const answer =
    freshAnswer.answer ?? (route.idempotent === 'made again' ? await route.handle({ ...call, replayed: true }) : kept)
  return { ...answer, replayed, headers: { ...answer.headers, ...(replayed && { 'idempotency-replayed': 'true' }) } }
}

const filesOf = ({ files, stored }: Form): ReadonlyMap<string, FingerprintedFile> =>
  new Map<string, FingerprintedFile>([...files, ...(stored ? ([['(stored)', stored]] as const) : [])])
