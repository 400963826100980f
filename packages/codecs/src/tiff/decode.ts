import { type Bitmap, type DecodeJpeg, unpremultiply } from '../reader.ts'
import { chunksOf, rowBytes, stride } from './chunks.ts'
import { labToRgb, yCbCrToRgb } from './colours.ts'
import { formats, type Layout, photometrics } from './layout.ts'
import { floatReader, spanReader } from './samples.ts'

/** Values of white in floating-point samples: 1, and the full scale of 8 and 16 bits. */
const WHITES = [1, 255, 65_535]

/** Decodes the picture to 16 bits a channel; CMYK to 8. */
export async function decodeLayout(file: Buffer, layout: Layout, decodeJpeg?: DecodeJpeg): Promise<Bitmap> {
  const { width, height, photometric, orientation, icc } = layout
  const channels = layout.colours + (layout.alpha === 'none' ? 0 : 1)
  const pixels = await gather(file, layout, channels, decodeJpeg)
  if (layout.alpha === 'premultiplied' && photometric !== photometrics.palette) unpremultiply(pixels, channels)
  if (photometric === photometrics.cmyk) {
    const inks = {
      width,
      height,
      channels: channels === 4 ? 4 : 5,
      inks: true,
      data: in8Bits(pixels),
      ...(icc && { icc }),
    } as const
    return orient(inks, orientation)
  }
  if (photometric === photometrics.minIsWhite) invert(pixels, channels)
  if (photometric === photometrics.yCbCr) yCbCrToRgb(pixels, channels, layout)
  if (isLab(layout)) labToRgb(pixels, channels, layout)
  if (photometric === photometrics.palette) {
    const colouring = {
      width,
      height,
      channels: channels === 1 ? 3 : 4,
      data: paletteToRgb(pixels, channels, layout),
      ...(icc && { icc }),
    } as const
    return orient(colouring, orientation)
  }
  const bitmap = { width, height, ...(icc && !isLab(layout) && channels !== 2 && { icc }) }
  if (channels !== 2)
    return orient({ ...bitmap, channels: channels === 1 ? 1 : channels === 3 ? 3 : 4, data: pixels }, orientation)
  return orient({ ...bitmap, channels: 4, data: greyToRgb(pixels) }, orientation)
}

const isLab = ({ photometric }: Layout): boolean => photometric === photometrics.cieLab || photometric === photometrics.iccLab

/** Colour and alpha of all pixels, interleaved, 0–65,535 or palette indices; other channels are dropped. */
async function gather(file: Buffer, layout: Layout, channels: number, decodeJpeg?: DecodeJpeg): Promise<Uint16Array> {
  const { width, height, chunk, planar } = layout
  const read = spanReader(layout, await whiteOf(file, layout, decodeJpeg))
  const out = new Uint16Array(width * height * channels)
  const step = stride(layout)
  const bytes = rowBytes(layout)
  for await (const { plane, x, y, data, rows } of chunksOf(file, layout, decodeJpeg)) {
    if (plane >= channels) break
    const across = Math.min(chunk.width, width - x)
    for (let index = 0; index < rows; index++) {
      const row = index * bytes
      const to = ((y + index) * width + x) * channels
      if (step === channels) read(data, row, out, { first: 0, step: 1, count: across * channels, to, toStep: 1 })
      else if (planar) read(data, row, out, { first: 0, step: 1, count: across, to: to + plane, toStep: channels })
      else
        for (let channel = 0; channel < channels; channel++)
          read(data, row, out, { first: channel, step, count: across, to: to + channel, toStep: channels })
    }
  }
  return out
}

/** The value of white: for grey and CMYK floats the smallest scale that holds their maximum; RGB floats above 1 are clipped. */
async function whiteOf(file: Buffer, layout: Layout, decodeJpeg?: DecodeJpeg): Promise<number> {
  if (layout.format !== formats.float || layout.colours === 3) return 1
  const floatsOf = floatReader(layout.bits, layout.littleEndian)
  const step = stride(layout)
  let largest = 0
  const beside = layout.planar ? 1 : layout.colours
  const bytes = rowBytes(layout)
  for await (const { plane, x, data, rows } of chunksOf(file, layout, decodeJpeg)) {
    if (plane >= layout.colours) break
    const across = Math.min(layout.chunk.width, layout.width - x)
    for (let row = 0; row < rows; row++) {
      const floats = floatsOf(data, row * bytes, across * step)
      for (let pixel = 0; pixel < across * step; pixel += step)
        for (let channel = 0; channel < beside; channel++) {
          const value = floats[pixel + channel] as number
          if (value > largest && value !== Infinity) largest = value
        }
    }
  }
  return WHITES.find((white) => largest <= white) ?? largest
}

