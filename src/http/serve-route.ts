import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { admit } from '../admission/index.ts'
import { ApiError } from '../contract/api-error.ts'
import type { Services } from '../services.ts'
import { readForm } from './read-form.ts'
import type { Form, Route } from './route.ts'

const NO_FORM: Form = { fields: new Map(), files: new Map() }

/** The corridor of a request: admission → body → work → reply. Admission comes before a byte of the body is read. */
export function serveRoute(app: FastifyInstance, route: Route, services: Services): void {
  const timeoutSeconds = services.config.UPLOAD_TIMEOUT_S
  app.route({
    method: route.method,
    url: route.path,
    async onRequest(request) {
      request.visitor = await admit(route.admission, request.headers.authorization, services)
      request.charge = request.visitor.admitted?.charge ?? null
    },
    async handler(request, reply) {
      const { visitor, gone } = request
      if (!visitor) throw new Error('a route was reached without admission')
      if (route.form && request.headers.expect) reply.raw.writeContinue()
      const form = route.form ? await readForm(request.raw, { files: route.form.files, timeoutSeconds }, gone.signal) : NO_FORM
      const { status = 200, headers, body } = await route.handle({ form, visitor, services, signal: gone.signal })
      gone.signal.throwIfAborted()
      return reply.code(status).headers(headers).send(body)
    },
  })
}

/** Why a request found no route: its path exists with other methods, or does not exist. */
export function notServed(request: FastifyRequest, reply: FastifyReply, routes: readonly Route[]): ApiError {
  const [path] = request.url.split('?')
  const methods = routes.filter((route) => route.path === path).map(({ method }) => method)
  if (methods.length === 0) return new ApiError('not_found')
  reply.header('allow', methods.map((method) => (method === 'GET' ? 'GET, HEAD' : method)).join(', '))
  return new ApiError('method_not_allowed')
}
