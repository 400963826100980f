import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { type Size, scaledSize } from '@pixelmill/codecs/pixels/size'
import { atLeastOne } from '../dialects/frames.ts'
import type { Original } from '../dialects/original.ts'
import type { Sketch } from '../dialects/sketch.ts'
import type { ImgixOptions } from './options.ts'

/** Lays the mark over the picture: in its own size where none is said, at most as large as fits between the padding. */
export function layMark(sketch: Sketch, options: ImgixOptions, { markSizes }: Original): void {
  const { mark, markAlign = 'southeast', markAlpha = 100, markPadding = 10, markX, markY, dpr = 1 } = options
  if (mark === undefined) return
  if (dpr !== 1) throw invalidParam('mark', 'custom', 'Is not supported beside dpr.')
  const base = sketch.size
  const room = { width: Math.max(1, base.width - 2 * markPadding), height: Math.max(1, base.height - 2 * markPadding) }
  const size = sizeOf(markSizes?.get(mark) ?? { width: 1, height: 1 }, base, room, options)
  const direction = typeof markAlign === 'string' ? markAlign : 'center'
  const place = (free: number, start: string, end: string) => {
    if (direction.includes(start)) return markPadding
    return direction.includes(end) ? free - markPadding : Math.round(free / 2)
  }
  sketch.lay('mark', {
    path: mark,
    ...size,
    x: markX ?? place(base.width - size.width, 'west', 'east'),
    y: markY ?? place(base.height - size.height, 'north', 'south'),
    opacity: markAlpha,
  })
}

function sizeOf(own: Size, base: Size, room: Size, { markWidth, markHeight, markScale }: ImgixOptions): Size {
  const pixels = (length: number | undefined, side: number) => length && atLeastOne(length < 1 ? length * side : length)
  const width = pixels(markWidth, base.width) ?? (markScale && atLeastOne((base.width * markScale) / 100))
  const height = pixels(markHeight, base.height)
  if (width !== undefined || height !== undefined) return scaledSize(own, { width, height, fit: 'inside' })
  const isTooLarge = own.width > room.width || own.height > room.height
  return isTooLarge ? scaledSize(own, { ...room, fit: 'inside' }) : own
}
