import type { FastifyInstance } from 'fastify'
import { admit } from '../admission/index.ts'
import { ApiError } from '../contract/api-error.ts'
import type { Services } from '../services.ts'
import { readForm } from './read-form.ts'
import type { Form, Route } from './route.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

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

/** A path that exists, asked with another method. */
export function refuseOtherMethods(app: FastifyInstance, path: string, routes: readonly Route[]): void {
  const methods = routes.filter((route) => route.path === path).map(({ method }) => method)
  const allowed = methods.flatMap((method) => (method === 'GET' ? (['GET', 'HEAD'] as const) : [method]))
  app.route({
    method: METHODS.filter((method) => !(allowed as readonly string[]).includes(method)),
    url: path,
    handler(_request, reply) {
      reply.header('allow', allowed.join(', '))
      throw new ApiError('method_not_allowed')
    },
  })
}
