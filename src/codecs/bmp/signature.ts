import { ARRAY_HEADER_BYTES, CORE_HEADER_BYTES, FILE_HEADER_BYTES, V5_HEADER_BYTES } from './layout.ts'

/** OS/2 wrote headers of any length from here on, leaving out the fields at the end. */
const SHORTEST_INFO_BYTES = 16

/**
 * Where the file header of the first bitmap stands in the first 64 bytes of a file: at 0, or behind the header of an
 * array. Undefined where none does: a text may begin with "BM", but not with the length of a header behind it.
 */
export function firstBitmapAt(head: Buffer): number | undefined {
  const start = head.toString('latin1', 0, 2) === 'BA' ? ARRAY_HEADER_BYTES : 0
  if (head.toString('latin1', start, start + 2) !== 'BM') return undefined
  if (head.length < start + FILE_HEADER_BYTES + CORE_HEADER_BYTES) return undefined
  const bytes = head.readUInt32LE(start + FILE_HEADER_BYTES)
  const plausible = bytes === CORE_HEADER_BYTES || (bytes >= SHORTEST_INFO_BYTES && bytes <= V5_HEADER_BYTES)
  return plausible ? start : undefined
}

/** Whether the first 64 bytes of a file are those of a BMP. */
export const matchesBmp = (head: Buffer): boolean => firstBitmapAt(head) !== undefined
