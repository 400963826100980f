import type { Timing } from '../codec.ts'
import { limits } from '../contract/limits.ts'
import { chunksIn, colourType, HEADER_FIELD_BYTES, hasSoundChecksum, type PngChunk } from '../png-file.ts'

/** Disposal of a frame's rectangle before the next frame (PNG, third edition, 11.3.6.2): keep, clear, or restore what was there. */
export const KEEP = 0
export const CLEAR = 1
export const RESTORE = 2

/** Whether a frame's pixels take the place of what is there, or are laid over it. */
export const SOURCE = 0
export const OVER = 1

export interface Rectangle {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Calls with where each row of a rectangle begins on the canvas, and in the rectangle. */
export function eachRow({ left, top, width, height }: Rectangle, across: number, call: (at: number, from: number) => void): void {
  for (let row = 0; row < height; row++) call((top + row) * across + left, row * width)
}

/** What a control chunk says of a frame. */
export interface FrameControl extends Rectangle {
  readonly seconds: number
  readonly disposal: typeof KEEP | typeof CLEAR | typeof RESTORE
  readonly blend: typeof SOURCE | typeof OVER
}

export interface ApngFrame extends FrameControl {
  /** The compressed pixels, in order. */
  readonly data: readonly Buffer[]
}

export interface Apng {
  readonly width: number
  readonly height: number
  /** The data of the header chunk, whose other fields hold for each frame. */
  readonly fields: Buffer
  /** The chunks of the palette and of transparency, which hold for each frame. */
  readonly palette: readonly Buffer[]
  /** How often it plays; 0 for ever. */
  readonly plays: number
  /** At least one; up to the first that is damaged. */
  readonly frames: readonly ApngFrame[]
  /** The image data is no frame: viewers without animations show it. */
  readonly hasFallback: boolean
  /** Has fewer frames than it says. */
  readonly isCut: boolean
}

/** Undefined of a still picture, and of a file without a sound frame: viewers then show its image data. */
export function readApng(file: Buffer): Apng | undefined {
  const head = headOf(file)
  if (!head) return undefined
  const { count, ...screen } = head
  const { frames, hasFallback } = framesIn(file, screen, count)
  return frames.length > 0 ? { ...screen, frames, hasFallback, isCut: frames.length < count } : undefined
}

/** Whether a file has frames beside the picture that its image data is. */
export function isAnimation(file: Buffer): boolean {
  const apng = readApng(file)
  return apng !== undefined && (apng.frames.length > 1 || apng.hasFallback)
}

/** Whether the image data of an animation is none of its frames. */
export const hasFallback = (file: Buffer): boolean => readApng(file)?.hasFallback === true

/** The frames of an APNG; undefined of a still picture. */
export function apngTiming(file: Buffer): Timing | undefined {
  const { frames = [] } = readApng(file) ?? {}
  const seconds = frames.reduce((sum, frame) => sum + frame.seconds, 0)
  return frames.length > 1 ? { frames: frames.length, durationMs: Math.round(seconds * 1_000) } : undefined
}

/** Whether a still picture says that it is an animation, none of which is there. */
export const lacksFrames = (file: Buffer): boolean => {
  const head = headOf(file)
  return head !== undefined && head.count > 1 && (readApng(file)?.frames.length ?? 0) < 2
}

/** The limit that an APNG exceeds. A still picture is not read beyond the chunks before its pixels. */
export function apngExcess(file: Buffer): string | undefined {
  if (!headOf(file)) return undefined
  const { apngChunks } = limits.structure
  let frames = 0
  let chunks = 0
  for (const { type } of chunksIn(file)) {
    if (type === 'fcTL' && ++frames > limits.frames) return `${limits.frames} frames`
    if (++chunks > apngChunks) return `${apngChunks} chunks`
  }
  return undefined
}

interface Head extends Pick<Apng, 'width' | 'height' | 'fields' | 'palette' | 'plays'> {
  /** Frames that it says to have. */
  readonly count: number
}

/** What comes before the image data; undefined unless it says that the file is an animation. */
function headOf(file: Buffer): Head | undefined {
  let fields: Buffer | undefined
  let control: Buffer | undefined
  const palette: Buffer[] = []
  for (const chunk of chunksIn(file)) {
    const { type, data } = chunk
    if (type === 'IDAT') break
    if (type === 'IHDR') fields ??= data
    if (type === 'PLTE' || type === 'tRNS') palette.push(wholeChunk(file, chunk))
    if (type === 'acTL' && data.length === 8 && hasSoundChecksum(file, chunk)) control ??= data
  }
  if (fields?.length !== HEADER_FIELD_BYTES || !control) return undefined
  const count = control.readUInt32BE(0)
  const width = fields.readUInt32BE(0)
  const height = fields.readUInt32BE(4)
  return count > 0 ? { width, height, fields, palette, plays: control.readUInt32BE(4), count } : undefined
}

const wholeChunk = (file: Buffer, { at, data }: PngChunk): Buffer => file.subarray(at, at + 12 + data.length)

type Screen = Pick<Apng, 'width' | 'height'>

type OpenFrame = FrameControl & { readonly data: Buffer[] }

/** Frames in the order of their sequence numbers, which count control and data chunks (11.3.6.1), up to a fault. */
function framesIn(file: Buffer, screen: Screen, most: number): Pick<Apng, 'frames' | 'hasFallback'> {
  const frames: OpenFrame[] = []
  let sequence = 0
  let hasFallback = false
  const isNext = (chunk: PngChunk) =>
    chunk.data.length >= 4 && chunk.data.readUInt32BE(0) === sequence++ && hasSoundChecksum(file, chunk)
  /** Each adds a chunk, and says whether it is sound and in its place. */
  const adders: Readonly<Record<string, (chunk: PngChunk, last: OpenFrame | undefined) => boolean>> = {
    IDAT({ data }, last) {
      hasFallback ||= last === undefined
      if (hasFallback) return last === undefined
      last?.data.push(data)
      return frames.length === 1 && last !== undefined && covers(last, screen)
    },
    fcTL(chunk, last) {
      const control = isNext(chunk) ? controlIn(chunk.data, screen) : undefined
      if (!control || last?.data.length === 0) return false
      frames.push({ ...control, data: [] })
      return true
    },
    fdAT(chunk, last) {
      last?.data.push(chunk.data.subarray(4))
      return isNext(chunk) && last !== undefined && (hasFallback || frames.length > 1)
    },
  }
  let faultyType: string | undefined
  for (const chunk of chunksIn(file)) {
    if (chunk.type === 'fcTL' && frames.length === most) break
    if (adders[chunk.type]?.(chunk, frames.at(-1)) !== false) continue
    faultyType = chunk.type
    break
  }
  // What stands before a faulty control chunk is whole; a frame with faulty data is not.
  const isWhole = faultyType === undefined || faultyType === 'fcTL'
  if (!isWhole || frames.at(-1)?.data.length === 0) frames.pop()
  return { frames, hasFallback }
}

const covers = ({ left, top, width, height }: Rectangle, screen: Screen): boolean =>
  left === 0 && top === 0 && width === screen.width && height === screen.height

const CONTROL_BYTES = 26
/** Of a delay whose denominator is 0. */
const HUNDREDTHS = 100

/** Undefined where a value is none of the specification's, or the rectangle lies beyond the screen. */
function controlIn(data: Buffer, screen: Screen): FrameControl | undefined {
  if (data.length !== CONTROL_BYTES) return undefined
  const [width, height, left, top] = [4, 8, 12, 16].map((at) => data.readUInt32BE(at)) as [number, number, number, number]
  const seconds = data.readUInt16BE(20) / (data.readUInt16BE(22) || HUNDREDTHS)
  const disposal = data.readUInt8(24)
  const blend = data.readUInt8(25)
  const isInside = width > 0 && height > 0 && left + width <= screen.width && top + height <= screen.height
  if (!isInside || !isDisposal(disposal) || !isBlend(blend)) return undefined
  return { left, top, width, height, seconds, disposal, blend }
}

const isDisposal = (value: number): value is FrameControl['disposal'] => value <= RESTORE
const isBlend = (value: number): value is FrameControl['blend'] => value <= OVER

const ALPHA_TYPES: readonly number[] = [colourType.greyAlpha, colourType.colourAlpha]

/** Whether a pixel of a displayed frame may be transparent. */
export function showsThrough(apng: Apng): boolean {
  const { fields, palette, frames } = apng
  const [first] = frames
  const hasAlpha = ALPHA_TYPES.includes(fields.readUInt8(9)) || palette.some((chunk) => chunk.toString('latin1', 4, 8) === 'tRNS')
  return (
    hasAlpha ||
    (first !== undefined && (!covers(first, apng) || first.disposal === RESTORE)) ||
    frames.slice(0, -1).some(({ disposal }) => disposal === CLEAR)
  )
}
