import type { ErrorBody } from './call.ts'

export interface JsonAnswer<Body> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
  /** `body` as an error body, where the status is an error. */
  readonly error: ErrorBody | undefined
}

interface Sent {
  /** Sent unchanged if it is a string, a form or a file. */
  readonly body?: unknown
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** One call of a JSON endpoint: `send(url, 'POST /api/auth/sign-in', { body })`. */
export async function send<Body = Record<string, unknown>>(
  url: string,
  call: string,
  { body, token, headers = {} }: Sent = {},
): Promise<JsonAnswer<Body>> {
  const [method = '', path = ''] = call.split(' ')
  const isForm = body instanceof FormData || body instanceof Blob
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' || isForm ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const parsedValue = text === '' ? undefined : JSON.parse(text)
  return {
    status: response.status,
    headers: response.headers,
    body: parsedValue as Body,
    error: response.status >= 400 ? (parsedValue as ErrorBody) : undefined,
  }
}
