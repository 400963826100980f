import { UnreadableError } from '../reader.ts'
import { ensure } from './ensure.ts'
import type { InfoHeader } from './info-header.ts'
import { ALPHA_BITFIELDS, BITFIELDS, INFO_HEADER_BYTES, JPEG, NONE, OS2_HEADER_BYTES, PNG, RLE4, RLE8 } from './layout.ts'
import { type Masks, readMasks } from './masks.ts'
import { type Palette, readPalette } from './palette.ts'

/** Rows of pixels, one behind the other. */
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

/** How the pixels are written, with what is needed to read them. */
export type Coding = RowCoding | RunCoding | HuffmanCoding | { readonly name: 'embedded'; readonly file: Buffer }

/** First bytes of what BI_JPEG and BI_PNG promise. */
const SIGNATURES = new Map([
  [JPEG, Buffer.from([0xff, 0xd8, 0xff])],
  [PNG, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
])

/**
 * Which coding the header says.
 * @throws UnreadableError where there is none with its bits and compression
 */
export function readCoding(bytes: Buffer, header: InfoHeader): Coding {
  const { bits, compression } = header
  const file = embeddedFile(bytes, header)
  if (file) return { name: 'embedded', file }
  if (compression === NONE) return uncompressed(bytes, header)
  if ((compression === BITFIELDS || compression === ALPHA_BITFIELDS) && (bits === 16 || bits === 32)) {
    return { name: 'masks', bits, masks: readMasks(bytes, header, bits) }
  }
  const coding = compressed(bytes, header)
  ensure(!header.topDown, 'its rows go from the top down, which they cannot when they are compressed')
  return coding
}

function uncompressed(bytes: Buffer, header: InfoHeader): RowCoding {
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

function compressed(bytes: Buffer, header: InfoHeader): RunCoding | HuffmanCoding {
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

/** OS/2 also wrote headers of the length that Windows' first has. */
const mayBeOs2 = ({ length }: InfoHeader) => length <= INFO_HEADER_BYTES || length === OS2_HEADER_BYTES

/** A JPEG or PNG in place of the pixels. Its first bytes are asked, so that it cannot be another BMP. */
function embeddedFile(bytes: Buffer, { compression, pixelsAt, pixelBytes }: InfoHeader): Buffer | undefined {
  const signature = SIGNATURES.get(compression)
  const file = bytes.subarray(pixelsAt, pixelBytes === 0 ? bytes.length : pixelsAt + pixelBytes)
  return signature?.equals(file.subarray(0, signature.length)) ? file : undefined
}
