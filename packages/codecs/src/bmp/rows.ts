import { permuteRows } from '@pixelmill/kernels/permute'
import { sRgbCoded } from '@pixelmill/kernels/srgb'
import type { Bitmap } from '../reader.ts'
import type { Channel, Masks, Palette, RowCoding } from './coding.ts'
import { ensure, type InfoHeader } from './header.ts'
import { rowBytes } from './layout.ts'

export const hasAlpha = (coding: RowCoding): boolean =>
  coding.name === 'linear' || (coding.name === 'masks' && coding.masks.alpha !== undefined)

export const isGrey = (coding: RowCoding): boolean => coding.name === 'indices' && coding.palette.grey

/**
 * Decodes rows of pixels.
 * @throws UnreadableError when the file is truncated, as for all formats and unlike browsers
 */
export function decodeRows(bytes: Buffer, header: InfoHeader, coding: RowCoding, mayBeGrey: boolean): Bitmap {
  const { width, height, topDown, pixelsAt } = header
  const stride = rowBytes(width, coding.bits)
  // The last row's padding may be missing.
  const neededBytes = stride * (height - 1) + Math.ceil((width * coding.bits) / 8)
  ensure(pixelsAt + neededBytes <= bytes.length, 'it ends before its pixels do')
  const step = hasAlpha(coding) ? 4 : mayBeGrey && isGrey(coding) ? 1 : 3
  const data = new Uint8Array(width * height * step)
  const picture = { width, height, channels: step, data } as const
  const places = placesIn(coding)
  if (places) {
    const from = { data: bytes, start: topDown ? pixelsAt : pixelsAt + (height - 1) * stride, stride: topDown ? stride : -stride }
    permuteRows(from, { data, start: 0, stride: width * step }, { width, height, pixelBytes: coding.bits / 8, places })
    return picture
  }
  const paint = rowPainter(bytes, coding, { data, width, step })
  for (let row = 0; row < height; row++) paint(pixelsAt + row * stride, (topDown ? row : height - 1 - row) * width * step)
  return picture
}

/** The output, with `step` samples a pixel: 1 grey, 3 RGB, 4 RGBA. */
export interface Canvas {
  readonly data: Uint8Array
  readonly width: number
  readonly step: 1 | 3 | 4
}

/** Decodes one row, from its offset in the file to its offset in the canvas. */
export type PaintRow = (from: number, to: number) => void

/** Where red, green, blue and alpha are in a pixel; undefined unless each of them is a whole byte. */
function placesIn(coding: RowCoding): readonly number[] | undefined {
  if (coding.name === 'bytes') return [2, 1, 0]
  if (coding.name !== 'masks' || coding.bits !== 32) return undefined
  const { red, green, blue, alpha } = coding.masks
  const channels = [red, green, blue, ...(alpha ? [alpha] : [])]
  const isByte = ({ shift, most }: Channel) => most === 255 && shift % 8 === 0
  return channels.every(isByte) ? channels.map(({ shift }) => shift / 8) : undefined
}

/** The caller ensures that all rows are inside the file and the canvas. */
function rowPainter(bytes: Buffer, coding: RowCoding, canvas: Canvas): PaintRow {
  switch (coding.name) {
    case 'bytes':
      throw new Error('pixels of whole bytes are not painted but copied')
    case 'indices':
      return canvas.step === 1 ? greys(bytes, coding, canvas) : colours(bytes, coding, canvas)
    case 'linear':
      return linear(bytes, canvas)
    case 'masks':
      return coding.bits === 16 ? sixteen(bytes, coding.masks, canvas) : thirtyTwo(bytes, coding.masks, canvas)
  }
}

interface Indexed {
  readonly bits: 1 | 2 | 4 | 8
  readonly palette: Palette
}

/** How to read a pixel's index: its byte is x >> shift, with the leftmost pixel in the highest bits. */
const packing = (bits: Indexed['bits']) => ({ shift: Math.log2(8 / bits), low: 8 / bits - 1, top: 8 - bits, mask: 2 ** bits - 1 })

