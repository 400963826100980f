import { type Answer, jsonOf } from '../../api/client.ts'
import { sendBy } from '../../api/send.ts'

export interface BatchUpload {
  readonly archive: Blob
  readonly fileName: string
  readonly fields: Readonly<Record<string, string>>
  /** The same for each attempt, so that a repeated one creates no second batch. */
  readonly idempotencyKey: string
  onprogress(bytes: number, total: number): void
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

/** Sends as `fetch` does, which does not report the progress of uploads. */
const byXmlHttpRequest =
  (onprogress: BatchUpload['onprogress']): typeof fetch =>
  (path, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, String(path))
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => onprogress(loaded, total)
      request.onload = () => resolve(new Response(request.responseText, { status: request.status, headers: headersOf(request) }))
      request.onerror = () => reject(new TypeError('The request failed.'))
      request.onabort = () => reject(signal?.reason)
      // It may have been cancelled during a new sign-in.
      if (signal?.aborted) return reject(signal.reason)
      signal?.addEventListener('abort', () => request.abort(), { once: true })
      request.send(body instanceof FormData ? body : null)
    })

/** @throws ApiFailure; AbortError */
export async function uploadBatch(upload: BatchUpload): Promise<StartedBatch> {
  const { archive, fileName, fields, idempotencyKey, onprogress, signal } = upload
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('file', archive, fileName)
  const headers = { 'idempotency-key': idempotencyKey }
  const call = { method: 'POST', headers, body, signal } as const
  return (await jsonOf(await sendBy(byXmlHttpRequest(onprogress), '/api/v2/batch', call))) as StartedBatch
}
