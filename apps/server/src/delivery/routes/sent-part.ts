import { requestedPart } from '../../http/requested-part.ts'
import { answerHeaders, isNotModified } from '../answer.ts'
import type { Delivered } from '../deliver.ts'

/** What a request gets of an image: all of it, a part, or the news that it has not changed. */
export interface SentPart {
  readonly status: 200 | 206 | 304
  readonly headers: Record<string, string>
  readonly body: Buffer
}

const NOTHING = Buffer.alloc(0)

/**
 * By the conditions and the range of a request.
 * @param header gives a request header by its name
 * @returns the size for a range outside the image
 */
export function sentPart(
  deliveredImage: Delivered,
  method: string,
  header: (name: string) => string | undefined,
): SentPart | { readonly status: 416; readonly size: number } {
  const { body, etag } = deliveredImage.result
  const headers = answerHeaders(deliveredImage)
  if (isNotModified(deliveredImage, header('if-none-match'), header('if-modified-since')))
    return { status: 304, headers, body: NOTHING }
  const size = body.length
  if (header('range') === undefined) return { status: 200, headers, body }
  const part = requestedPart((name) => (name === 'if-none-match' ? undefined : header(name)), method, { size, etag })
  if (part.status === 416) return { status: 416, size }
  if (part.status !== 206) return { status: 200, headers, body }
  const { first, last } = part.range
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${first}-${last}/${size}` },
    body: body.subarray(first, last + 1),
  }
}
