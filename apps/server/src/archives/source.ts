/** Random access to an archive: a file, or an object in a bucket. It is never in memory as a whole. */
export interface ArchiveSource {
  /** Bytes of the whole archive. */
  readonly size: number
  /** Reads bytes from a position. Callers never read beyond the end; a short read is an error of the source. */
  read(position: number, length: number): Promise<Buffer>
}

/** Reads exactly these bytes. Throws a plain Error on a short read, because it is not the archive's fault. */
export async function readExactly(source: ArchiveSource, position: number, length: number): Promise<Buffer> {
  const bytes = await source.read(position, length)
  if (bytes.length === length) return bytes
  throw new Error(`the archive's source gave ${bytes.length} of ${length} bytes from ${position} on`)
}