function greys(bytes: Buffer, { bits, palette: { rgba } }: Indexed, { data, width }: Canvas): PaintRow {
  const { shift, low, top, mask } = packing(bits)
  return (from, to) => {
    for (let x = 0; x < width; x++) {
      const index = ((bytes[from + (x >> shift)] ?? 0) >> (top - (x & low) * bits)) & mask
      data[to + x] = rgba[index * 4] ?? 0
    }
  }
}

function colours(bytes: Buffer, { bits, palette: { rgba } }: Indexed, { data, width, step }: Canvas): PaintRow {
  const { shift, low, top, mask } = packing(bits)
  return (from, start) => {
    for (let x = 0, to = start; x < width; x++, to += step) {
      const entry = (((bytes[from + (x >> shift)] ?? 0) >> (top - (x & low) * bits)) & mask) * 4
      data[to] = rgba[entry] ?? 0
      data[to + 1] = rgba[entry + 1] ?? 0
      data[to + 2] = rgba[entry + 2] ?? 0
    }
  }
}

/** A channel's bits of a pixel as 0–255; a channel without bits is 0. */
const scaleSample = (pixel: number, { mask, shift, scale }: Channel): number => Math.round(((pixel & mask) >>> shift) * scale)

function thirtyTwo(bytes: Buffer, { red, green, blue, alpha }: Masks, { data, width, step }: Canvas): PaintRow {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return (from, to) => {
    for (let x = 0, at = to; x < width; x++, at += step) {
      const pixel = view.getUint32(from + x * 4, true)
      data[at] = scaleSample(pixel, red)
      data[at + 1] = scaleSample(pixel, green)
      data[at + 2] = scaleSample(pixel, blue)
      if (alpha) data[at + 3] = scaleSample(pixel, alpha)
    }
  }
}

const SIXTEEN_BITS = 65_536
/** 0–255 for each of the 65,536 numbers of two bytes. */
function tableOf(value: (number: number) => number): Uint8Array {
  const table = new Uint8Array(SIXTEEN_BITS)
  for (let number = 0; number < SIXTEEN_BITS; number++) table[number] = value(number)
  return table
}

function sixteen(bytes: Buffer, { red, green, blue, alpha }: Masks, canvas: Canvas): PaintRow {
  const table = (channel: Channel) => tableOf((pixel) => scaleSample(pixel, channel))
  const reds = table(red)
  const greens = table(green)
  const blues = table(blue)
  const alphas = alpha && table(alpha)
  const { data, width, step } = canvas
  return (from, to) => {
    for (let x = 0, at = to; x < width; x++, at += step) {
      const pixel = (bytes[from + x * 2] ?? 0) | ((bytes[from + x * 2 + 1] ?? 0) << 8)
      data[at] = reds[pixel] ?? 0
      data[at + 1] = greens[pixel] ?? 0
      data[at + 2] = blues[pixel] ?? 0
      if (alphas) data[at + 3] = alphas[pixel] ?? 0
    }
  }
}

/** 2.13 bits, signed: 8192 is full. GDI+ keeps them in linear light, alpha apart. */
const fraction = (number: number): number => Math.min(1, Math.max(0, ((number << 16) >> 16) / 8192))

function linear(bytes: Buffer, { data, width, step }: Canvas): PaintRow {
  const codeTable = tableOf((number) => Math.round(255 * sRgbCoded(fraction(number))))
  const alphas = tableOf((number) => Math.round(255 * fraction(number)))
  const word = (at: number) => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)
  return (start, to) => {
    for (let x = 0, from = start, at = to; x < width; x++, from += 8, at += step) {
      data[at] = codeTable[word(from + 4)] ?? 0
      data[at + 1] = codeTable[word(from + 2)] ?? 0
      data[at + 2] = codeTable[word(from)] ?? 0
      data[at + 3] = alphas[word(from + 6)] ?? 0
    }
  }
}
