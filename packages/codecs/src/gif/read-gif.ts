import { expandLzw } from '../lzw.ts'
import { type Block, blocksOf, HEADER_BYTES, paletteSize, walk } from './blocks.ts'
import { CLEAR, type GifFile, type GifFrame, KEEP, OPAQUE, RESTORE } from './gif-file.ts'

type Control = Pick<GifFrame, 'delay' | 'disposal' | 'userInput' | 'transparent'>
const NO_CONTROL: Control = { delay: undefined, disposal: KEEP, userInput: false, transparent: undefined }

/** The size of a picture. */
type Screen = Pick<GifFile, 'width' | 'height'>

/**
 * Every frame, decoded, of a file that can be rewritten.
 * @param maxPixels of the screen times the frames, which bounds time and memory
 * @returns undefined for a damaged file, and for one whose looks depend on the viewer: a frame beyond the screen, without
 * colours, or cleared to a background where it has no transparency
 */
export function readGif(bytes: Buffer, maxPixels: number): GifFile | undefined {
  const blocks = blocksOf(bytes)
  if (!blocks || blocks.some(({ kind }) => kind === 'text')) return undefined
  const { width, height } = screenOf(bytes)
  const heads = headsOf(bytes)
  if (heads.length === 0 || width * height * heads.length > maxPixels) return undefined
  const frames: GifFrame[] = []
  for (const frame of framesOf(bytes)) {
    const { left, top, width: across, height: down, disposal, transparent, palette, indices } = frame
    if (left + across > width || top + down > height || !haveColours(indices, palette.length, transparent)) return undefined
    if (across * down === 0 || (disposal === CLEAR && transparent === undefined)) return undefined
    frames.push(frame)
  }
  if (frames.length < heads.length) return undefined
  const extensions = blocks.filter(({ kind }) => kind === 'heeded').map(({ start, end }) => bytes.subarray(start, end))
  return { width, height, aspect: bytes[12] ?? 0, extensions, frames }
}

/** Whether each index is one of the palette, or transparent. */
function haveColours(indices: Uint8Array, colours: number, transparent: number | undefined): boolean {
  for (let at = 0; at < indices.length; at++) {
    const index = indices[at] as number
    if (index >= colours && index !== transparent) return false
  }
  return true
}

/** A frame before its pixels are decoded. */
export interface FrameHead extends Control, Pick<GifFrame, 'left' | 'top' | 'width' | 'height'> {
  readonly palette: Uint32Array | undefined
  readonly block: Block
}

/** The frames up to where the file is truncated or damaged. */
export function headsOf(bytes: Buffer): readonly FrameHead[] {
  const global = bytes.length < HEADER_BYTES ? undefined : paletteAt(bytes, HEADER_BYTES, bytes[10] ?? 0)
  const heads: FrameHead[] = []
  let control = NO_CONTROL
  for (const block of walk(bytes)) {
    const { kind, start } = block
    if (kind === 'control') control = readControl(bytes, start + 3)
    if (kind !== 'image') continue
    const left = bytes.readUInt16LE(start + 1)
    const top = bytes.readUInt16LE(start + 3)
    const width = bytes.readUInt16LE(start + 5)
    const height = bytes.readUInt16LE(start + 7)
    const palette = paletteAt(bytes, start + 10, bytes[start + 9] ?? 0) ?? global
    heads.push({ left, top, width, height, ...control, palette, block })
    control = NO_CONTROL
  }
  return heads
}

/** The logical screen, at least as large as its first frame, as in browsers. */
export function screenOf(bytes: Buffer): Screen {
  const [first] = headsOf(bytes)
  const { left = 0, top = 0, width = 0, height = 0 } = first ?? {}
  return { width: Math.max(bytes.readUInt16LE(6), left + width), height: Math.max(bytes.readUInt16LE(8), top + height) }
}

/** Decodes frames one after the other, up to the first damaged one. */
export function* framesOf(bytes: Buffer): Generator<GifFrame> {
  for (const head of headsOf(bytes)) {
    const frame = readFrame(bytes, head)
    if (!frame) return
    yield frame
  }
}

/** Whether all pixels of the last frame are there. */
export function hasLastFrame(bytes: Buffer, mostPixels: number): boolean {
  const head = headsOf(bytes).at(-1)
  return head !== undefined && head.width * head.height <= mostPixels && readFrame(bytes, head) !== undefined
}

function paletteAt(bytes: Buffer, at: number, flags: number): Uint32Array | undefined {
  const size = paletteSize(flags)
  if (size === 0 || at + size * 3 > bytes.length) return undefined
  return Uint32Array.from({ length: size }, (_, index) => OPAQUE + bytes.readUIntLE(at + index * 3, 3))
}

function readControl(bytes: Buffer, at: number): Control {
  const flags = bytes[at] ?? 0
  const disposal = (flags >> 2) & 7
  return {
    delay: bytes.readUInt16LE(at + 1),
    // Old writers used 4 for 3.
    disposal: disposal === 2 ? CLEAR : disposal === 3 || disposal === 4 ? RESTORE : KEEP,
    userInput: (flags & 2) !== 0,
    transparent: flags & 1 ? bytes[at + 3] : undefined,
  }
}

const NO_COLOURS = new Uint32Array()
/** The maximum code size is 12. A palette has 8 bits; files with 11 exist, all of whose pixels have a colour. */
const MOST_LITERAL_BITS = 11

/** Undefined if its pixels are damaged or truncated, or it has no colours. */
function readFrame(bytes: Buffer, { block, palette, ...head }: FrameHead): GifFrame | undefined {
  const flags = bytes[block.start + 9] ?? 0
  const start = block.start + 10 + paletteSize(flags) * 3
  const minSize = bytes[start] ?? 0
  const { width, height } = head
  // A frame without pixels paints nothing.
  if (width * height === 0) return { ...head, palette: palette ?? NO_COLOURS, indices: new Uint8Array() }
  if (!palette || minSize > MOST_LITERAL_BITS) return undefined
  const indices = decodeLzw(joinBlocks(bytes.subarray(0, block.end), start + 1), minSize, width * height)
  return indices && { ...head, palette, indices: flags & 0x40 ? deinterlace(indices, width, height) : indices }
}

/** The contents of sub-blocks. */
function joinBlocks(block: Buffer, start: number): Buffer {
  const parts: Buffer[] = []
  for (let at = start; at < block.length; at += (block[at] ?? 0) + 1) {
    parts.push(block.subarray(at + 1, at + 1 + (block[at] ?? 0)))
  }
  return Buffer.concat(parts)
}

/** GIF89a, appendix E: every 8th row, every 8th from 4 on, every 4th from 2 on, every 2nd from 1 on. */
function deinterlace(indices: Uint8Array, width: number, height: number): Uint8Array {
  const rows = new Uint8Array(indices.length)
  let from = 0
  for (const [first, step] of [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const) {
    for (let row = first; row < height; row += step, from += width) rows.set(indices.subarray(from, from + width), row * width)
  }
  return rows
}

/**
 * The indices of one image. Extra codes after the last pixel are ignored, as in other readers.
 * @param codes the concatenated sub-blocks
 * @param minSize 1–11, bits of a pixel
 * @returns undefined for an invalid code, or too few pixels
 */
export function decodeLzw(codes: Uint8Array, minSize: number, pixels: number): Uint8Array | undefined {
  try {
    const indices = expandLzw(codes, { literalBits: minSize, isHighestFirst: false, growsEarly: false }, pixels)
    return indices.length === pixels ? indices : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