/** Divided by 257 and rounded: no quotient lies in the middle of two numbers. */
function in8Bits(samples: Uint16Array): Uint8Array {
  const out = new Uint8Array(samples.length)
  for (let at = 0; at < samples.length; at++) out[at] = ((samples[at] as number) + 128) / 257
  return out
}

/** Inverts grey, not alpha. */
function invert(pixels: Uint16Array, channels: number): void {
  for (let at = 0; at < pixels.length; at += channels) pixels[at] = 65_535 - (pixels[at] as number)
}

/** A Bitmap cannot have two channels. */
function greyToRgb(pixels: Uint16Array): Uint16Array {
  const out = new Uint16Array(pixels.length * 2)
  for (let from = 0, to = 0; from < pixels.length; from += 2, to += 4) {
    const grey = pixels[from] as number
    out[to] = grey
    out[to + 1] = grey
    out[to + 2] = grey
    out[to + 3] = pixels[from + 1] as number
  }
  return out
}

/** Maps palette indices to colours; keeps alpha when there are two channels. Indices beyond the palette are black. */
function paletteToRgb(places: Uint16Array, channels: number, { palette, bits }: Layout): Uint16Array {
  const size = Math.min(2 ** bits, Math.floor(palette.length / 3))
  // Some writers use 8-bit values where 16 bits are specified; libtiff detects it by the largest value, too.
  const factor = palette.every((value) => value < 256) ? 257 : 1
  const entries = 2 ** bits
  const colours = new Uint16Array(entries * 3)
  for (let entry = 0; entry < entries; entry++)
    for (let colour = 0; colour < 3; colour++) colours[entry * 3 + colour] = (palette[colour * size + entry] ?? 0) * factor
  // The alpha is as deep as the places are.
  const full = 2 ** bits - 1
  const step = channels === 1 ? 3 : 4
  const out = new Uint16Array((places.length / channels) * step)
  for (let at = 0, to = 0; at < places.length; at += channels, to += step) {
    const entry = (places[at] as number) * 3
    out[to] = colours[entry] as number
    out[to + 1] = colours[entry + 1] as number
    out[to + 2] = colours[entry + 2] as number
    if (step === 4) out[to + 3] = Math.round(((places[at + 1] as number) * 65_535) / full)
  }
  return out
}

/** Maps displayed to stored coordinates, by Orientation (TIFF 6.0, section 8); `right` and `bottom` are the last stored column and row. */
type Source = (x: number, y: number, right: number, bottom: number) => readonly [column: number, row: number]

const sources: Readonly<Record<number, Source>> = {
  2: (x, y, right) => [right - x, y],
  3: (x, y, right, bottom) => [right - x, bottom - y],
  4: (x, y, _, bottom) => [x, bottom - y],
  5: (x, y) => [y, x],
  6: (x, y, _, bottom) => [y, bottom - x],
  7: (x, y, right, bottom) => [right - y, bottom - x],
  8: (x, y, right) => [right - y, x],
}

/** From 5 on, rows and columns are swapped. */
export const isTurned = (orientation: number): boolean => orientation > 4 && orientation in sources

export function orient(bitmap: Bitmap, orientation: number): Bitmap {
  const source = sources[orientation]
  if (!source) return bitmap
  const { channels, data } = bitmap
  const [width, height] = isTurned(orientation) ? [bitmap.height, bitmap.width] : [bitmap.width, bitmap.height]
  const out = data.BYTES_PER_ELEMENT === 2 ? new Uint16Array(data.length) : new Uint8Array(data.length)
  const sampleAt = (x: number, y: number): number => {
    const [column, row] = source(x, y, bitmap.width - 1, bitmap.height - 1)
    return (row * bitmap.width + column) * channels
  }
  // Along a row of the result, the samples of the source are equally far from each other.
  const step = sampleAt(1, 0) - sampleAt(0, 0)
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0, from = sampleAt(0, y); x < width; x++, from += step)
      for (let channel = 0; channel < channels; channel++) out[to++] = data[from + channel] as number
  return { ...bitmap, width, height, data: out }
}
