import type { Bitmap } from '../bitmap.ts'
import type { RowCoding } from './coding.ts'
import { ensure } from './ensure.ts'
import type { InfoHeader } from './info-header.ts'
import { rowBytes } from './layout.ts'
import { type Canvas, rowPainter } from './row-painters.ts'

/** Rows that the file holds whole; the last one's padding may be missing. */
export function heldRows(bytes: Buffer, { width, height, pixelsAt }: InfoHeader, bits: number): number {
  const stride = rowBytes(width, bits)
  const padding = stride - Math.ceil((width * bits) / 8)
  return Math.min(height, Math.floor((bytes.length - pixelsAt + padding) / stride))
}

export const hasAlpha = (coding: RowCoding): boolean =>
  coding.name === 'linear' || (coding.name === 'masks' && coding.masks.alpha !== undefined)

export const isGrey = (coding: RowCoding): boolean => coding.name === 'indices' && coding.palette.grey

/**
 * Decodes rows of pixels. Those that the file does not hold are transparent, as browsers show them.
 * @throws UnreadableError
 */
export function decodeRows(bytes: Buffer, header: InfoHeader, coding: RowCoding, mayBeGrey: boolean): Bitmap {
  const { width, height, topDown, pixelsAt } = header
  const held = heldRows(bytes, header, coding.bits)
  ensure(held > 0, 'it ends within its first row')
  const own = hasAlpha(coding)
  const step = own || held < height ? 4 : mayBeGrey && isGrey(coding) ? 1 : 3
  const data = new Uint8Array(width * height * step)
  const paint = rowPainter(bytes, coding, { data, width, step })
  const stride = rowBytes(width, coding.bits)
  for (let row = 0; row < held; row++) {
    const to = (topDown ? row : height - 1 - row) * width * step
    paint(pixelsAt + row * stride, to)
    if (step === 4 && !own) makeOpaque({ data, width, step }, to)
  }
  return { width, height, channels: step, data }
}

function makeOpaque({ data, width, step }: Canvas, from: number): void {
  for (let at = from + 3; at < from + width * step; at += step) data[at] = 255
}
