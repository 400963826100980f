import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { megabytes } from '@pixelmill/codecs/contract/limits'
import { ApiError } from '../contract/api-error.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { OutboundError } from '../outbound/outbound-error.ts'
import type { OutboundResponse } from '../outbound/send.ts'

/** For everything, redirects included. */
const DEADLINE_MS = 15_000

/** Each goes through the guard as the first address does. */
const MOST_REDIRECTS = 3

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

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
    return await readImage(await follow(address, parts), parts)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw error.kind === 'too_large' ? tooLarge(parts) : unavailable(error.message, error)
  }
}

async function follow(address: string, { outbound, mostBytes, signal }: FetchParts): Promise<OutboundResponse> {
  const end = performance.now() + DEADLINE_MS
  let url = address
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
    const deadlineMs = Math.max(1, end - performance.now())
    const response = await outbound.guardedFetch(url, { signal, deadlineMs, maxBytes: mostBytes })
    if (!REDIRECTS.includes(response.status)) return response
    const location = response.header('location')
    const target = location === null ? null : URL.parse(location, url)
    response.discard()
    if (!target) throw unavailable('its server redirects to nowhere.')
    url = target.href
  }
  throw unavailable(`its server redirects more than ${MOST_REDIRECTS} times.`)
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
