import type { OtherAnswer, Route } from '../route.ts'
import { UNKNOWN_FIELDS, unknownFieldsText } from '../unknown-fields.ts'
import { errorResponses } from './errors.ts'
import { binary, jsonSchema } from './schema.ts'

/** Of RFC 9110 §15. */
const phrases: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' }

const BINARY = /^(image\/|application\/zip$)/
const TEXT = /^text\//

function mediaType(mime: string, { answer, example }: Route) {
  if (BINARY.test(mime)) return { schema: binary(mime) }
  const schema = answer ? jsonSchema(answer, 'output') : TEXT.test(mime) ? { type: 'string' } : {}
  return { schema, ...(example !== undefined && { example }) }
}

/** Documented headers of a success. */
export const answerHeaders = ({ headers, idempotent, form }: Route): Readonly<Record<string, string>> => ({
  ...headers,
  ...(form && { [UNKNOWN_FIELDS]: unknownFieldsText }),
  ...(idempotent && {
    'Idempotency-Replayed': 'true where this is the answer of an earlier request with the same Idempotency-Key.',
  }),
})

const described = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }] as const),
  )

const success = (route: Route) => ({
  description: phrases[route.success ?? 200] ?? 'Success',
  headers: described(answerHeaders(route)),
  content: Object.fromEntries(route.produces.map((mime) => [mime, mediaType(mime, route)])),
})

const other = (route: Route, { description, headers, hasBody }: OtherAnswer) => ({
  description,
  ...(headers && { headers: described(headers) }),
  ...(hasBody && { content: success(route).content }),
})

/** Every answer of a route, by status. */
export const responses = (route: Route) => ({
  [String(route.success ?? 200)]: success(route),
  ...Object.fromEntries(Object.entries(route.otherwise ?? {}).map(([status, answer]) => [status, other(route, answer)])),
  ...Object.fromEntries(errorResponses(route)),
})
