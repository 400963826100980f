import { ensure } from './ensure.ts'
import type { InfoHeader } from './info-header.ts'
import { ALPHA_BITFIELDS, NONE, OS2_HEADER_BYTES, V3_HEADER_BYTES } from './layout.ts'

/** Which bits of a pixel are a channel, and what makes 0–255 of them. */
export interface Channel {
  readonly mask: number
  readonly shift: number
  /** The largest number that fits. */
  readonly most: number
  readonly scale: number
}

export interface Masks {
  readonly red: Channel
  readonly green: Channel
  readonly blue: Channel
  readonly alpha?: Channel
}

/** "BI_RGB: the bitmap is not compressed": 5 bits a channel, or 8, and what is left is not used. */
const UNSAID = { 16: [0x7c00, 0x03e0, 0x001f], 32: [0xff0000, 0xff00, 0xff] } as const

/**
 * The channel masks of a bitmap of 16 or 32 bits a pixel.
 * @throws UnreadableError
 */
export function readMasks(bytes: Buffer, header: InfoHeader, bits: 16 | 32): Masks {
  const said = header.compression !== NONE
  const withAlpha = said && saysAlpha(header)
  ensure(!said || header.masksAt + (withAlpha ? 16 : 12) <= bytes.length, 'it ends within its channel masks')
  const mask = (index: number) => bytes.readUInt32LE(header.masksAt + index * 4)
  const [red, green, blue] = said ? [mask(0), mask(1), mask(2)] : UNSAID[bits]
  const alpha = withAlpha ? mask(3) : 0
  ensure((red | green | blue) !== 0, 'its channel masks are empty')
  const colours = { red: channel(red), green: channel(green), blue: channel(blue) }
  return alpha === 0 ? colours : { ...colours, alpha: channel(alpha) }
}

const saysAlpha = ({ length, compression }: InfoHeader) =>
  compression === ALPHA_BITFIELDS || (length >= V3_HEADER_BYTES && length !== OS2_HEADER_BYTES)

function channel(mask: number): Channel {
  if (mask === 0) return { mask, shift: 0, most: 0, scale: 0 }
  const shift = 31 - Math.clz32(mask & -mask)
  const most = mask >>> shift
  ensure((most & (most + 1)) === 0, `its channel mask 0x${mask.toString(16)} has a hole`)
  return { mask, shift, most, scale: 255 / most }
}
