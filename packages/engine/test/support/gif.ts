/** Describes a frame; its indices in rows from the top. */
export interface PlainFrame {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  readonly indices: readonly number[]
  /** Bytes of its own colours, three each. */
  readonly palette?: readonly number[]
  readonly disposal?: number
  readonly transparent?: number
  readonly interlaced?: boolean
  /** Hundredths of a second; undefined writes no graphic control, and if omitted each frame has a different one. */
  readonly delay?: number | undefined
}

const MIN_SIZE = 8
const LITERALS = 250

/** A GIF whose codes are all single pixels: nine bits each, with a clear code before they would grow. */
export function plainGif(width: number, height: number, palette: readonly number[], frames: readonly PlainFrame[]): Buffer {
  const global = palette.length > 0 ? 0x80 | sizeBits(palette) : 0
  const screen = [...Buffer.from('GIF89a'), ...word(width), ...word(height), global, 0, 0]
  const loop = [0x21, 0xff, 11, ...Buffer.from('NETSCAPE2.0'), 3, 1, ...word(2), 0]
  const comment = [0x21, 0xfe, 6, ...Buffer.from('secret'), 0]
  return Buffer.from([...screen, ...fillPalette(palette), ...loop, ...comment, ...frames.flatMap(frameBytes), 0x3b])
}

const word = (value: number): readonly number[] => [value & 0xff, value >> 8]
const sizeBits = (palette: readonly number[]): number => Math.max(0, Math.ceil(Math.log2(palette.length / 3)) - 1)
const fillPalette = (palette: readonly number[]): readonly number[] =>
  palette.length === 0 ? [] : [...palette, ...new Array<number>((6 << sizeBits(palette)) - palette.length).fill(0)]

function frameBytes(frame: PlainFrame, number: number): readonly number[] {
  const delay = 'delay' in frame ? frame.delay : 5 + number
  const { left, top, width, height, palette = [], disposal = 0, transparent, interlaced, indices } = frame
  const control = [0x21, 0xf9, 4, (disposal << 2) | (transparent === undefined ? 0 : 1), ...word(delay ?? 0), transparent ?? 0, 0]
  const flags = (palette.length > 0 ? 0x80 | sizeBits(palette) : 0) | (interlaced ? 0x40 : 0)
  const passes = [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const
  const rows = Array.from({ length: height }, (_, row) => row)
  const order = interlaced
    ? passes.flatMap(([first, step]) => rows.filter((row) => row >= first && (row - first) % step === 0))
    : rows
  const pixels = order.flatMap((row) => indices.slice(row * width, row * width + width))
  return [
    ...(delay === undefined ? [] : control),
    0x2c,
    ...[left, top, width, height].flatMap(word),
    flags,
    ...fillPalette(palette),
    MIN_SIZE,
    ...blocks(pixels),
  ]
}

function blocks(pixels: readonly number[]): readonly number[] {
  const codes = pixels.flatMap((pixel, at) => (at % LITERALS === 0 ? [1 << MIN_SIZE, pixel] : [pixel]))
  const bits = [...codes, (1 << MIN_SIZE) + 1]
    .map((code) => [...code.toString(2).padStart(MIN_SIZE + 1, '0')].reverse().join(''))
    .join('')
  const bytes = Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) =>
    Number.parseInt([...bits.slice(at * 8, at * 8 + 8).padEnd(8, '0')].reverse().join(''), 2),
  )
  const parts = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, at) => bytes.slice(at * 255, at * 255 + 255))
  return [...parts.flatMap((part) => [part.length, ...part]), 0]
}
