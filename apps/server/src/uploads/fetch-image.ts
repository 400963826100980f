import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { megabytes } from '@pixelmill/codecs/contract/limits'
import { ApiError } from '../contract/api-error.ts'
import { followRedirects } from '../outbound/follow-redirects.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { OutboundError } from '../outbound/outbound-error.ts'
import type { OutboundResponse } from '../outbound/send.ts'

/** For everything, redirects included. */
const DEADLINE_MS = 15_000

const MOST_REDIRECTS = 3

export interface FetchParts {
  readonly outbound: Pick<Outbound, 'guardedFetch'>
  /** URL_INPUT. */
  readonly isOn: boolean
  readonly mostBytes: number
  readonly signal: AbortSignal
  /** Told of each chunk, before it is kept. */
  readonly onBytes?: (bytes: number) => void
}

/**
 * Reads the picture at an address that a caller names.
 * @throws ApiError invalid_params where URL_INPUT is off, source_unavailable, file_too_large; the signal's reason; what onBytes throws
 */
export async function fetchImage(address: string, parts: FetchParts): Promise<readonly Buffer[]> {
  if (!parts.isOn) throw invalidParam('imageUrl', 'custom', 'This server fetches no images (URL_INPUT=off): send the file.')
  try {
    const { signal, mostBytes: maxBytes } = parts
    const request = { redirects: MOST_REDIRECTS, signal, deadlineMs: DEADLINE_MS, maxBytes }
    return await readImage(await followRedirects(address, parts.outbound.guardedFetch, request), parts)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw error.kind === 'too_large' ? tooLarge(parts) : unavailable(error.message, error)
  }
}

async function readImage(response: OutboundResponse, parts: FetchParts): Promise<readonly Buffer[]> {
  if (response.status !== 200) {
    response.discard()
    throw unavailable(`its server answered with status ${response.status}.`)
  }
  if (Number(response.header('content-length') ?? 0) > parts.mostBytes) {
    response.discard()
    throw tooLarge(parts)
  }
  const chunks: Buffer[] = []
  for await (const chunk of response.chunks()) {
    parts.onBytes?.(chunk.length)
    chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
  }
  return chunks
}

const unavailable = (message: string, cause?: unknown): ApiError =>
  new ApiError('source_unavailable', { message: `The image at imageUrl could not be read: ${message}`, cause, ofCaller: true })

const tooLarge = ({ mostBytes }: FetchParts): ApiError =>
  new ApiError('file_too_large', { message: `The image at imageUrl has more than ${megabytes(mostBytes)}.` })
