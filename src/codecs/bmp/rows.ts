import type { Bitmap } from '../bitmap.ts'
import type { RowCoding } from './coding.ts'
import { ensure } from './ensure.ts'
import type { InfoHeader } from './info-header.ts'
import { rowBytes } from './layout.ts'
import { rowPainter } from './row-painters.ts'

export const hasAlpha = (coding: RowCoding): boolean =>
  coding.name === 'linear' || (coding.name === 'masks' && coding.masks.alpha !== undefined)

export const isGrey = (coding: RowCoding): boolean => coding.name === 'indices' && coding.palette.grey

/**
 * Decodes rows of pixels.
 * @throws UnreadableError when they are not all there: like every format that is cut, and unlike in browsers
 */
export function decodeRows(bytes: Buffer, header: InfoHeader, coding: RowCoding, mayBeGrey: boolean): Bitmap {
  const { width, height, topDown, pixelsAt } = header
  const stride = rowBytes(width, coding.bits)
  // The last row's padding may be missing.
  const needed = stride * (height - 1) + Math.ceil((width * coding.bits) / 8)
  ensure(pixelsAt + needed <= bytes.length, 'it ends before its pixels do')
  const step = hasAlpha(coding) ? 4 : mayBeGrey && isGrey(coding) ? 1 : 3
  const data = new Uint8Array(width * height * step)
  const paint = rowPainter(bytes, coding, { data, width, step })
  for (let row = 0; row < height; row++) paint(pixelsAt + row * stride, (topDown ? row : height - 1 - row) * width * step)
  return { width, height, channels: step, data }
}
