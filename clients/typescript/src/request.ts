import { errorOf, PixelmillError } from './error.ts'

export interface Options {
  /** The address of the server, such as `https://images.example.com`. In a page of the server itself it can be left out. */
  readonly url?: string | undefined
  /** An API key, `sk_…`, or a login token. Without it, a browser sends its session. */
  readonly key?: string | undefined
  /** How often a request is sent in all while the server is away or busy. */
  readonly tries?: number | undefined
  /** In place of the global one. */
  readonly fetch?: typeof fetch
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: FormData | string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly cache?: NonNullable<RequestInit['cache']>
  readonly signal?: AbortSignal | undefined
  /** The body is read by the caller, and not again if it breaks off. */
  readonly streams?: true
}

/** Sends a request, again if need be. @throws PixelmillError; the signal's reason once that aborts */
export type Send = (path: string, call?: Call) => Promise<Response>

const TRIES = 4
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000
/** A server that asks for more is not waited for. */
const LONGEST_RETRY_AFTER_S = 60

export function sender({ url = '', key, tries = TRIES, fetch: send = globalThis.fetch }: Options): Send {
  const base = url.replace(/\/+$/, '')
  return async (path, { method = 'GET', body, headers, signal, streams, ...rest } = {}) => {
    const init = {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      // The same at every try: what was carried out, but not answered, is not done and charged again.
      ...(method === 'POST' && tries > 1 && { 'idempotency-key': newKey() }),
      ...headers,
    }
    for (let nth = 1; ; nth++) {
      signal?.throwIfAborted()
      const error = await attempt()
      if (error instanceof Response) return error
      const { isTemporary, retryAfterSeconds = 0 } = error
      if (!isTemporary || nth >= tries || retryAfterSeconds > LONGEST_RETRY_AFTER_S) throw error
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** nth) * (0.5 + Math.random() / 2)
      await sleep(Math.max(retryAfterSeconds * 1000, pause), signal)
    }
    async function attempt(): Promise<Response | PixelmillError> {
      try {
        const response = await send(base + path, { ...rest, method, headers: init, body: body ?? null, signal: signal ?? null })
        if (!response.ok) return await errorOf(response)
        if (streams) return response
        // Read here, since it may break off as well. A 204 may have no body, not even an empty one, as Chromium gives it.
        const bytes = await response.arrayBuffer()
        return new Response(bytes.byteLength > 0 ? bytes : null, response)
      } catch (cause) {
        signal?.throwIfAborted()
        return new PixelmillError('unreachable', `${base || 'The server'} cannot be reached.`, { cause })
      }
    }
  }
}

/** An Idempotency-Key. Pages that come over plain HTTP, as in a local network, have no `crypto.randomUUID`. */
export const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** @throws the signal's reason once that aborts */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
