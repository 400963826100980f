/** A file to put into an archive, as it is: images do not get smaller by Deflate. */
export type WrittenEntry = WrittenBytes | WrittenStream

interface Named {
  /** With `/` between the segments; as `resultPaths` makes them. */
  readonly path: string
  /** Written as UTC in steps of two seconds, from 1980 to 2107. The same entries with the same times give the same archive. */
  readonly modified: Date
}

export interface WrittenBytes extends Named {
  readonly content: Uint8Array
}

/**
 * What is too large to hold: its length and CRC-32 were noted when it was stored. So every header is complete, and no data
 * descriptor is needed, behind which many programs cannot find a stored entry's end.
 */
export interface WrittenStream extends Named {
  readonly content: AsyncIterable<Uint8Array>
  readonly bytes: number
  readonly crc32: number
}
