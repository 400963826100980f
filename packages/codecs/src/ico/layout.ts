/** Icons and cursors of Windows: a directory of pictures, each a PNG or a bitmap without a file header. */

export const DIRECTORY_BYTES = 6
export const ENTRY_BYTES = 16
export const ICON = 1
export const CURSOR = 2
/** A side of 256 pixels, which a byte cannot say. */
export const MOST_SIDE = 256

/** A picture of the file. */
export interface IconEntry {
  readonly width: number
  readonly height: number
  /** Bits a pixel; 0 where the file does not say it, and of cursors. */
  readonly bits: number
  /** From where on in the file, and of how many bytes. */
  readonly at: number
  readonly bytes: number
}

/** Whether the first bytes of a file are those of a directory whose first picture lies behind it. */
export function isIcon(head: Buffer): boolean {
  if (head.length < DIRECTORY_BYTES + ENTRY_BYTES || head.readUInt16LE(0) !== 0) return false
  const kind = head.readUInt16LE(2)
  const count = head.readUInt16LE(4)
  const [first] = entriesOf(head)
  const isDirectory = (kind === ICON || kind === CURSOR) && count > 0 && head[9] === 0
  return isDirectory && first !== undefined && first.bytes > 0 && first.at >= DIRECTORY_BYTES + count * ENTRY_BYTES
}

/** The entries of a directory, up to where the file ends. */
export function entriesOf(file: Buffer): readonly IconEntry[] {
  const isCursor = file.readUInt16LE(2) === CURSOR
  const count = Math.min(file.readUInt16LE(4), Math.floor((file.length - DIRECTORY_BYTES) / ENTRY_BYTES))
  return Array.from({ length: count }, (_, index) => {
    const from = DIRECTORY_BYTES + index * ENTRY_BYTES
    return {
      width: file.readUInt8(from) || MOST_SIDE,
      height: file.readUInt8(from + 1) || MOST_SIDE,
      // A cursor has its point of aim there.
      bits: isCursor ? 0 : file.readUInt16LE(from + 6),
      bytes: file.readUInt32LE(from + 8),
      at: file.readUInt32LE(from + 12),
    }
  })
}
