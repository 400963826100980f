import { blocksOf, HEADER_BYTES, paletteSize } from './blocks.ts'
import { CLEAR, type GifFile, type GifFrame, KEEP, OPAQUE, RESTORE } from './gif-file.ts'
import { decodeLzw } from './lzw-decode.ts'

type Control = Pick<GifFrame, 'delay' | 'disposal' | 'userInput' | 'transparent'>
const NO_CONTROL: Control = { delay: undefined, disposal: KEEP, userInput: false, transparent: undefined }

/**
 * Every frame, decoded.
 * @param maxPixels of the screen times the frames, which bounds time and memory
 * @returns undefined for a damaged file, and for one whose looks depend on the viewer: a frame beyond the screen, without
 * colours, or cleared to a background where it has no transparency
 */
export function readGif(bytes: Buffer, maxPixels: number): GifFile | undefined {
  const blocks = blocksOf(bytes)
  if (!blocks) return undefined
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]
  const images = blocks.filter(({ kind }) => kind === 'image').length
  if (images === 0 || width * height * images > maxPixels) return undefined
  const global = paletteAt(bytes, HEADER_BYTES, bytes[10] ?? 0)
  const frames: GifFrame[] = []
  let control = NO_CONTROL
  for (const { kind, start, end } of blocks) {
    if (kind === 'text') return undefined
    if (kind === 'control') control = readControl(bytes, start + 3)
    if (kind !== 'image') continue
    const frame = readFrame(bytes.subarray(start, end), { width, height, global, control })
    if (!frame) return undefined
    frames.push(frame)
    control = NO_CONTROL
  }
  const extensions = blocks.filter(({ kind }) => kind === 'heeded').map(({ start, end }) => bytes.subarray(start, end))
  return { width, height, aspect: bytes[12] ?? 0, extensions, frames }
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
    // 4 is how old writers said 3.
    disposal: disposal === 2 ? CLEAR : disposal === 3 || disposal === 4 ? RESTORE : KEEP,
    userInput: (flags & 2) !== 0,
    transparent: flags & 1 ? bytes[at + 3] : undefined,
  }
}

interface Around extends Pick<GifFile, 'width' | 'height'> {
  readonly global: Uint32Array | undefined
  readonly control: Control
}

function readFrame(block: Buffer, { width: across, height: down, global, control }: Around): GifFrame | undefined {
  const [left, top] = [block.readUInt16LE(1), block.readUInt16LE(3)]
  const [width, height] = [block.readUInt16LE(5), block.readUInt16LE(7)]
  if (left + width > across || top + height > down || width * height === 0) return undefined
  const flags = block[9] ?? 0
  const palette = paletteAt(block, 10, flags) ?? global
  const start = 10 + paletteSize(flags) * 3
  const minSize = block[start] ?? 0
  if (!palette || minSize < 1 || minSize > 8) return undefined
  if (control.disposal === CLEAR && control.transparent === undefined) return undefined
  const indices = decodeLzw(joined(block, start + 1), minSize, width * height)
  const isColour = (index: number) => index < palette.length || index === control.transparent
  if (!indices?.every(isColour)) return undefined
  const rows = flags & 0x40 ? deinterlaced(indices, width, height) : indices
  return { left, top, width, height, ...control, palette, indices: rows }
}

/** The contents of sub-blocks. */
function joined(block: Buffer, start: number): Buffer {
  const parts: Buffer[] = []
  for (let at = start; at < block.length; at += (block[at] ?? 0) + 1) {
    parts.push(block.subarray(at + 1, at + 1 + (block[at] ?? 0)))
  }
  return Buffer.concat(parts)
}

/** GIF89a, appendix E: every 8th row, every 8th from 4 on, every 4th from 2 on, every 2nd from 1 on. */
function deinterlaced(indices: Uint8Array, width: number, height: number): Uint8Array {
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
