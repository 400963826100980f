import { type GifFile, type GifFrame, KEEP } from './gif-file.ts'

/** The delay that viewers use by default, in hundredths of a second. */
const DEFAULT_DELAY = 10

/** A frame to write. */
export interface PackedFrame extends Pick<GifFrame, 'left' | 'top' | 'width' | 'height' | 'delay' | 'disposal' | 'userInput'> {
  /** Undefined when no pixel is transparent or cleared. */
  readonly transparent: number | undefined
  /** Its own palette; undefined if its colours are in the global one. */
  readonly palette: readonly number[] | undefined
  readonly data: Buffer
}

/** The bits for this many colours, 1–8. */
export const bitsFor = (colours: number): number => Math.max(1, Math.ceil(Math.log2(colours)))

export function writeGif(file: GifFile, global: readonly number[], frames: readonly PackedFrame[]): Buffer {
  const screen = Buffer.alloc(13)
  screen.write('GIF89a', 'latin1')
  screen.writeUInt16LE(file.width, 6)
  screen.writeUInt16LE(file.height, 8)
  screen[10] = 0x70 | flagsOf(global)
  screen[12] = file.aspect
  return Buffer.concat([screen, ...colours(global), ...file.extensions, ...frames.flatMap(frameParts), Buffer.from([0x3b])])
}

const flagsOf = (palette: readonly number[]): number => (palette.length === 0 ? 0 : 0x80 | (bitsFor(palette.length) - 1))

/** Three bytes each, padded to a power of two. */
function colours(palette: readonly number[]): readonly Buffer[] {
  if (palette.length === 0) return []
  const bytes = Buffer.alloc(3 << bitsFor(palette.length))
  for (const [index, colour] of palette.entries()) bytes.writeUIntLE(colour & ~0xff000000, index * 3, 3)
  return [bytes]
}

function frameParts(frame: PackedFrame): readonly Buffer[] {
  const { palette = [], transparent, delay = DEFAULT_DELAY } = frame
  const descriptor = Buffer.alloc(10)
  descriptor[0] = 0x2c
  for (const [index, value] of [frame.left, frame.top, frame.width, frame.height].entries()) {
    descriptor.writeUInt16LE(value, 1 + index * 2)
  }
  descriptor[9] = flagsOf(palette)
  const flags = (frame.disposal << 2) | (frame.userInput ? 2 : 0) | (transparent === undefined ? 0 : 1)
  const control = Buffer.from([0x21, 0xf9, 4, flags, delay & 0xff, delay >> 8, transparent ?? 0, 0])
  const needsControl = flags !== KEEP << 2 || frame.delay !== undefined
  return [...(needsControl ? [control] : []), descriptor, ...colours(palette), frame.data]
}
