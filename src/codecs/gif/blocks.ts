/** What stands behind the logical screen, whole: an image with its own palette, or an extension. */
export interface Block {
  /** `heeded` are application extensions that viewers follow; `other` are comments, XMP and what nobody reads. */
  readonly kind: 'image' | 'control' | 'text' | 'heeded' | 'other'
  readonly start: number
  readonly end: number
}

/** Signature and logical screen. */
export const HEADER_BYTES = 13
const [TRAILER, EXTENSION, IMAGE] = [0x3b, 0x21, 0x2c]
const [CONTROL, TEXT, APPLICATION] = [0xf9, 0x01, 0xff]
const CONTROL_BYTES = 4
/** How often to play, by two names, and the ICC profile. */
const HEEDED = /^(NETSCAPE2\.0|ANIMEXTS1\.0|ICCRGBG1012)$/

/** Colours of the palette that the flags of a screen or an image promise. */
export const paletteSize = (flags: number): number => (flags & 0x80 ? 2 << (flags & 7) : 0)

/** Up to the trailer, or the end of the file where it lacks one; undefined where a block is cut off or is none. */
export function blocksOf(bytes: Buffer): readonly Block[] | undefined {
  if (bytes.length < HEADER_BYTES) return undefined
  const blocks: Block[] = []
  let start = HEADER_BYTES + paletteSize(bytes[10] ?? 0) * 3
  while (start < bytes.length && bytes[start] !== TRAILER) {
    const kind = kindOf(bytes, start)
    const end = kind && endOfData(bytes, kind === 'image' ? start + 11 + paletteSize(bytes[start + 9] ?? 0) * 3 : start + 2)
    if (!kind || end === undefined) return undefined
    blocks.push({ kind, start, end })
    start = end
  }
  return blocks
}

function kindOf(bytes: Buffer, start: number): Block['kind'] | undefined {
  if (bytes[start] === IMAGE) return 'image'
  if (bytes[start] !== EXTENSION) return undefined
  const [label, size] = [bytes[start + 1], bytes[start + 2]]
  if (label === CONTROL) return size === CONTROL_BYTES ? 'control' : undefined
  if (label === TEXT) return 'text'
  return label === APPLICATION && HEEDED.test(bytes.toString('latin1', start + 3, start + 14)) ? 'heeded' : 'other'
}

/** Behind the empty sub-block; undefined where there is none. */
function endOfData(bytes: Buffer, start: number): number | undefined {
  for (let at = start; at < bytes.length; at += (bytes[at] ?? 0) + 1) if (bytes[at] === 0) return at + 1
  return undefined
}
