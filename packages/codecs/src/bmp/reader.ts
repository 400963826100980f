import { limits } from '../contract/limits.ts'
import type { Bitmap, PictureHeader, Reader } from '../reader.ts'
import { withFileHeader } from './bare.ts'
import { type Coding, readCoding } from './coding.ts'
import { ensure, type InfoHeader, readInfoHeader } from './header.ts'
import { decodeHuffman } from './huffman.ts'
import { profileFor } from './profile.ts'
import { decodeRows, hasAlpha, isGrey } from './rows.ts'
import { decodeRuns } from './runs.ts'

async function header(file: Buffer): Promise<PictureHeader> {
  const bytes = withFileHeader(file)
  const info = readInfoHeader(bytes)
  const coding = readCoding(bytes, info)
  const { width, height } = info
  // More bits a pixel are of several channels.
  const plain = { width, height, deep: false, ...(info.bits < 8 && { bitDepth: info.bits }) }
  switch (coding.name) {
    case 'embedded':
      return { ...plain, alpha: false, grey: false, embedded: coding.file }
    case 'runs':
    case 'huffman':
      // Runs may skip pixels.
      return { ...plain, alpha: true, grey: 'palette' in coding && coding.palette.grey }
    default:
      return { ...plain, alpha: hasAlpha(coding), grey: isGrey(coding) }
  }
}

async function decode(file: Buffer): Promise<Bitmap> {
  const bytes = withFileHeader(file)
  const info = readInfoHeader(bytes)
  ensure(info.width * info.height <= limits.pixels, 'it has more than 80 megapixels')
  const icc = profileFor(bytes, info)
  // A grey picture needs no profile of primaries, but libvips would not apply one to a single channel.
  const pixels = pixelsOf(bytes, info, readCoding(bytes, info), icc === undefined)
  return icc ? { ...pixels, icc } : pixels
}

function pixelsOf(bytes: Buffer, info: InfoHeader, coding: Coding, mayBeGrey: boolean): Bitmap {
  const { width, height } = info
  switch (coding.name) {
    case 'embedded':
      throw new Error('an embedded file is to be decoded in place of the one around it')
    case 'runs':
      return withoutAlpha({ width, height, channels: 4, data: decodeRuns(bytes, info, coding) }, [255])
    case 'huffman':
      return withoutAlpha({ width, height, channels: 4, data: decodeHuffman(bytes, info, coding) }, [255])
    default:
      // Files whose alpha is 0 throughout are shown as opaque, as browsers do.
      return withoutAlpha(decodeRows(bytes, info, coding, mayBeGrey), [0, 255])
  }
}

/** Removes the alpha channel, in place, if all pixels have the same alpha and it is one of these. */
function withoutAlpha(bitmap: Bitmap, meaningless: readonly number[]): Bitmap {
  const { width, height, channels, data } = bitmap
  const alpha = data[3] ?? 0
  if (channels !== 4 || !meaningless.includes(alpha)) return bitmap
  for (let at = 3; at < data.length; at += 4) if (data[at] !== alpha) return bitmap
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    data[to] = data[from] ?? 0
    data[to + 1] = data[from + 1] ?? 0
    data[to + 2] = data[from + 2] ?? 0
  }
  return { width, height, channels: 3, data: data.subarray(0, width * height * 3) }
}

/** Reads every kind of BMP from Windows 2 and OS/2 1 on. Harmless errors are tolerated as in browsers. */
export const bmpReader: Reader = { header, decode }
