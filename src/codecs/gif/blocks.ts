import { limits } from '../../contract/limits.ts'

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

const { frames: MOST_FRAMES, structure } = limits

/** What a GIF has too many of, up to where it is damaged. */
export function gifExcess(bytes: Buffer): string | undefined {
  let [frames, parts] = [0, 0]
  for (const { kind } of walk(bytes)) {
    if (kind === 'image' && ++frames > MOST_FRAMES) return `${MOST_FRAMES} frames`
    if (kind !== 'image' && ++parts > structure.parts) return `${structure.parts} extensions`
  }
  return undefined
}

/** Up to the trailer, or the end of the file where it lacks one; undefined where a block is cut off or is none. */
export function blocksOf(bytes: Buffer): readonly Block[] | undefined {
  if (bytes.length < HEADER_BYTES) return undefined
  const blocks = [...walk(bytes)]
  const end = blocks.at(-1)?.end ?? startOfBlocks(bytes)
  return end >= bytes.length || bytes[end] === TRAILER ? blocks : undefined
}

const startOfBlocks = (bytes: Buffer): number => HEADER_BYTES + paletteSize(bytes[10] ?? 0) * 3

/** The blocks up to the trailer, to the end, or to one that is cut off or is none. */
export function* walk(bytes: Buffer): Generator<Block> {
  for (let start = startOfBlocks(bytes); start < bytes.length && bytes[start] !== TRAILER; ) {
    const kind = kindOf(bytes, start)
    const end = kind && endOfData(bytes, kind === 'image' ? start + 11 + paletteSize(bytes[start + 9] ?? 0) * 3 : start + 2)
    if (!kind || end === undefined) return
    yield { kind, start, end }
    start = end
  }
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
