import type { Bitmap } from '../bitmap.ts'
import { unpremultiply } from '../unpremultiply.ts'
import { chunksOf, stride } from './chunks.ts'
import { labToRgb } from './lab.ts'
import { formats, type Layout, photometrics } from './layout.ts'
import { orient } from './orient.ts'
import { floatReader, sampleReader } from './samples.ts'

/** Numbers that programs write for white where samples are floats: one, and the full scale of 8 and 16 bits. */
const WHITES = [1, 255, 65_535]

/** The picture in 16 bits a channel. */
export function decodeLayout(file: Buffer, layout: Layout): Bitmap {
  const { width, height, photometric, orientation, icc } = layout
  const channels = layout.colours + (layout.alpha === 'none' ? 0 : 1)
  const pixels = gather(file, layout, channels)
  if (layout.alpha === 'premultiplied') unpremultiply(pixels, channels)
  if (photometric === photometrics.minIsWhite) invert(pixels, channels)
  if (isLab(layout)) labToRgb(pixels, channels, layout)
  const bitmap = { width, height, ...(icc && !isLab(layout) && channels !== 2 && { icc }) }
  if (channels !== 2)
    return orient({ ...bitmap, channels: channels === 1 ? 1 : channels === 3 ? 3 : 4, data: pixels }, orientation)
  return orient({ ...bitmap, channels: 4, data: greyToRgb(pixels) }, orientation)
}

export const isLab = ({ photometric }: Layout): boolean =>
  photometric === photometrics.cieLab || photometric === photometrics.iccLab

/** Colour and alpha of all pixels, interleaved, 0–65,535; further channels are left out. */
function gather(file: Buffer, layout: Layout, channels: number): Uint16Array {
  const read = sampleReader(layout, whiteOf(file, layout))
  const out = new Uint16Array(layout.width * layout.height * channels)
  const [step, planar] = [stride(layout), layout.planar]
  for (const { plane, x, y, rows } of chunksOf(file, layout)) {
    if (plane >= channels) break
    const across = Math.min(layout.chunk.width, layout.width - x)
    for (const [index, row] of rows.entries()) {
      let to = ((y + index) * layout.width + x) * channels + plane
      for (let column = 0; column < across; column++, to += channels)
        if (planar) out[to] = read(row, column)
        else for (let channel = 0; channel < channels; channel++) out[to + channel] = read(row, column * step + channel)
    }
  }
  return out
}

/** What counts as white: for grey floats the scale that holds their largest number; colour above 1 is light that is clipped. */
function whiteOf(file: Buffer, layout: Layout): number {
  if (layout.format !== formats.float || layout.colours !== 1) return 1
  const read = floatReader(layout.bits, layout.littleEndian)
  const step = stride(layout)
  let largest = 0
  for (const { plane, x, rows } of chunksOf(file, layout)) {
    if (plane > 0) break
    const across = Math.min(layout.chunk.width, layout.width - x)
    for (const row of rows)
      for (let column = 0; column < across; column++) {
        const value = read(row, column * step)
        if (value > largest && value !== Infinity) largest = value
      }
  }
  return WHITES.find((white) => largest <= white) ?? largest
}

/** Grey or colour, and not the alpha behind it. */
function invert(pixels: Uint16Array, channels: number): void {
  for (let at = 0; at < pixels.length; at += channels) pixels[at] = 65_535 - (pixels[at] ?? 0)
}

/** A bitmap has no two channels. */
function greyToRgb(pixels: Uint16Array): Uint16Array {
  const out = new Uint16Array(pixels.length * 2)
  for (let from = 0, to = 0; from < pixels.length; from += 2, to += 4) {
    out.fill(pixels[from] ?? 0, to, to + 3)
    out[to + 3] = pixels[from + 1] ?? 0
  }
  return out
}
