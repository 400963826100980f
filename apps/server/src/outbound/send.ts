import { VERSION } from '@pixelmill/engine/version'
import { type Dispatcher, fetch } from 'undici'
import { asOutboundError, OutboundError } from './outbound-error.ts'

export interface OutboundRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
  /** Aborts the request, with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for the whole request: DNS lookup, connection, and the last byte of the answer. */
  readonly deadlineMs: number
  /** Maximum bytes of the answer's body after decompression; before it, the maximum is 16 MiB, for operatorFetch 64 MiB. */
  readonly maxBytes: number
}

/** The body must be read or discarded; otherwise it ends at the deadline. Redirects are not followed. */
export interface OutboundResponse {
  readonly status: number
  header(name: string): string | null
  /** @throws OutboundError timeout, too_large, network */
  chunks(): AsyncGenerator<Uint8Array>
  /** As UTF-8. @throws OutboundError timeout, too_large, network */
  text(): Promise<string>
  /** Closes the connection without reading the rest. */
  discard(): void
}

/** @throws OutboundError; the signal's reason once that aborts */
export async function send(dispatcher: Dispatcher, url: URL, request: OutboundRequest): Promise<OutboundResponse> {
  const { method = 'GET', headers, body = null, maxBytes } = request
  const clock = startClock(request)
  try {
    const response = await fetch(url, {
      method,
      // Requests no compression; servers that compress anyway are counted after inflating.
      headers: { 'accept-encoding': 'identity', 'user-agent': `Pixelmill/${VERSION}`, ...headers },
      body,
      redirect: 'manual',
      signal: clock.signal,
      dispatcher,
    })
    const chunks = () => limitedChunks(response.body, maxBytes, clock)
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      chunks,
      text: () => textOf(chunks()),
      discard: () => clock.end(),
    }
  } catch (error) {
    throw clock.failure(error)
  }
}

interface Clock {
  readonly signal: AbortSignal
  stop(): void
  /** Aborts, and closes the connection. */
  end(): void
  /** Ends with the error; the reason why the request was aborted takes precedence over its symptom. */
  failure(error: unknown): unknown
}

// Not AbortSignal.timeout: its timer would keep running, and hold its request, long after a fast answer.
function startClock({ deadlineMs, signal }: OutboundRequest): Clock {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new OutboundError('timeout', 'timeout', 'deadline')), deadlineMs)
  const onAbort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()
  const stop = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
  return {
    signal: controller.signal,
    stop,
    end() {
      stop()
      controller.abort()
    },
    failure(error) {
      const why = controller.signal.aborted ? controller.signal.reason : asOutboundError(error)
      this.end()
      return why
    },
  }
}

async function* limitedChunks(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  clock: Clock,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new OutboundError('too_large', 'too_large', `more than ${maxBytes} bytes`)
      yield chunk
    }
  } catch (error) {
    throw clock.failure(error)
  } finally {
    clock.stop()
  }
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts).toString('utf8')
}
