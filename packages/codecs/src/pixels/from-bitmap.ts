import { endianness } from 'node:os'
import type { Sharp } from 'sharp'
import { limits } from '../contract/limits.ts'
import type { Bitmap, DecodeJpeg, Reader } from '../reader.ts'
import { sharp } from '../sharp.ts'

/**
 * Decodes with one of our own decoders: of an animation up to `frames` frames, or those before the first damaged one.
 * @param keepsColours RGB pixels stay in the space of the file's profile; by default all are converted to sRGB
 * @throws UnreadableError
 */
export async function readPixels(reader: Reader, bytes: Buffer, frames = 1, keepsColours = false): Promise<ReadPixels> {
  const { icc, ...bitmap } = await reader.decode(bytes, decodeJpeg, frames)
  const frameCount = { frames: bitmap.frames ?? 1 }
  if (keepsColours && icc && isRgb(icc)) return { ...frameCount, pixels: await fromBitmap(bitmap), icc: Buffer.from(icc) }
  return { ...frameCount, pixels: await fromBitmap(icc ? { ...bitmap, icc } : bitmap) }
}

/** The pixels of a still that we have encoded ourselves, as a viewer shows them. */
export const readWritten = async (reader: Reader | undefined, bytes: Buffer): Promise<Sharp> =>
  reader ? (await readPixels(reader, bytes)).pixels : sharp(bytes, { limitInputPixels: limits.pixels })

interface ReadPixels {
  readonly pixels: Sharp
  readonly frames: number
  /** Their profile, where they are in its space. */
  readonly icc?: Buffer
}

/** ICC.1:2022, 7.2: where a profile names the space of its colours, and the length of its header. */
const COLOUR_SPACE = 16
const PROFILE_HEADER_BYTES = 128

/** Whether a profile is of red, green and blue. */
export const isRgb = (icc: Uint8Array): boolean =>
  icc.length > PROFILE_HEADER_BYTES && Buffer.from(icc.subarray(COLOUR_SPACE, COLOUR_SPACE + 4)).toString('latin1') === 'RGB '

/**
 * Starts a pipeline from decoded pixels. libvips takes raw pixels to be sRGB, so those in another space, and CMYK, are passed
 * as an uncompressed TIFF, the simplest container that carries an ICC profile.
 */
export async function fromBitmap(bitmap: Bitmap): Promise<Sharp> {
  const { data, width, height, channels, icc, inks, frames = 1 } = bitmap
  if (icc || inks || channels === 5) {
    const deep = data.BYTES_PER_ELEMENT === 2
    const pixels = sharp(tiffAround(bitmap, icc), { limitInputPixels: limits.pixels, ignoreIcc: deep })
    const inSrgb = deep ? await toSrgb(pixels, channels === 1) : pixels
    return frames > 1 ? asFrames(inSrgb, frames) : inSrgb
  }
  const raw = { width, height, channels, ...(frames > 1 && { pageHeight: height / frames }) }
  return sharp(data, { raw, limitInputPixels: limits.pixels, animated: frames > 1 })
}

/** A TIFF has no frames: the converted strip is cut again. */
async function asFrames(pixels: Sharp, frames: number): Promise<Sharp> {
  const { data, info } = await pixels.toColourspace('srgb').raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels, pageHeight: info.height / frames }
  return sharp(data, { raw, limitInputPixels: limits.pixels, animated: true })
}

/** Decodes a JPEG inside another file with libvips. If its colours are not transformed, its components are returned as they are. */
const decodeJpeg: DecodeJpeg = async (jpeg) => {
  const options = { failOn: 'truncated', limitInputPixels: limits.pixels, ignoreIcc: true } as const
  const { space = 'srgb' } = await sharp(jpeg, options).metadata()
  const colourspace = space === 'cmyk' ? 'cmyk' : space === 'b-w' ? 'b-w' : 'srgb'
  const pixels = sharp(jpeg, options).pipelineColourspace(colourspace).toColourspace(colourspace)
  const { data, info } = await pixels.raw().toBuffer({ resolveWithObject: true })
  // libvips assumes that four components are CMYK, and that JPEG stores them inverted.
  const components = space === 'cmyk' ? data.map((value) => 255 - value) : data
  return { data: components, width: info.width, height: info.height, channels: info.channels }
}

/**
 * Converts 16-bit pixels with a profile to sRGB; open them with `ignoreIcc`. By itself sharp converts such pixels to
 * Display P3 and passes the result on as if it were sRGB, and ignores the profile of grey pixels. With an output profile,
 * it converts in one step.
 */
