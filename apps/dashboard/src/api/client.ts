import { notOurs } from './api-failure.ts'
import type { paths } from './schema.d.ts'
import { send } from './send.ts'

const METHODS = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const
type Method = keyof typeof METHODS

/** The paths that have an operation for a method. */
type PathOf<M extends Method> = { [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never }[keyof paths]

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never

/** The body of a successful response. */
export type Answer<P extends keyof paths, M extends Method> = paths[P][M] extends { responses: infer All }
  ? Json<All[Extract<keyof All, 200 | 201 | 202>]>
  : never

type BodyOf<Operation> = Operation extends { requestBody?: infer Body } ? Json<NonNullable<Body>> : never
type Parameters<Operation, Place extends 'path' | 'query'> = Operation extends { parameters: { [K in Place]?: infer Values } }
  ? NonNullable<Values>
  : never

interface Parts<Operation> {
  /** Values of path parameters such as `{id}`. */
  readonly path?: Parameters<Operation, 'path'>
  readonly query?: Parameters<Operation, 'query'>
  readonly body?: BodyOf<Operation>
  readonly signal?: AbortSignal
  /** A repeated request with the same key gets the first answer. */
  readonly idempotencyKey?: string
}

/** The URL of a path of the OpenAPI document with its parameters. */
export function addressOf(template: string, values: object = {}, query: object = {}): string {
  const path = Object.entries(values).reduce(
    (address, [name, value]) => address.replace(`{${name}}`, encodeURIComponent(String(value))),
    template,
  )
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
  return search.size > 0 ? `${path}?${search}` : path
}

async function call<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  parts: Parts<paths[P][M]> = {},
): Promise<Answer<P, M>> {
  const { body, signal, idempotencyKey } = parts
  const response = await send(addressOf(path, parts.path, parts.query), {
    method: METHODS[method],
    headers: { ...(idempotencyKey && { 'idempotency-key': idempotencyKey }) },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal,
  })
  // 204 has no body.
  return (response.status === 204 ? undefined : await jsonOf(response)) as Answer<P, M>
}

/** The JSON of a successful response. @throws ApiFailure for a page that a proxy sends as a success */
export async function jsonOf(response: Response): Promise<unknown> {
  return await response.json().catch(() => Promise.reject(notOurs(response.status)))
}

/** The API, typed by its OpenAPI document. Every call may throw ApiFailure. */
export const api = {
  get: <P extends PathOf<'get'>>(path: P, parts?: Parts<paths[P]['get']>) => call('get', path, parts),
  post: <P extends PathOf<'post'>>(path: P, parts?: Parts<paths[P]['post']>) => call('post', path, parts),
  put: <P extends PathOf<'put'>>(path: P, parts?: Parts<paths[P]['put']>) => call('put', path, parts),
  patch: <P extends PathOf<'patch'>>(path: P, parts?: Parts<paths[P]['patch']>) => call('patch', path, parts),
  delete: <P extends PathOf<'delete'>>(path: P, parts?: Parts<paths[P]['delete']>) => call('delete', path, parts),
} as const
