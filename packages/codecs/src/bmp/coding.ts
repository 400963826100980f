import { UnreadableError } from '../reader.ts'
import { ensure, type InfoHeader } from './header.ts'
import {
  ALPHA_BITFIELDS,
  BITFIELDS,
  CORE_HEADER_BYTES,
  INFO_HEADER_BYTES,
  JPEG,
  NONE,
  OS2_HEADER_BYTES,
  PNG,
  RLE4,
  RLE8,
  V3_HEADER_BYTES,
} from './layout.ts'

/** Uncompressed rows of pixels. */
export type RowCoding =
  | { readonly name: 'indices'; readonly bits: 1 | 2 | 4 | 8; readonly palette: Palette }
  | { readonly name: 'bytes'; readonly bits: 24 }
  | { readonly name: 'masks'; readonly bits: 16 | 32; readonly masks: Masks }
  | { readonly name: 'linear'; readonly bits: 64 }

export type RunCoding =
  | { readonly name: 'runs'; readonly bits: 4 | 8; readonly palette: Palette }
  | { readonly name: 'runs'; readonly bits: 24 }

export interface HuffmanCoding {
  readonly name: 'huffman'
  readonly palette: Palette
}

/** How the pixels are coded, with what is needed to decode them. */
export type Coding = RowCoding | RunCoding | HuffmanCoding | { readonly name: 'embedded'; readonly file: Buffer }

/** The signatures of BI_JPEG and BI_PNG data. */
const SIGNATURES = new Map([
  [JPEG, Buffer.from([0xff, 0xd8, 0xff])],
  [PNG, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
])

/**
 * The coding that the header specifies.
 * @throws UnreadableError where there is none with its bits and compression
 */
export function readCoding(bytes: Buffer, header: InfoHeader): Coding {
  const { bits, compression } = header
  const file = embeddedFile(bytes, header)
  if (file) return { name: 'embedded', file }
  if (compression === NONE) return uncompressedCoding(bytes, header)
  if ((compression === BITFIELDS || compression === ALPHA_BITFIELDS) && (bits === 16 || bits === 32)) {
    return { name: 'masks', bits, masks: readMasks(bytes, header, bits) }
  }
  const coding = compressedCoding(bytes, header)
  ensure(!header.topDown, 'its rows go from the top down, which they cannot when they are compressed')
  return coding
}

function uncompressedCoding(bytes: Buffer, header: InfoHeader): RowCoding {
  const { bits } = header
  switch (bits) {
    case 1:
    case 2:
    case 4:
    case 8:
      return { name: 'indices', bits, palette: readPalette(bytes, header, bits) }
    case 16:
    case 32:
      return { name: 'masks', bits, masks: readMasks(bytes, header, bits) }
    case 24:
      return { name: 'bytes', bits }
    case 64:
      return { name: 'linear', bits }
  }
  throw new UnreadableError(`its header says ${bits} bits a pixel`)
}

function compressedCoding(bytes: Buffer, header: InfoHeader): RunCoding | HuffmanCoding {
  const { bits, compression } = header
  if (compression === RLE8 && bits === 8) return { name: 'runs', bits, palette: readPalette(bytes, header, bits) }
  if (compression === RLE4 && bits === 4) return { name: 'runs', bits, palette: readPalette(bytes, header, bits) }
  if (compression === JPEG && bits === 24 && mayBeOs2(header)) return { name: 'runs', bits }
  if (compression === BITFIELDS && bits === 1 && mayBeOs2(header)) {
    return { name: 'huffman', palette: readPalette(bytes, header, bits) }
  }
  ensure(compression !== JPEG, 'its header says that it holds a JPEG, which it does not')
  ensure(compression !== PNG, 'its header says that it holds a PNG, which it does not')
  throw new UnreadableError(`its header says ${bits} bits a pixel in compression ${compression}`)
}

/** OS/2 also wrote headers of the length of BITMAPINFOHEADER. */
const mayBeOs2 = ({ length }: InfoHeader) => length <= INFO_HEADER_BYTES || length === OS2_HEADER_BYTES

/** A JPEG or PNG in place of the pixels. Its signature is checked, so that it cannot be another BMP. */
function embeddedFile(bytes: Buffer, { compression, pixelsAt, pixelBytes }: InfoHeader): Buffer | undefined {
  const signature = SIGNATURES.get(compression)
  const file = bytes.subarray(pixelsAt, pixelBytes === 0 ? bytes.length : pixelsAt + pixelBytes)
  return signature?.equals(file.subarray(0, signature.length)) ? file : undefined
}

/** The bits of a channel in a pixel, and the factor that scales them to 0–255. */
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

/** The masks of BI_RGB: 5 or 8 bits a channel; the other bits are unused. */
const UNSAID = { 16: [0x7c00, 0x03e0, 0x001f], 32: [0xff0000, 0xff00, 0xff] } as const

/**
 * The channel masks of a bitmap of 16 or 32 bits a pixel.
 * @throws UnreadableError
 */
function readMasks(bytes: Buffer, header: InfoHeader, bits: 16 | 32): Masks {
  const name = header.compression !== NONE
  const withAlpha = name && saysAlpha(header)
  ensure(!name || header.masksAt + (withAlpha ? 16 : 12) <= bytes.length, 'it ends within its channel masks')
  const mask = (index: number) => bytes.readUInt32LE(header.masksAt + index * 4)
  const [red, green, blue] = name ? [mask(0), mask(1), mask(2)] : UNSAID[bits]
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

/** A colour table of 256 entries; those missing in the file are opaque black. */
export interface Palette {
  /** Red, green, blue and 255. */
  readonly rgba: Uint8Array
  /** The same memory as one number per entry. */
  readonly packed: Uint32Array
  /** Whether all of its colours are grey. */
  readonly grey: boolean
}

const ENTRIES = 256

/** The colour table, up to the pixels. A file may declare more entries than it has, or none. */
function readPalette(bytes: Buffer, { length, colours, coloursAt, pixelsAt }: InfoHeader, bits: number): Palette {
  const entryBytes = length === CORE_HEADER_BYTES ? 3 : 4
  const space = Math.floor((Math.min(pixelsAt, bytes.length) - coloursAt) / entryBytes)
  const entries = Math.min(colours || ENTRIES, 2 ** bits, space)
  ensure(entries > 0, 'it has no colour table')
  const rgba = new Uint8Array(ENTRIES * 4)
  for (let alpha = 3; alpha < rgba.length; alpha += 4) rgba[alpha] = 255
  let grey = true
  for (let entry = 0; entry < entries; entry++) {
    const from = coloursAt + entry * entryBytes
    const [blue = 0, green = 0, red = 0] = bytes.subarray(from, from + 3)
    rgba.set([red, green, blue], entry * 4)
    grey &&= red === green && green === blue
  }
  return { rgba, packed: new Uint32Array(rgba.buffer), grey }
}
