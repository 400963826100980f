import { type Agent, type IncomingMessage, request } from 'node:http'

export interface PreparedRequest {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

export interface Answer {
  /** 0 if there was no response. */
  readonly status: number
  readonly timedOut: boolean
  readonly ms: number
  readonly bytes: number
  readonly retryAfterSeconds: number
}

const patienceMs = 60_000

/** Sends one request and counts the bytes of its response without keeping them; never rejects. */
export function sendRequest(agent: Agent, { port, path, headers, body }: PreparedRequest): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const startMs = performance.now()
  let timedOut = false
  const end = (status: number, bytes: number, retryAfterSeconds = 0) => {
    clearTimeout(alarm)
    resolve({ status, timedOut, ms: performance.now() - startMs, bytes, retryAfterSeconds })
  }
  const read = (answer: IncomingMessage) => {
    let bytes = 0
    answer.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    answer.on('end', () => end(answer.statusCode ?? 0, bytes, Number(answer.headers['retry-after'] ?? 0)))
    answer.on('error', () => end(0, bytes))
  }
  const method = body ? 'POST' : 'GET'
  const outgoing = request({ host: '127.0.0.1', port, path, method, agent, headers }, read)
  // The server may respond early and close: the response is settled by then, and a second end changes nothing.
  outgoing.on('error', () => end(0, 0))
  const alarm = setTimeout(() => {
    timedOut = true
    outgoing.destroy()
  }, patienceMs)
  outgoing.end(body)
  return promise
}
