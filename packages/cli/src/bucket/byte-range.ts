import { RangeNotSatisfiable } from './blob-errors.ts'

/** A byte range of HTTP (RFC 9110, 14.1.2): from `first` to `last` or the end, both included, or the last `suffix` bytes. */
export type ByteRange = { readonly first: number; readonly last?: number } | { readonly suffix: number }

/** The range that is sent: both included, always inside the blob. */
export interface ContentRange {
  readonly first: number
  readonly last: number
}

/**
 * Clips a range to a blob of `size` bytes.
 * @throws RangeNotSatisfiable when nothing of it is inside, as always in an empty blob
 * @throws TypeError when it is not made of whole numbers in order
 */
export function resolveRange(range: ByteRange, size: number): ContentRange {
  assertRange(range)
  const first = 'suffix' in range ? Math.max(0, size - range.suffix) : range.first
  const last = 'suffix' in range ? size - 1 : Math.min(range.last ?? size - 1, size - 1)
  if (first > last) throw new RangeNotSatisfiable(size)
  return { first, last }
}

/** The value of the request header `Range`. @throws TypeError */
export function rangeHeader(range: ByteRange): string {
  assertRange(range)
  return 'suffix' in range ? `bytes=-${range.suffix}` : `bytes=${range.first}-${range.last ?? ''}`
}

function assertRange(range: ByteRange): void {
  const numbers = 'suffix' in range ? [range.suffix] : [range.first, range.last ?? range.first]
  const inOrder = 'suffix' in range || (range.last ?? range.first) >= range.first
  if (!inOrder || numbers.some((number) => !Number.isSafeInteger(number) || number < 0)) {
    throw new TypeError(`not a range of bytes: ${JSON.stringify(range)}`)
  }
}
