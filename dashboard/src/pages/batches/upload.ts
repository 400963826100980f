import { unreachable } from '../../api/api-failure.ts'
import type { Answer } from '../../api/client.ts'
import { jsonOf, sendBy } from '../../api/send.ts'

export interface BatchUpload {
  readonly archive: Blob
  readonly fileName: string
  readonly fields: Readonly<Record<string, string>>
  /** The same for each attempt, so that a repeated one creates no second batch. */
  readonly idempotencyKey: string
  onprogress(sent: number, total: number): void
  readonly signal: AbortSignal
}

export type StartedBatch = Answer<'/api/v2/batch', 'post'>

const headersOf = (request: XMLHttpRequest): Headers =>
  new Headers(
    request
      .getAllResponseHeaders()
      .trim()
      .split('\r\n')
      .map((line): [string, string] => {
        const at = line.indexOf(':')
        return [line.slice(0, at), line.slice(at + 1).trim()]
      }),
  )

/** By XMLHttpRequest, since fetch does not report upload progress. */
function attempt({ archive, fileName, fields, idempotencyKey, onprogress, signal }: BatchUpload): Promise<Response> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('file', archive, fileName)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/api/v2/batch')
    request.setRequestHeader('idempotency-key', idempotencyKey)
    request.upload.onprogress = ({ loaded, total }) => onprogress(loaded, total)
    request.onload = () => resolve(new Response(request.responseText, { status: request.status, headers: headersOf(request) }))
    request.onerror = () => reject(unreachable())
    request.onabort = () => reject(signal.reason)
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}

/** @throws ApiFailure; AbortError */
export async function uploadBatch(upload: BatchUpload): Promise<StartedBatch> {
  const response = await sendBy(() => attempt(upload))
  return (await jsonOf(response)) as StartedBatch
}
