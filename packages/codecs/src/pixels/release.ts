import type { Bitmap } from '../reader.ts'

/** Smaller arrays may lie in a buffer that others use too, and cost nothing to wait for. */
const LEAST_BYTES = 1_000_000

/**
 * Gives back the memory of a picture after it was read for the last time. Otherwise V8 keeps it until it collects its whole heap, which it
 * then did every few pictures: a sixth of the CPU from a PNG of 2 megapixels to 512 px.
 * @param picture alone in its buffer; its samples are then gone
 */
export function release({ data: { buffer } }: Pick<Bitmap, 'data'>): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= LEAST_BYTES) buffer.transfer(0)
}
