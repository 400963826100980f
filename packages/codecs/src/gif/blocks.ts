import { limits } from '../contract/limits.ts'

/** A complete block after the logical screen: an image with its local palette, or an extension. */
export interface Block {
  /** `heeded` are application extensions that viewers use; `other` are comments, XMP and unknown extensions. */
  readonly kind: 'image' | 'control' | 'text' | 'heeded' | 'other'
  readonly start: number
  readonly end: number
}

/** Signature and logical screen. */
export const HEADER_BYTES = 13
export const TRAILER = 0x3b
const EXTENSION = 0x21
const IMAGE = 0x2c
const CONTROL = 0xf9
const TEXT = 0x01
const APPLICATION = 0xff
const CONTROL_BYTES = 4
/** The two extensions for the loop count, and the ICC profile. */
const HEEDED = /^(NETSCAPE2\.0|ANIMEXTS1\.0|ICCRGBG1012)$/

/** Colours of the palette, from the flags of a screen or image. */
export const paletteSize = (flags: number): number => (flags & 0x80 ? 2 << (flags & 7) : 0)

const { frames: MOST_FRAMES, structure } = limits

/** The limit that a GIF exceeds, up to where it is damaged. */
export function gifExcess(bytes: Buffer): string | undefined {
  let frames = 0
  let parts = 0
  for (const { kind } of walk(bytes)) {
    if (kind === 'image' && ++frames > MOST_FRAMES) return `${MOST_FRAMES} frames`
    if (kind !== 'image' && ++parts > structure.parts) return `${structure.parts} extensions`
  }
  return undefined
}

/** The blocks up to the trailer or the end of the file; undefined when one is truncated or invalid. */
export function blocksOf(bytes: Buffer): readonly Block[] | undefined {
  if (bytes.length < HEADER_BYTES) return undefined
  const blocks = [...walk(bytes)]
  return endsAt(bytes, blocks) ? blocks : undefined
}

const endsAt = (bytes: Buffer, blocks: readonly Block[]): boolean => {
  const end = blocks.at(-1)?.end ?? startOfBlocks(bytes)
  return end >= bytes.length || bytes[end] === TRAILER
}

/** Whether the file does not end in a truncated frame. */
export function endsWell(bytes: Buffer): boolean {
  const end = [...walk(bytes)].at(-1)?.end ?? startOfBlocks(bytes)
  return bytes[end] !== IMAGE
}

/** Where a file without a trailer ends, or its cut block begins; undefined where it has a trailer. */
export function cutBlockAt(bytes: Buffer): number | undefined {
  if (bytes.length < HEADER_BYTES) return undefined
  const at = [...walk(bytes)].at(-1)?.end ?? startOfBlocks(bytes)
  return bytes[at] === TRAILER || at > bytes.length ? undefined : at
}

/** Whether the block there is an image, whole or not. */
export const isImageAt = (bytes: Buffer, at: number): boolean => bytes[at] === IMAGE

/** Where the last sub-block of a cut image begins, which may be the end of the file; undefined where the cut is before all of them. */
export function lastSubBlockAt(bytes: Buffer, image: number): number | undefined {
  let at = image + 11 + paletteSize(bytes[image + 9] ?? 0) * 3
  if (at >= bytes.length) return undefined
  for (let count = 0; count < MOST_SUB_BLOCKS; count++) {
    const end = at + 1 + (bytes[at] ?? 0)
    if (at >= bytes.length || end > bytes.length) return at
    at = end
  }
  return undefined
}

/** The application extensions that viewers use. */
export const extensionsOf = (bytes: Buffer): readonly Buffer[] =>
  [...walk(bytes)].filter(({ kind }) => kind === 'heeded').map(({ start, end }) => bytes.subarray(start, end))

const startOfBlocks = (bytes: Buffer): number => HEADER_BYTES + paletteSize(bytes[10] ?? 0) * 3

/** The blocks up to the trailer, the end, or a truncated or invalid block. */
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
  const label = bytes[start + 1]
  const size = bytes[start + 2]
  if (label === CONTROL) return size === CONTROL_BYTES ? 'control' : undefined
  if (label === TEXT) return 'text'
  return label === APPLICATION && HEEDED.test(bytes.toString('latin1', start + 3, start + 14)) ? 'heeded' : 'other'
}

/** Of one block: 15 MB in sub-blocks of 15 bytes, which writers fill with 255. */
const MOST_SUB_BLOCKS = 1_000_000

/** The position after the empty sub-block; undefined when there is none. */
function endOfData(bytes: Buffer, start: number): number | undefined {
  let at = start
  for (let count = 0; at < bytes.length && count < MOST_SUB_BLOCKS; count++) {
    if (bytes[at] === 0) return at + 1
    at += (bytes[at] ?? 0) + 1
  }
  return undefined
}

const HUNDREDTH = 10
const MOST_HUNDREDTHS = 65_535
const DELAY_AT = 4

/** The file with other delays, in milliseconds: one for each graphic control, which each frame has. */
export function withDelays(bytes: Buffer, delays: readonly number[]): Buffer {
  const file = Buffer.from(bytes)
  const controls = [...walk(bytes)].filter(({ kind }) => kind === 'control')
  if (controls.length !== delays.length) return file
  for (const [index, { start }] of controls.entries()) {
    file.writeUInt16LE(Math.min(Math.round((delays[index] ?? 0) / HUNDREDTH), MOST_HUNDREDTHS), start + DELAY_AT)
  }
  return file
}

/** A GIF without comments, XMP and data after its end; a damaged file unchanged. */
export function stripGif(bytes: Buffer): Buffer {
  const blocks = blocksOf(bytes)
  if (!blocks) return bytes
  const head = bytes.subarray(0, HEADER_BYTES + paletteSize(bytes[10] ?? 0) * 3)
  const keptBlocks = blocks.filter(({ kind }) => kind !== 'other').map(({ start, end }) => bytes.subarray(start, end))
  const strippedFile = Buffer.concat([head, ...keptBlocks, Buffer.from([TRAILER])])
  return strippedFile.length < bytes.length ? strippedFile : bytes
}
