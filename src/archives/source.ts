/** Where an archive lies: a file, or ranges of an object in a store. It is never in memory as a whole. */
export interface ArchiveSource {
  /** Bytes of the whole archive. */
  readonly size: number
  /** The bytes from a position on. Callers ask for none beyond the end; fewer than asked for is a fault of the source. */
  read(position: number, length: number): Promise<Buffer>
}

/** Exactly these bytes. Throws a plain Error where the source gives others: that is no fault of the archive. */
export async function readExactly(source: ArchiveSource, position: number, length: number): Promise<Buffer> {
  const bytes = await source.read(position, length)
  if (bytes.length === length) return bytes
  throw new Error(`the archive's source gave ${bytes.length} of ${length} bytes from ${position} on`)
}
