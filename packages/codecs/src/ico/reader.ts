import { withFileHeader } from '../bmp/bare.ts'
import { INFO_HEADER_BYTES, NONE, rowBytes } from '../bmp/layout.ts'
import { bmpReader } from '../bmp/reader.ts'
import { limits } from '../contract/limits.ts'
import { colourType, HEADER_FIELD_BYTES, SIGNATURE } from '../png-file.ts'
import { rgbaOfPng } from '../png-rgba.ts'
import { type Bitmap, type PictureHeader, type Reader, UnreadableError } from '../reader.ts'
import { entriesOf } from './layout.ts'

/** Reads the largest picture of an icon or a cursor; of several, the one with the most colours. */
export const icoReader: Reader = { header: async (file) => headerOf(largestPicture(file)), decode: (file) => decode(file) }

/** The bytes of a picture. */
function largestPicture(file: Buffer): Buffer {
  const places = entriesOf(file).filter(({ at, bytes }) => bytes > INFO_HEADER_BYTES && at + bytes <= file.length)
  const [first, ...others] = places
  if (!first) throw new UnreadableError('none of its pictures is whole')
  const weigh = ({ width, height, bits }: typeof first) => width * height * 64 + bits
  const { at, bytes } = others.reduce((best, one) => (weigh(one) > weigh(best) ? one : best), first)
  return file.subarray(at, at + bytes)
}

const isPng = (picture: Buffer): boolean => picture.subarray(0, SIGNATURE.length).equals(SIGNATURE)

function headerOf(picture: Buffer): PictureHeader {
  if (isPng(picture)) return pngHeader(picture)
  const { width, height, bits } = bitmapSize(picture)
  return { width, height, alpha: true, grey: false, deep: false, ...(bits < 8 && { bitDepth: bits }) }
}

/** The fields of a PNG's first chunk begin here. */
const FIELDS_AT = 16

function pngHeader(picture: Buffer): PictureHeader {
  if (picture.length < FIELDS_AT + HEADER_FIELD_BYTES) throw new UnreadableError('its picture ends within its header')
  const fields = picture.subarray(FIELDS_AT)
  const width = fields.readUInt32BE(0)
  const height = fields.readUInt32BE(4)
  const bits = fields.readUInt8(8)
  if (width * height === 0) throw new UnreadableError('its picture has no pixels')
  const isOpaque = fields.readUInt8(9) === colourType.colour
  return { width, height, alpha: !isOpaque, grey: false, deep: false, ...(bits !== 8 && { bitDepth: bits }) }
}

/** Of a bitmap whose height counts the mask too. */
function bitmapSize(picture: Buffer) {
  if (picture.length < INFO_HEADER_BYTES || picture.readUInt32LE(0) < INFO_HEADER_BYTES)
    throw new UnreadableError('its picture is neither a PNG nor a bitmap')
  const width = picture.readInt32LE(4)
  const height = Math.floor(Math.abs(picture.readInt32LE(8)) / 2)
  if (width <= 0 || height === 0) throw new UnreadableError('its picture has no pixels')
  return { width, height, bits: picture.readUInt16LE(14) }
}

async function decode(file: Buffer): Promise<Bitmap> {
  const picture = largestPicture(file)
  const { width, height } = headerOf(picture)
  if (width * height > limits.pixels) throw new UnreadableError('it has more than 80 megapixels')
  const pixels = isPng(picture) ? await rgbaOfPng(picture) : await maskedPixels(picture)
  if (!pixels) throw new UnreadableError('the pixels of its picture are damaged')
  return { width, height, channels: 4, data: new Uint8Array(pixels.buffer, pixels.byteOffset, pixels.byteLength) }
}

/** A bitmap without the mask, and what the mask makes transparent where no alpha does. */
async function maskedPixels(picture: Buffer): Promise<Uint32Array> {
  const { width, height, bits } = bitmapSize(picture)
  const withAlpha = bits === ALPHA_BITS && picture.readUInt32LE(16) === NONE ? alphaPixels(picture) : undefined
  if (withAlpha) return withAlpha
  const half = Buffer.from(picture)
  half.writeInt32LE(Math.sign(picture.readInt32LE(8)) * height, 8)
  const bitmap = await bmpReader.decode(withFileHeader(half))
  const pixels = rgbaOf(bitmap)
  if (bitmap.channels !== 4) applyMask(pixels, maskOf(picture), width)
  return pixels
}

const ALPHA_BITS = 32

/** The fourth byte of a pixel, which has no meaning in a bitmap alone; undefined where none has a value. */
function alphaPixels(picture: Buffer): Uint32Array | undefined {
  const { width, height } = bitmapSize(picture)
  const start = picture.readUInt32LE(0)
  if (start + 4 * width * height > picture.length) throw new UnreadableError('its picture ends before its pixels do')
  const isTopDown = picture.readInt32LE(8) < 0
  const pixels = new Uint32Array(width * height)
  let alphas = 0
  for (let y = 0, at = start; y < height; y++) {
    const row = (isTopDown ? y : height - 1 - y) * width
    for (let x = 0; x < width; x++, at += 4) {
      const colour = picture.readUInt32LE(at)
      alphas |= colour >>> 24
      pixels[row + x] = (colour & 0xff00ff00) | ((colour & 255) << 16) | ((colour >> 16) & 255)
    }
  }
  return alphas === 0 ? undefined : pixels
}

function rgbaOf({ data, channels, width, height }: Bitmap): Uint32Array {
  const pixels = new Uint32Array(width * height)
  const green = channels === 1 ? 0 : 1
  for (let pixel = 0, at = 0; pixel < pixels.length; pixel++, at += channels) {
    const alpha = channels === 4 ? (data[at + 3] as number) : 255
    pixels[pixel] =
      (alpha << 24) | ((data[at + 2 * green] as number) << 16) | ((data[at + green] as number) << 8) | (data[at] as number)
  }
  return pixels
}

interface Mask {
  readonly rows: Buffer
  readonly isTopDown: boolean
}

/** One bit a pixel, at the end: files exist whose colour table is longer than they say. */
function maskOf(picture: Buffer): Mask {
  const { width, height } = bitmapSize(picture)
  return { rows: picture.subarray(-rowBytes(width, 1) * height), isTopDown: picture.readInt32LE(8) < 0 }
}

function applyMask(pixels: Uint32Array, { rows, isTopDown }: Mask, width: number): void {
  const height = pixels.length / width
  const across = rowBytes(width, 1)
  for (let y = 0; y < height; y++) {
    const from = (isTopDown ? y : height - 1 - y) * across
    for (let x = 0; x < width; x++) {
      const isClear = ((rows[from + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1
      if (isClear === 1) pixels[y * width + x] = 0
    }
  }
}
