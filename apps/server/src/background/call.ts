import { randomBytes } from 'node:crypto'
import { MiB } from '@pixelmill/codecs/contract/limits'
import type { Outbound } from '../outbound/outbound.ts'
import { OutboundError, type OutboundFailure } from '../outbound/outbound-error.ts'
import { retryAfter } from '../outbound/retry-after.ts'
import type { OutboundResponse } from '../outbound/send.ts'
import { type FaultKind, ProviderFault, statusFault } from './provider-fault.ts'
import type { Service } from './services.ts'

/** Bytes of an answer: a photograph of 25 megapixels as PNG has 45 MB. */
const ANSWER_BYTES = 60 * MiB

const kinds: Readonly<Record<OutboundFailure, FaultKind>> = {
  refused: 'misconfigured',
  dns: 'failed',
  network: 'failed',
  timeout: 'timeout',
  too_large: 'invalid',
}

/**
 * Sends one request. Of the picture that comes back nothing is known yet but its media type.
 * @returns its bytes in chunks
 * @throws ProviderFault; the signal's reason once that aborts
 */
export async function call(
  service: Service,
  { type, body }: Form,
  operatorFetch: Outbound['operatorFetch'],
  signal: AbortSignal,
): Promise<readonly Buffer[]> {
  const headers = { ...service.headers, 'content-type': type, accept: 'image/png, image/webp;q=0.9, image/*;q=0.8' }
  const request = { method: 'POST', headers, body, signal, deadlineMs: service.budgetMs, maxBytes: ANSWER_BYTES } as const
  try {
    const response = await operatorFetch(service.url, request)
    const fault = faultIn(response)
    if (!fault) return await chunksOf(response)
    response.discard()
    throw fault
  } catch (error) {
    if (error instanceof OutboundError) throw new ProviderFault(kinds[error.kind], error.reason)
    throw error
  }
}

/** remove.bg can answer with JSON that contains the picture. It is never requested here, so it means a wrong configuration. */
function faultIn(response: OutboundResponse): ProviderFault | undefined {
  const { status } = response
  if (status !== 200) return statusFault(status, retryAfter(response.header('retry-after')))
  const type = response.header('content-type') ?? ''
  if (!/^image\//i.test(type)) return new ProviderFault('invalid', 'status 200 without a picture media type')
  const length = Number(response.header('content-length') ?? 0)
  return length > ANSWER_BYTES ? new ProviderFault('invalid', 'its picture is too large') : undefined
}

async function chunksOf(response: OutboundResponse): Promise<readonly Buffer[]> {
  const chunks: Buffer[] = []
  for await (const { buffer, byteOffset, length } of response.chunks()) chunks.push(Buffer.from(buffer, byteOffset, length))
  if (chunks.length === 0) throw new ProviderFault('invalid', 'status 200 without a picture')
  return chunks
}

export interface Form {
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer>
}

interface FilePart {
  readonly field: string
  readonly type: string
  readonly bytes: Buffer
}

/** A form with one file (RFC 7578), as bytes, so that it can be sent again and its length is known. */
export function formOf(fields: Readonly<Record<string, string>>, { field, type, bytes }: FilePart): Form {
  const boundary = randomBytes(18).toString('hex')
  const part = (headers: string, content: string | Buffer) => [`--${boundary}\r\n${headers}\r\n\r\n`, content, '\r\n']
  const name = `image.${type.replace('image/', '')}`
  const parts = [
    ...Object.entries(fields).flatMap(([key, value]) => part(`Content-Disposition: form-data; name="${key}"`, value)),
    ...part(`Content-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}`, bytes),
    `--${boundary}--\r\n`,
  ]
  return { type: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts.map((some) => Buffer.from(some))) }
}
