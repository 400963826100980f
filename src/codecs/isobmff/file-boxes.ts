import type { Box } from './boxes.ts'

/** A box of a file, whose media data may have a size of 64 bits, as telephones write it. */
export interface FileBox extends Box {
  readonly header: Buffer
}

const [SIZE_FOLLOWS, SHORT_HEADER, LONG_HEADER] = [1, 8, 16]

/** The boxes of a whole file; none where they do not end with it. */
export function fileBoxesIn(file: Buffer): readonly FileBox[] {
  const boxes: FileBox[] = []
  let at = 0
  while (at + SHORT_HEADER <= file.length) {
    const size = file.readUInt32BE(at) || file.length - at
    const long = size === SIZE_FOLLOWS
    if (long && at + LONG_HEADER > file.length) return []
    const headerBytes = long ? LONG_HEADER : SHORT_HEADER
    const end = at + (long ? Number(file.readBigUInt64BE(at + SHORT_HEADER)) : size)
    if (end < at + headerBytes || end > file.length) return []
    const header = file.subarray(at, at + headerBytes)
    boxes.push({ type: header.toString('latin1', 4, 8), header, body: file.subarray(at + headerBytes, end) })
    at = end
  }
  return at === file.length ? boxes : []
}

/** The box with another body, its size in as many bytes as before. */
export function resized({ header }: FileBox, body: Buffer): Buffer {
  const start = Buffer.from(header)
  const size = header.length + body.length
  if (header.length === LONG_HEADER) start.writeBigUInt64BE(BigInt(size), SHORT_HEADER)
  else start.writeUInt32BE(size)
  return Buffer.concat([start, body])
}