export async function toSrgb(pixels: Sharp, grey: boolean): Promise<Sharp> {
  const { data, info } = await pixels
    .toColourspace(grey ? 'grey16' : 'rgb16')
    .withIccProfile('srgb', { attach: false })
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.length / 2)
  return sharp(samples, { raw: { width, height, channels }, limitInputPixels: limits.pixels })
}

/** Field types of TIFF 6.0, section 2. */
const SHORT = 3
const LONG = 4
const UNDEFINED = 7
const LITTLE_ENDIAN = endianness() === 'LE'

/** Rows of a TIFF strip: libtiff copies one strip at a time, so small strips save memory. */
const STRIP_ROWS = 64

interface Field {
  readonly tag: number
  readonly type: number
  readonly values: readonly number[] | Uint8Array
}

/** The fields that a baseline TIFF of these pixels needs, in ascending order of their tags (TIFF 6.0, section 6). */
function fieldsOf(
  { width, height, channels, data, inks }: Bitmap,
  icc: Uint8Array | undefined,
  pixelsAt: number,
): readonly Field[] {
  const bits = data.BYTES_PER_ELEMENT * 8
  const stripBytes = STRIP_ROWS * width * channels * data.BYTES_PER_ELEMENT
  const strips = Math.ceil(height / STRIP_ROWS)
  const offsets = Array.from({ length: strips }, (_, strip) => pixelsAt + strip * stripBytes)
  const counts = offsets.map((offset) => Math.min(stripBytes, pixelsAt + data.byteLength - offset))
  const whiteIsHigh = 1
  const rgb = 2
  const cmyk = 5
  const unassociatedAlpha = 2
  const hasAlpha = channels > (inks ? 4 : 3)
  return [
    { tag: 256, type: LONG, values: [width] },
    { tag: 257, type: LONG, values: [height] },
    { tag: 258, type: SHORT, values: new Array<number>(channels).fill(bits) },
    { tag: 259, type: SHORT, values: [1] },
    { tag: 262, type: SHORT, values: [inks ? cmyk : channels === 1 ? whiteIsHigh : rgb] },
    { tag: 273, type: LONG, values: offsets },
    { tag: 277, type: SHORT, values: [channels] },
    { tag: 278, type: LONG, values: [STRIP_ROWS] },
    { tag: 279, type: LONG, values: counts },
    ...(hasAlpha ? [{ tag: 338, type: SHORT, values: [unassociatedAlpha] }] : []),
    ...(icc ? [{ tag: 34_675, type: UNDEFINED, values: icc }] : []),
  ]
}

const bytesOf = ({ type, values }: Field): number => values.length * (type === SHORT ? 2 : type === LONG ? 4 : 1)

/** Wraps pixels, and their ICC profile if they have one, in an uncompressed TIFF in the machine's byte order; copies the pixels once. */
function tiffAround(bitmap: Bitmap, icc: Uint8Array | undefined): Buffer {
  const HEADER = 8
  const ENTRY = 12
  const INLINE = 4
  const directory = fieldsOf(bitmap, icc, 0)
  const outside = directory.map(bytesOf).filter((bytes) => bytes > INLINE)
  const pixelsAt = HEADER + 2 + directory.length * ENTRY + 4 + outside.reduce((sum, bytes) => sum + bytes + (bytes & 1), 0)
  const file = Buffer.allocUnsafeSlow(pixelsAt + bitmap.data.byteLength)
  const view = new DataView(file.buffer, file.byteOffset)
  const put16 = (at: number, value: number) => view.setUint16(at, value, LITTLE_ENDIAN)
  const put32 = (at: number, value: number) => view.setUint32(at, value, LITTLE_ENDIAN)
  const putValues = (at: number, { type, values }: Field) => {
    if (type === SHORT) for (const [index, value] of values.entries()) put16(at + index * 2, value)
    else if (type === LONG) for (const [index, value] of values.entries()) put32(at + index * 4, value)
    else file.set(values, at)
  }

  file.fill(0, 0, pixelsAt)
  file.write(LITTLE_ENDIAN ? 'II' : 'MM', 0, 'latin1')
  put16(2, 42)
  put32(4, HEADER)
  put16(HEADER, directory.length)
  let free = HEADER + 2 + directory.length * ENTRY + 4
  for (const [index, field] of fieldsOf(bitmap, icc, pixelsAt).entries()) {
    const entry = HEADER + 2 + index * ENTRY
    const bytes = bytesOf(field)
    put16(entry, field.tag)
    put16(entry + 2, field.type)
    put32(entry + 4, field.values.length)
    if (bytes > INLINE) {
      put32(entry + 8, free)
      putValues(free, field)
      free += bytes + (bytes & 1)
    } else putValues(entry + 8, field)
  }
  file.set(new Uint8Array(bitmap.data.buffer, bitmap.data.byteOffset, bitmap.data.byteLength), pixelsAt)
  return file
}
