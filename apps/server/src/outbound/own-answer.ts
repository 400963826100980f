import { request } from 'node:http'

export interface OwnAnswer {
  readonly status: number
  /** As UTF-8, truncated at 64 KiB. */
  readonly text: string
}

const MAX_BYTES = 65_536

/**
 * Sends a request to a Pixelmill on this machine. Uses Node's own client: a process that sends one request and exits need not
 * load another.
 * @throws the connection's error, and after `ms` a timeout
 */
export function ownAnswer(url: URL, ms: number): Promise<OwnAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<OwnAnswer>()
  const askedRequest = request(url, { agent: false, signal: AbortSignal.timeout(ms) }, (response) => {
    const chunks: Buffer[] = []
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      if (bytes < MAX_BYTES) chunks.push(chunk.subarray(0, MAX_BYTES - bytes))
      bytes += chunk.length
    })
    response.once('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
    response.once('error', reject)
  })
  askedRequest.once('error', (error) => reject(error.name === 'AbortError' ? new Error(`no answer in ${ms / 1000} s`) : error))
  askedRequest.end()
  return promise
}
