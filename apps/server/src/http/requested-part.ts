import { RangeNotSatisfiable } from 'pixelmill/bucket/blob-errors'
import { type ByteRange, type ContentRange, resolveRange } from 'pixelmill/bucket/byte-range'

/** Which part of a file to send: RFC 9110, §13 and §14. */
export type RequestedPart =
  | { readonly status: 200 | 206; readonly range: ContentRange }
  | { readonly status: 304 }
  | { readonly status: 416 }

/** A single range. Several ranges, other units and malformed ones are answered with the whole file, as §14.2 allows. */
const RANGE = /^bytes=\s*(?:(\d+)-(\d*)|-(\d+))\s*$/i

/**
 * Reads the conditions of a request for a file of `size` bytes (at least one) whose ETag is `etag`, in the order of §13.2.2.
 * @param header gives a request header by its name
 */
export function requestedPart(
  header: (name: string) => string | undefined,
  method: string,
  { size, etag }: { readonly size: number; readonly etag: string },
): RequestedPart {
  if (namesTag(header('if-none-match'), etag)) return { status: 304 }
  const whole = { status: 200, range: { first: 0, last: size - 1 } } as const
  // §14.2: only GET has ranges.
  const requestedRange = method === 'GET' ? parseRange(header('range')) : undefined
  const condition = header('if-range')
  if (!requestedRange || (condition !== undefined && condition.trim() !== etag)) return whole
  try {
    return { status: 206, range: resolveRange(requestedRange, size) }
  } catch (error) {
    if (error instanceof RangeNotSatisfiable) return { status: 416 }
    throw error
  }
}

/** §13.1.2 compares weakly: `W/` does not count. */
const namesTag = (condition: string | undefined, etag: string): boolean =>
  condition !== undefined &&
  (condition.trim() === '*' || condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))

function parseRange(header: string | undefined): ByteRange | undefined {
  const [, first, last, suffix] = RANGE.exec(header ?? '') ?? []
  if (suffix !== undefined) return { suffix: position(suffix) }
  if (first === undefined) return undefined
  if (!last) return { first: position(first) }
  return position(last) < position(first) ? undefined : { first: position(first), last: position(last) }
}

/** Any number of digits: a position beyond the end of the file is clamped, or refused. */
const position = (digits: string): number => Math.min(Number(digits), Number.MAX_SAFE_INTEGER)
